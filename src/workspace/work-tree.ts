/**
 * The files an agent works on, and the runner's own index of them: taken as a tree, compared with another, put back. Files
 * that git ignores are no part of it. One long file, because it has everything that writes to that index.
 */
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import type { Change } from '../protocol.ts';
import { realPath } from '../util/paths.ts';
import { ok, type Result } from '../util/result.ts';
import { lookAt, lookAtExactly } from '../util/version.ts';
import { addWithoutLookingInside } from './add-all.ts';
import { type Contents, readContents, searchTests } from './contents.ts';
import { type Diff, parseDiff } from './diff.ts';
import type { Git } from './git.ts';
import { clearWay, makeWritable } from './in-the-way.ts';
import { keepFiles, unseenFiles } from './keep-files.ts';
import { algorithmOf, type ObjectStore } from './objects.ts';
import { OtherTrees } from './other-trees.ts';
import { copyIndex, OwnIndex } from './own-index.ts';
import type { Repository } from './repository.ts';
import { type SinceSnapshot, sinceSnapshot } from './since-snapshot.ts';
import { type InnerRepository, putSubmodulesBack, SUBMODULE } from './submodules.ts';
import { TreeDiffs } from './tree-diffs.ts';

export interface WorkTreeOptions {
  readonly repository: Repository;
  /** Where the agent works; the repository's own top or a worktree. */
  readonly root: string;
  /** The git directory of that checkout. */
  readonly gitDir: string;
  /** An index of our own: what the agent stages, or a lock a killed git left behind, is not in the way. */
  readonly index: string;
  /** Objects may be written without git: no setting changes what they hold or who may read them. */
  readonly plainObjects: boolean;
  /** Some commit of the repository, where one is known: it tells which hash is used. */
  readonly commit?: string;
  /** Of another checkout of the repository: trees are the same in all of them. */
  readonly diffs?: TreeDiffs;
}

/** A pattern, because git (2.39 at least) refuses to add anything where a plain excluded path is in .gitignore as well. */
const NOT_OURS = [':(exclude).ralp[h]', ':(exclude).ralp[h]/*'];

const PATCH_BYTES = 2 * 1024 * 1024;
const DIFF = ['-r', '--raw', '--numstat', '-p', '-z', '--no-renames', '--no-ext-diff', '--no-textconv'];
/** Git is asked about one after the other. */
const MOST_ASKED = 500;

export abstract class WorkTree {
  readonly root: string;
  readonly repository: Repository;
  /** Trees apart from the work tree. */
  readonly trees: OtherTrees;
  protected readonly git: Git;
  protected readonly gitDir: string;
  protected readonly plainObjects: boolean;
  readonly #index: string;
  protected readonly diffs: TreeDiffs;
  #showing: Promise<void> = Promise.resolve();
  /** Undefined until an id has told which hash the repository uses. */
  #own: OwnIndex | undefined;
  #unseen: readonly string[] | undefined;
  /** What the index held last, and its state then. */
  #tree = '';
  #written = '';
  #writers = 0;
  readonly #notes: string[] = [];

  constructor({ repository, root, gitDir, index, plainObjects, commit, diffs }: WorkTreeOptions) {
    this.repository = repository;
    this.root = root;
    this.gitDir = gitDir;
    this.plainObjects = plainObjects;
    this.#index = index;
    this.git = repository.git.with({ GIT_INDEX_FILE: index, GIT_DIR: gitDir, GIT_WORK_TREE: root });
    this.diffs = diffs ?? new TreeDiffs(this.git, { flags: DIFF, maxBytes: PATCH_BYTES });
    this.trees = new OtherTrees(this.git, index);
    if (plainObjects && commit) this.#own = new OwnIndex(index, this.storeFor(commit));
  }

  /** Starts from the checkout's own index, so that unchanged files need not be read again. */
  async prepare(): Promise<Result<void>> {
    return await this.#writing(() => this.#prepare());
  }

