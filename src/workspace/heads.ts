/** A HEAD that names nothing makes git see no repository at all; one that names something else is settled elsewhere. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readText } from '../util/files.ts';
import { lookAt } from '../util/version.ts';
import { moveAside } from './kept-files.ts';

const NAMES = /^(?:ref: refs\/\S+|[0-9a-f]{40,64})\s*$/;

export class Heads {
  readonly #own: string;
  readonly #ref: string;
  readonly #noted: readonly (readonly [file: string, text: string])[];

  /** Of these git directories as they are now; that of the run's own checkout is on the branch of the run. */
  constructor({
    own,
    others,
    ref,
  }: { readonly own: string; readonly others: readonly string[]; readonly ref: string }) {
    this.#own = join(own, 'HEAD');
    this.#ref = ref;
    const files = [...new Set([own, ...others])].map(folder => join(folder, 'HEAD'));
    this.#noted = files.map(file => [file, readText(file) ?? ''] as const);
  }

  /** The files of others that were broken. */
  putBack(aside: string): readonly string[] {
    const broken = this.#noted.filter(([file]) => !NAMES.test(readText(file) ?? ''));
    for (const [file, text] of broken) {
      if (lookAt(file)) moveAside(file, aside);
      writeFileSync(file, file === this.#own ? `ref: ${this.#ref}\n` : text);
    }
    return broken.map(([file]) => file).filter(file => file !== this.#own);
  }
}
