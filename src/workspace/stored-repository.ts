/**
 * The vault as a repository that git can read: refs and settings in files beside its objects. A person clones it when all
 * else is gone, and the next runner believes it where this one died.
 */
import { existsSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readBytes, readText, writeOwnInPlace, writeOwnTogether } from '../util/files.ts';
import { ownFolder } from '../util/own-folder.ts';
import { lookAt } from '../util/version.ts';
import type { KeptFiles } from './kept-files.ts';
import { namesThatDiffer, packedText, type Refs } from './ref-files.ts';

/** Files in which git is told what to do. */
export const SETTINGS = ['config', 'config.worktree', 'info/attributes', 'info/exclude', 'info/grafts', 'shallow'];

export interface StoredRepositoryOptions {
  readonly folder: string;
  /** `.ralph` */
  readonly state: string;
  /** The run's own branch. */
  readonly ref: string;
  /** Of the repository that it is a copy of. */
  readonly commonDir: string;
  /** Git's settings as they are known. */
  readonly settings: KeptFiles;
}

export class StoredRepository {
  readonly #options: StoredRepositoryOptions;
  #written = '';
  #packed: { readonly of: Refs; readonly text: string } | undefined;
  #storedTip = '';

  constructor(options: StoredRepositoryOptions) {
    this.#options = options;
  }

  async write(refs: Refs): Promise<void> {
    const { folder, state, ref } = this.#options;
    const text = this.#packedWithoutOwn(refs);
    if (text !== this.#written || !existsSync(join(folder, 'HEAD'))) {
      const files = this.#changedSettings();
      const head = join(folder, 'HEAD');
      if (readText(head) !== `ref: ${ref}\n`) files.set(head, `ref: ${ref}\n`);
      files.set(join(folder, 'packed-refs'), text);
      // Believed after a crash, so it has to be whole after a power cut too.
      await writeOwnTogether(files);
      this.#written = text;
    }
    // The one that moves with every accepted item is a file of its own.
    const own = refs.get(ref);
    if (own === undefined || own === this.#storedTip) return;
    ownFolder(state, dirname(join(folder, ref)));
    writeOwnInPlace(join(folder, ref), `${own}\n`);
    this.#storedTip = own;
  }

  #packedWithoutOwn(refs: Refs): string {
    const { ref } = this.#options;
    // The run's own moves with every item, and takes no new text for thousands of others.
    if (this.#packed && isSameBut(ref, this.#packed.of, refs)) return this.#packed.text;
    const others = new Map(refs);
    others.delete(ref);
    this.#packed = { of: refs, text: packedText(others) };
    return this.#packed.text;
  }

  /** Those that are to be written; what is none any more is taken away. */
  #changedSettings(): Map<string, string | Buffer> {
    const { folder, state, commonDir, settings } = this.#options;
    ownFolder(state, join(folder, 'refs'));
    this.#storedTip = '';
    const changed = new Map<string, string | Buffer>();
    for (const name of SETTINGS) {
      const bytes = settings.bytesOf(join(commonDir, name));
      const file = join(folder, name);
      if (bytes && readBytes(file)?.equals(bytes)) continue;
      if (!bytes || lookAt(file)?.isDirectory()) rmSync(file, { recursive: true, force: true });
      if (bytes) changed.set(file, bytes);
    }
    return changed;
  }

  /** What the runner that wrote it had noted of git's settings is how they are to be. */
  believe(): void {
    const { folder, commonDir, settings } = this.#options;
    // Without its config nothing was stored, or not to the end.
    if (!existsSync(join(folder, 'HEAD')) || !existsSync(join(folder, 'config'))) return;
    for (const name of SETTINGS) {
      settings.believe(join(commonDir, name), readBytes(join(folder, name)));
    }
  }
}

function isSameBut(name: string, a: Refs, b: Refs): boolean {
  if (a === b) return true;
  if (a.size !== b.size || a.has(name) !== b.has(name)) return false;
  for (const each of namesThatDiffer(a, b)) if (each !== name) return false;
  return true;
}
