/**
 * What is in submodules and other repositories that the tree names by a commit. The tree itself holds nothing of it, so it is taken as
 * trees of this repository, by an index of our own for each. Their own git is not asked: its settings and filters would be obeyed.
 */
import { createHash } from 'node:crypto';
import { rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Change, InnerTrees } from '../protocol.ts';
import { readText } from '../util/files.ts';
import { ok, type Result } from '../util/result.ts';
import { lookAt } from '../util/version.ts';
import { KeptFiles } from './kept-files.ts';
import { algorithmOf, objectId } from './objects.ts';
import { type InnerRepository, SUBMODULE } from './submodules.ts';
import { WorkTree, type WorkTreeOptions } from './work-tree.ts';

export interface InnerEdit {
  readonly path: string;
  /** The trees before and as it was found. */
  readonly was: string;
  readonly found: string;
  readonly changes: readonly Change[];
}

class InnerTree extends WorkTree {}

export class InnerRepositories {
  readonly #options: WorkTreeOptions;
  readonly #list: () => Promise<Result<readonly InnerRepository[]>>;
  readonly #trees = new Map<string, WorkTree>();
  /** Their `.git` files, which say where their git directories are. */
  readonly #pointers = new Map<string, KeptFiles>();
  /** When the attempt began. */
  #noted: InnerTrees = {};
  /** What is to be in them now: as noted, unless the attempt moved one to another commit. */
  #known: InnerTrees = {};

  /** `list` gives those that the last snapshot of the tree around them names. */
  constructor(options: WorkTreeOptions, list: () => Promise<Result<readonly InnerRepository[]>>) {
    this.#options = options;
    this.#list = list;
  }

