/**
 * Objects reach the disk before anything names them. Neither git nor the runner waits for an object when it writes one, and
 * after a power cut a ref could name an empty file; so what a tree or commit adds is flushed before it is recorded or kept.
 */
import { flush } from '../util/flush.ts';
import { ok, type Result } from '../util/result.ts';
import { orSystemFailure } from '../util/system-error.ts';
import { lookAt } from '../util/version.ts';
import { type Entry, entriesOf, fileOf, headOf, readLoose } from './loose-objects.ts';

/** Of ids that are known to be there; past this many all but the newest are forgotten, and looked at again where they are met. */
const KNOWN = 5_000;
/** Of one look: what is further back was there long before. */
const MAX_COMMITS = 2_000;

export class ObjectsOnDisk {
  readonly #objects: string;
  readonly #known = new Set<string>();
  /** What everything else is built on. */
  #ground: Promise<Result<void>> = Promise.resolve(ok(undefined));

  constructor(objects: string) {
    this.#objects = objects;
  }

  /** This commit, and everything it is built on, is on disk once that is: nothing waits for it before it has to. */
  believe(commit: string, flushing: () => Promise<void>): void {
    this.#known.add(commit);
    this.#ground = orSystemFailure(async () => ok(await flushing()));
  }

  /** What a tree has that another has not. */
  async tree(tree: string, before: string): Promise<Result<void>> {
    return await this.#flush(this.#newInTree(tree, before), []);
  }

  /** A commit with everything it is built on, and files that are to be there with it. */
  async commit(commit: string, files: readonly string[] = []): Promise<Result<void>> {
    const ids: string[] = [];
    const ahead = [commit];
    const seen = new Set<string>();
    for (let id = ahead.pop(); id !== undefined && seen.size < MAX_COMMITS; id = ahead.pop()) {
      if (seen.has(id) || this.#known.has(id)) continue;
      seen.add(id);
      const head = headOf(readLoose(this.#objects, id));
      // Not a file of its own: git syncs its packs.
      if (!head) continue;
      const [parent] = head.parents;
      const before = parent === undefined ? undefined : headOf(readLoose(this.#objects, parent))?.tree;
      ids.push(...this.#newInTree(head.tree, before), id);
      ahead.push(...head.parents);
    }
    return await this.#flush(ids, files);
  }

  async #flush(ids: readonly string[], files: readonly string[]): Promise<Result<void>> {
    if (ids.length + files.length === 0) return ok(undefined);
    const objects = ids.map(id => fileOf(this.#objects, id));
    const flushed = await orSystemFailure(async () => ok(await flush([...objects, ...files])));
    const ground = await this.#ground;
    if (!flushed.ok || !ground.ok) return flushed.ok ? ground : flushed;
    if (this.#known.size + ids.length > KNOWN) this.#known.clear();
    for (const id of ids) this.#known.add(id);
    return ok(undefined);
  }

  #newInTree(tree: string, before: string | undefined): readonly string[] {
    if (tree === before || this.#known.has(tree)) return [];
    const entries = entriesOf(readLoose(this.#objects, tree), tree.length);
    if (!entries) return [];
    const old = before === undefined ? undefined : entriesOf(readLoose(this.#objects, before), tree.length);
    const found: string[] = [];
    for (const [name, entry] of entries) found.push(...this.#newInEntry(entry, old?.get(name)));
    return [...found, tree];
  }

  #newInEntry({ id, kind }: Entry, old: Entry | undefined): readonly string[] {
    if (id === old?.id || kind === 'repository' || this.#known.has(id)) return [];
    if (kind === 'tree') return this.#newInTree(id, old?.kind === 'tree' ? old.id : undefined);
    return lookAt(fileOf(this.#objects, id)) ? [id] : [];
  }
}
