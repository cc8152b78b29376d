/**
 * What a run added to the repository becomes a pack now and then: each object that is a file of its own is looked at around every
 * agent and every gate. Only these are read, not the history, however long that is.
 */
import { unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { namesIn, syncFolder } from '../util/files.ts';
import { attempt, ok, type Result } from '../util/result.ts';
import type { Git } from './git.ts';
import { type Stores, secondName } from './linked-copy.ts';
import { fileOf } from './loose-objects.ts';
import { packOf, readPackIndex } from './pack-index.ts';
import { isSwitchedOff } from './pack-loose.ts';

/** Near neighbours become deltas of each other, such as one state of a plan and the next; looking further costs more than it saves. */
const HOW = ['-q', '--delta-base-offset', '--threads=1', '--window=2', '--compression=1'];

/** Objects that commits have added since some were packed: packing them costs about what looking at them did. */
const ADDED = 250;
/** So many take a while. */
const LONG = 4_000;

export interface PackedByRunOptions {
  readonly stores: Stores;
  readonly git: Git;
  /** What is older is not the run's. */
  readonly since: number;
}

export class PackedByRun {
  readonly #options: PackedByRunOptions;
  #isSwitchedOff: boolean | undefined;
  #packs: readonly string[] = [];
  /** All, and those of them that were looked at since. */
  #added = 0;
  #looked = 0;

  constructor(options: PackedByRunOptions) {
    this.#options = options;
  }

  wereAdded(count: number): void {
    this.#added += count;
  }

  wereLookedAt(): void {
    this.#looked = this.#added;
  }

  /** Whether anything was packed. `ids` are whole, in both stores, and nobody else's code may be at work. */
  async packIfMany(ids: (since: number) => readonly string[], onStart: () => void): Promise<Result<boolean>> {
    const looked = this.#looked;
    // The last commit stays as it is: what compares the next one with it reads files of their own.
    if (looked < ADDED) return ok(false);
    this.#added -= looked;
    this.#looked = 0;
    if ((this.#isSwitchedOff ??= await isSwitchedOff(this.#options.git))) return ok(false);
    if (looked >= LONG) onStart();
    const packed = await this.#pack(ids(this.#options.since));
    // What could not be packed is not tried again soon.
    if (!packed.ok) this.#added -= LONG;
    return packed;
  }

  async #pack(loose: readonly string[]): Promise<Result<boolean>> {
    if (loose.length === 0) return ok(false);
    const { stores, git } = this.#options;
    // Every call of git looks into each pack. So the last ones are joined, while they are not much larger: there are never many.
    const packs = this.#packs.map(name => ({ name, ids: this.#idsIn(name) })).filter(({ ids }) => ids.length > 0);
    const joined: string[] = [];
    const ids = [...loose];
    for (let last = packs.at(-1); last && last.ids.length < 2 * ids.length; last = packs.at(-1)) {
      packs.pop();
      joined.push(last.name);
      ids.push(...last.ids);
    }
    const { from, to } = stores;
    const args = ['-c', 'pack.packSizeLimit=0', 'pack-objects', ...HOW, join(from, 'pack/pack')];
    const made = await git.run({ args, input: `${ids.join('\n')}\n` });
    if (!made.ok) return made;
    const name = `pack-${made.value.toString('latin1').trim()}`;
    this.#packs = [...packs.map(pack => pack.name), name];
    const files = namesIn(join(from, 'pack'));
    // New names first, and on disk: between the two steps everything is there twice, never not at all.
    const own = files.filter(file => packOf(file) === name);
    if (!own.every(file => secondName(join(from, 'pack', file), join(to, 'pack', file)))) return ok(false);
    for (const store of [from, to]) {
      syncFolder(join(store, 'pack'));
      for (const id of loose) attempt(() => unlinkSync(fileOf(store, id)));
      for (const file of files) {
        if (joined.includes(packOf(file)) && packOf(file) !== name)
          attempt(() => unlinkSync(join(store, 'pack', file)));
      }
    }
    return ok(true);
  }

  /** None where somebody took it away, as `git gc` does. */
  #idsIn(name: string): readonly string[] {
    return Array.from(readPackIndex(this.#options.stores.from, name)?.ids() ?? [], id => id.toString('hex'));
  }
}