  /** As they are now is how they are to be. */
  async note(): Promise<Result<InnerTrees>> {
    const now = await this.#look();
    if (!now.ok) return now;
    // One that an attempt removed is missed when that attempt is undone.
    this.believe({ ...this.#known, ...now.value });
    return ok(this.#noted);
  }

  /** As they were noted by a runner that died. */
  believe(noted: InnerTrees): void {
    this.#noted = noted;
    this.#known = noted;
    for (const path of Object.keys(noted)) {
      const file = join(this.#folder(path), '.git');
      if (!lookAt(file)?.isFile()) continue;
      const pointer = new KeptFiles({ paths: [file] });
      pointer.note();
      this.#pointers.set(path, pointer);
    }
  }

  /**
   * Puts back those that hold neither what they held, nor what is in the commit that the last snapshot names; `keep` has seen each before.
   * What is new in the index is left to guards.
   */
  async putBack(
    keep: (edit: InnerEdit) => Promise<Result<unknown>> = async () => ok(undefined),
  ): Promise<Result<readonly InnerEdit[]>> {
    const now = await this.#look();
    if (!now.ok) return now;
    const edits: InnerEdit[] = [];
    for (const [path, { commit, tree }] of Object.entries(now.value)) {
      const before = this.#known[path];
      if (before === undefined || (before.tree === tree && before.commit === commit)) continue;
      if ((await this.#treeIn(path, commit)) === tree) {
        this.#known = { ...this.#known, [path]: { commit, tree } };
        continue;
      }
      const diff = await this.#at(path).diff(before.tree, tree);
      if (!diff.ok) return diff;
      const edit = { path, was: before.tree, found: tree, changes: diff.value.changes };
      const kept = await keep(edit);
      if (!kept.ok) return kept;
      const restored = await this.#restore(edit);
      if (!restored.ok) return restored;
      edits.push(edit);
    }
    return ok(edits);
  }

  /** After the tree around them was put back: those whose commits went back with it hold what they held. */
  async follow(undone: readonly Change[]): Promise<Result<void>> {
    for (const { path, oldMode, mode, before } of undone) {
      const noted = this.#noted[path];
      if ((oldMode ?? mode) !== SUBMODULE || noted === undefined || noted.commit !== before) continue;
      const now = await this.#at(path).snapshot();
      const diff = now.ok ? await this.#at(path).diff(noted.tree, now.value) : now;
      const restored = diff.ok ? await this.#restore({ path, was: noted.tree, changes: diff.value.changes }) : diff;
      if (!restored.ok) return restored;
      this.#known = { ...this.#known, [path]: noted };
    }
    return ok(undefined);
  }

  /** As for the tree around them. */
  async checkIndexes(): Promise<Result<boolean>> {
    let changed = false;
    for (const tree of this.#trees.values()) {
      const checked = await tree.checkIndex();
      if (!checked.ok) return checked;
      changed ||= checked.value;
    }
    return ok(changed);
  }

  /** The files that are to be in them, for another checkout of the tree around them. */
  async layOut(folder: string): Promise<Result<void>> {
    for (const [path, { tree }] of Object.entries(this.#known)) {
      const place = join(folder, path);
      if (!lookAt(place)?.isDirectory()) continue;
      const index = `${this.#indexOf(path)}.out`;
      rmSync(index, { recursive: true, force: true });
      const laid = await this.#at(path).trees.checkOut(tree, { folder: place, index });
      if (!laid.ok) return laid;
    }
    return ok(undefined);
  }

  /** What is in them and in no tree, because they ignore it. */
  async ignored(): Promise<Result<readonly string[]>> {
    const found: string[] = [];
    for (const path of Object.keys(this.#known)) {
      if (!lookAt(this.#folder(path))?.isDirectory()) continue;
      const names = await this.#at(path).notInSnapshot();
      if (!names.ok) return names;
      found.push(...names.value.map(name => `${path}/${name}`));
    }
    return ok(found);
  }

  async #look(): Promise<Result<InnerTrees>> {
    const listed = await this.#list();
    if (!listed.ok) return listed;
    const found: Record<string, InnerTrees[string]> = {};
    const left = [...listed.value];
    for (let next = left.shift(); next !== undefined; next = left.shift()) {
      const { path, commit } = next;
      if (!lookAt(this.#folder(path))?.isDirectory()) continue;
      const inner = this.#at(path);
      const tree = await inner.snapshot();
      if (!tree.ok) return tree;
      found[path] = { commit, tree: tree.value };
      const below = await inner.innerRepositories();
      if (!below.ok) return below;
      left.push(...below.value.map(each => ({ ...each, path: `${path}/${each.path}` })));
    }
    return ok(found);
  }

  async #restore({ path, was, changes }: Omit<InnerEdit, 'found'>): Promise<Result<void>> {
    const restored = await this.#at(path).restore(was, changes);
    this.#pointers.get(path)?.putBack(join(dirname(this.#options.index), 'found'));
    return restored;
  }

  /** The tree of a commit of its own; undefined where it is not there, or is not what its name says. */
  async #treeIn(path: string, commit: string): Promise<string | undefined> {
    const dot = join(this.#folder(path), '.git');
    const named = lookAt(dot)?.isFile() ? /^gitdir: (.+)$/m.exec(readText(dot) ?? '')?.[1] : undefined;
    const gitDir = named === undefined ? dot : resolve(this.#folder(path), named);
    const git = this.#options.repository.git.with({ GIT_ALTERNATE_OBJECT_DIRECTORIES: join(gitDir, 'objects') });
    const read = await git.run({ args: ['cat-file', 'commit', commit] });
    if (!read.ok || objectId(algorithmOf(commit), 'commit', read.value) !== commit) return undefined;
    return /^tree ([0-9a-f]+)\n/.exec(read.value.toString('latin1'))?.[1];
  }

  #at(path: string): WorkTree {
    const known = this.#trees.get(path);
    if (known) return known;
    const index = this.#indexOf(path);
    for (const file of [index, `${index}.lock`]) rmSync(file, { recursive: true, force: true });
    const { repository, gitDir, plainObjects } = this.#options;
    const made = new InnerTree({ repository, gitDir, plainObjects, root: this.#folder(path), index });
    this.#trees.set(path, made);
    return made;
  }

  #indexOf(path: string): string {
    return `${this.#options.index}-${createHash('sha256').update(path).digest('hex').slice(0, 12)}`;
  }

  #folder(path: string): string {
    return join(this.#options.root, path);
  }
}