  async #prepare(): Promise<Result<void>> {
    rmSync(`${this.#index}.lock`, { recursive: true, force: true });
    if (existsSync(this.#index)) return ok(undefined);
    if (existsSync(this.shownIndex)) {
      await copyIndex(this.shownIndex, this.#index);
      return ok(undefined);
    }
    const read = await this.git.text('read-tree', 'HEAD');
    return read.ok ? ok(undefined) : read;
  }

  /**
   * After code of others, who may write to the index where no sandbox keeps them from it: one that was written to says what it likes about
   * files, so it is made again. Says whether that was so.
   */
  async checkIndex(): Promise<Result<boolean>> {
    if (this.#writers > 0) return ok(false);
    rmSync(`${this.#index}.lock`, { recursive: true, force: true });
    if (this.#written === '' || stateOf(this.#index) === this.#written) return ok(false);
    return await this.#writing(async () => {
      rmSync(this.#index, { recursive: true, force: true });
      if (this.#tree === '') return ok(true);
      const read = await this.git.text('read-tree', this.#tree);
      if (!read.ok) return read;
      const unseen = await this.unseen();
      const input = unseen.map(path => `${relative(this.root, path)}\0`).join('');
      const args = ['update-index', '--skip-worktree', '-z', '--stdin'];
      const told = unseen.length > 0 ? await this.git.run({ args, input }) : ok(undefined);
      return told.ok ? ok(true) : told;
    });
  }

  /** Whatever writes to the index, so that what others write to it can be told from it. */
  async #writing<T>(act: () => Promise<T>): Promise<T> {
    this.#writers += 1;
    try {
      return await act();
    } finally {
      this.#writers -= 1;
      this.#written = stateOf(this.#index);
    }
  }

  /** Files that git was told not to look at: no tree has what they hold here, so it is a person's alone. Full paths. */
  async unseen(): Promise<readonly string[]> {
    this.#unseen ??= this.#own?.isLookedAt ? [] : await unseenFiles(this.git, this.root);
    return this.#unseen;
  }

  /** Everything in the work tree that git does not ignore, as a tree. */
  async snapshot(): Promise<Result<string>> {
    return await this.#writing(() => this.#snapshot());
  }

  async #snapshot(): Promise<Result<string>> {
    const added = await this.#add();
    if (!added.ok) {
      const way = { git: this.repository.git, root: this.root, touched: await this.touched() };
      const notes = await clearWay({ ...way, aside: join(dirname(this.#index), 'found') });
      this.#notes.push(...notes);
      const again = notes.length > 0 ? await this.#add() : added;
      if (!again.ok) return again;
    }
    return await this.#writeTree();
  }

  /** Files that git cannot take into a snapshot, for example because they are not in the encoding that their attributes name. */
  async refusedFiles(said: string): Promise<Result<readonly string[]>> {
    const listed = await this.git.list('ls-files', '-z', '-m', '-o', '--exclude-standard', '--', '.', ...NOT_OURS);
    if (!listed.ok) return listed;
    // A file that git cannot compare is not listed as changed, but named.
    const named = [...said.matchAll(/'([^'\n]+)'/g)].map(match => match[1] ?? '');
    const paths = [...new Set([...named, ...listed.value])].filter(path => isFileIn(this.root, path));
    const refused: string[] = [];
    for (const path of paths.slice(0, MOST_ASKED)) {
      const args = ['--literal-pathspecs', 'add', '--', path];
      const added = await this.#writing(() => this.git.run({ args }));
      if (!added.ok) refused.push(path);
    }
    return ok(refused);
  }

  /** What snapshots had to do to the work tree since this was asked last, in words. */
  takeNotes(): readonly string[] {
    return this.#notes.splice(0);
  }

  /** What is in the work tree and not in the last snapshot; a folder without anything of it ends in `/`. */
  async notInSnapshot(): Promise<Result<readonly string[]>> {
    const here = this.#own?.others(this.root, ['.ralph']);
    if (here) return ok(here);
    return await this.git.list('ls-files', '-z', '-o', '--directory', '--', '.', ...NOT_OURS);
  }

  /** The index knows these files of the last snapshot as they are now, times and all. */
  async lookAgain(paths: readonly string[]): Promise<Result<void>> {
    const input = Buffer.from(paths.map(path => `${path}\0`).join(''));
    const added = await this.#writing(() => this.git.run({ args: ['update-index', '-z', '--stdin'], input }));
    return added.ok ? ok(undefined) : added;
  }

  /** Every path of the last snapshot. */
  async pathsInSnapshot(): Promise<Result<ReadonlySet<string>>> {
    const listed = await this.git.list('ls-files', '-z', '--cached');
    return listed.ok ? ok(new Set(listed.value)) : listed;
  }

  /** What somebody did to the work tree since the last snapshot. */
  async sinceSnapshot(): Promise<Result<SinceSnapshot>> {
    return await sinceSnapshot(this.git, NOT_OURS);
  }

  /** Repositories that the last snapshot names by their commits. */
  async innerRepositories(): Promise<Result<readonly InnerRepository[]>> {
    if (this.#own?.holdsRepositories === false) return ok([]);
    const listed = await this.git.list('ls-files', '-z', '-s');
    if (!listed.ok) return listed;
    const inner = listed.value.filter(line => line.startsWith(SUBMODULE));
    return ok(inner.map(line => ({ commit: line.split(' ')[1] ?? '', path: line.slice(line.indexOf('\t') + 1) })));
  }

  /** Files that differ from the last snapshot, or are new since. */
  async touched(): Promise<Result<readonly string[]>> {
    const flags = ['-m', '-d', '-o', '--exclude-standard'];
    const listed = await this.git.list('ls-files', '-z', ...flags, '--', '.', ...NOT_OURS);
    return listed.ok ? ok([...new Set(listed.value)]) : listed;
  }

  async diff(from: string, to: string): Promise<Result<Diff>> {
    if (from === to) return ok({ changes: [], patch: '' });
    const quick = await this.diffs.of(from, to);
    if (quick) {
      const diff = parseDiff(quick);
      if (!diff.changes.some(isAttributes)) return ok(diff);
      this.diffs.close();
    }
    const out = await this.git.run({ args: ['diff-tree', ...DIFF, from, to], maxBytes: PATCH_BYTES });
    if (!out.ok) return out;
    if (out.value.length < PATCH_BYTES) return ok(parseDiff(out.value));
    // Too large to show whole: the list must still be complete, because guards decide on it.
    const list = await this.git.run({ args: ['diff-tree', ...DIFF.filter(flag => flag !== '-p'), from, to] });
    if (!list.ok) return list;
    return ok({ changes: parseDiff(list.value).changes, patch: `${parseDiff(out.value).patch}\n… (cut at 2 MiB)\n` });
  }

  /** Trees are going to be compared. */
  expectDiffs(): void {
    this.diffs.expect();
  }

  /** Nothing of git's goes on after this, in checkouts beside this one neither; the next call starts it anew. */
  close(): void {
    this.diffs.close();
  }

  /** The index holds this tree again; the work tree stays as it is. */
  async forget(tree: string): Promise<Result<void>> {
    // With what git was told of single files, which a fresh index would not know.
    const read = await this.#writing(() => this.git.text('read-tree', '--reset', tree));
    if (read.ok) this.#tree = tree;
    return read.ok ? ok(undefined) : read;
  }

  /** Both sides of changed files, and other objects by name. */
  async contents(changes: readonly Change[], also: readonly string[] = []): Promise<Result<Contents>> {
    const objects = join(this.repository.commonDir, 'objects');
    return await readContents({ git: this.git, objects, changes, also });
  }

  /** Test files of a tree that hold one of these texts. */
  async testsWith(tree: string, texts: readonly string[]): Promise<Result<ReadonlyMap<string, string>>> {
    return await searchTests(this.git, tree, texts);
  }

  /** Makes the work tree hold exactly this tree; files that git ignores stay. Follows a snapshot. */
  async restore(tree: string, undone: readonly Change[] = []): Promise<Result<void>> {
    if (undone.some(isAttributes)) this.diffs.close();
    this.#moveRepositoriesOut(undone);
    makeWritable(this.root, undone);
    await putSubmodulesBack(this.repository.git, this.root, undone);
    const read = await this.#reset(tree);
    if (!read.ok) return read;
    if (!undone.some(change => /(^|\/)\.gitignore$/.test(change.path))) return ok(undefined);
    // An ignore file that is gone again may have hidden other files from the snapshot.
    const again = await this.snapshot();
    if (!again.ok) return again;
    return await this.#reset(tree);
  }

  /**
   * The tree of the last snapshot with one file as it is now; used for the runner's own mark in the plan. With the bytes
   * before and after the mark it needs no git.
   */
  async treeWithFile(path: string, bytes?: { readonly was: Buffer; readonly is: Buffer }): Promise<Result<string>> {
    const tree = bytes && this.#own?.replaceFile({ root: this.root, path, ...bytes });
    if (tree) {
      this.#tree = tree;
      this.#written = stateOf(this.#index);
      return ok(tree);
    }
    return await this.#writing(async () => {
      const added = await this.git.run({ args: ['add', '--', path] });
      return added.ok ? await this.#writeTree() : added;
    });
  }

  /** The tree of the last snapshot with these files as they are now. */
  async treeWithFiles(paths: readonly string[], { ignored }: { ignored?: 'too' } = {}): Promise<Result<string>> {
    const list = Buffer.from(paths.join('\0'));
    const force = ignored ? ['-f'] : [];
    const args = ['--literal-pathspecs', 'add', ...force, '--pathspec-from-file=-', '--pathspec-file-nul'];
    return await this.#writing(async () => {
      const added = await this.git.run({ args, input: list });
      return added.ok ? await this.#writeTree() : added;
    });
  }

  async isIgnored(path: string): Promise<boolean> {
    // What git keeps, it does not ignore.
    if (this.#own?.holds(path)) return false;
    return (await this.git.text('check-ignore', '-q', '--', path)).ok;
  }

  /** The checkout's own index follows ours, so that a person's `git status` shows what is true. */
  async syncIndex(): Promise<void> {
    await this.#showing;
    await this.#show();
  }

  /** Until the checkout shows the last commit. */
  async shown(): Promise<void> {
    await this.#showing;
  }

  protected get shownIndex(): string {
    return join(this.gitDir, 'index');
  }

  /** Somebody who holds the index, or a disk that refuses, makes it show less; nothing depends on it. */
  async #show(): Promise<void> {
    if (!existsSync(`${this.shownIndex}.lock`)) await copyIndex(this.#index, this.shownIndex).catch(() => undefined);
  }

  /** The same beside other work. */
  protected showSoon(): void {
    this.#showing = this.#show();
  }

  protected storeFor(id: string): ObjectStore {
    return { folder: join(this.repository.commonDir, 'objects'), algorithm: algorithmOf(id) };
  }

  async #add(): Promise<Result<Buffer>> {
    return this.#own?.holdsRepositories === false
      ? await this.git.run({ args: ['add', '-A', '--', '.', ...NOT_OURS] })
      : await this.#addWithoutLookingInside();
  }

  async #addWithoutLookingInside(): Promise<Result<Buffer>> {
    const added = await addWithoutLookingInside({ git: this.git, root: this.root, paths: ['.', ...NOT_OURS] });
    // Files with another time and the same content: from here on their times count. It fails where something still differs.
    if (added.ok) await this.git.run({ args: ['update-index', '-q', '--refresh'] });
    return added;
  }

  async #reset(tree: string): Promise<Result<void>> {
    const putBack = await keepFiles(this.git, this.root, await this.unseen());
    const read = await this.#writing(() => this.git.text('read-tree', '--reset', '-u', tree));
    if (read.ok) this.#tree = tree;
    putBack();
    return read.ok ? ok(undefined) : read;
  }

  /** A repository inside this one is no part of any tree: git would neither keep nor remove what is in it. */
  #moveRepositoriesOut(undone: readonly Change[]): void {
    const inner = undone.filter(change => change.mode === SUBMODULE && change.kind === 'added');
    if (inner.length === 0) return;
    const aside = join(dirname(this.#index), 'repositories');
    mkdirSync(aside, { recursive: true });
    for (const { path } of inner) {
      const name = path.replace(/[^A-Za-z0-9._-]+/g, '-');
      renameSync(join(this.root, path), join(aside, `${name}-${Date.now()}`));
    }
  }

  async #writeTree(): Promise<Result<string>> {
    const tree = this.#own?.writeTree();
    if (tree) {
      this.#tree = tree;
      return ok(tree);
    }
    const made = await this.git.text('write-tree');
    if (made.ok) this.#tree = made.value;
    if (made.ok && this.plainObjects) this.#own ??= new OwnIndex(this.#index, this.storeFor(made.value));
    return made;
  }
}

/** Every write shows in it: the kernel sets the time of a change, and no program can. */
function stateOf(file: string): string {
  const stat = lookAtExactly(file);
  return stat ? `${stat.mode} ${stat.ino} ${stat.size} ${stat.ctimeNs}` : '';
}

/** A link on the way would lead to a file of somebody else's. */
function isFileIn(root: string, path: string): boolean {
  const file = join(root, path);
  const isBelow = realPath(dirname(file)) === join(realPath(root), dirname(path));
  return isBelow && !path.split('/').includes('..') && lookAt(file)?.isFile() === true;
}

/** It decides what is text. */
const isAttributes = ({ path }: Change): boolean => /(^|\/)\.gitattributes$/.test(path);
