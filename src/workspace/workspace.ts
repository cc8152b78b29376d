/**
 * The tree an agent works in, and the branch its accepted work goes to. What counts is the tree: an agent that commits,
 * amends, switches branch or resets by itself changes nothing about what is looked at or kept.
 */
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Change } from '../protocol.ts';
import { readText, writeOwnSoon } from '../util/files.ts';
import { flush } from '../util/flush.ts';
import { ok, type Result } from '../util/result.ts';
import { orSystemFailure } from '../util/system-error.ts';
import { addWithoutLookingInside } from './add-all.ts';
import { type Borrowed, borrowHistory } from './borrowed-history.ts';
import type { Author, Commit } from './commit-object.ts';
import { type Contents, readContents, searchTests } from './contents.ts';
import { type Diff, parseDiff } from './diff.ts';
import { flushStart } from './flush-start.ts';
import type { Git } from './git.ts';
import { type ItemCommit, itemsBetween, type Range } from './item-commits.ts';
import { KeptFiles } from './kept-files.ts';
import { treeOfLoose } from './loose-objects.ts';
import { makeCommit } from './make-commit.ts';
import { type Merged, mergeOnto } from './merging.ts';
import { moveBranch } from './move-branch.ts';
import { algorithmOf } from './objects.ts';
import { ObjectsOnDisk } from './on-disk.ts';
import { OtherTrees } from './other-trees.ts';
import { keepOwnFiles } from './own-files.ts';
import { copyIndex, OwnIndex } from './own-index.ts';
import { OwnRefs } from './own-refs.ts';
import { type Repository, refInFiles } from './repository.ts';
import { settle } from './settle.ts';
import { type SinceSnapshot, sinceSnapshot } from './since-snapshot.ts';
import { TreeDiffs } from './tree-diffs.ts';

export interface WorkspaceOptions {
  readonly repository: Repository;
  /** Where the agent works; the repository's own top or a worktree. */
  readonly root: string;
  /** The git directory of that checkout. */
  readonly gitDir: string;
  readonly branch: string;
  /** An index of our own: what the agent stages, or a lock a killed git left behind, is not in the way. */
  readonly index: string;
  /** A file that names the newest commit the runner itself put on the branch. */
  readonly accepted: string;
  readonly author: Author;
  /** Objects may be written without git: no setting changes what they hold or who may read them. */
  readonly plainObjects: boolean;
  /** Some commit of the repository, where one is known: it tells which hash is used. */
  readonly commit?: string;
}

/** A pattern, because git (2.39 at least) refuses to add anything where a plain excluded path is in .gitignore as well. */
const NOT_OURS = [':(exclude).ralp[h]', ':(exclude).ralp[h]/*'];

const PATCH_BYTES = 2 * 1024 * 1024;
const DIFF = ['-r', '--raw', '--numstat', '-p', '-z', '--no-renames', '--no-ext-diff', '--no-textconv'];
const SUBMODULE = '160000';
const TREES_KEPT = 8;

export class Workspace {
  readonly root: string;
  readonly branch: string;
  readonly repository: Repository;
  readonly #options: WorkspaceOptions;
  readonly #gitDir: string;
  readonly #index: string;
  readonly #accepted: string;
  readonly #git: Git;
  /** What has to be on disk before it is recorded. */
  readonly onDisk: ObjectsOnDisk;
  /** Trees apart from the work tree. */
  readonly trees: OtherTrees;
  readonly #diffs: TreeDiffs;
  readonly #refs: OwnRefs;
  readonly #author: Author;
  readonly #plainObjects: boolean;
  /** The newest commits whose trees were asked for; a commit never changes. */
  readonly #trees = new Map<string, string>();
  #showing: Promise<void> = Promise.resolve();
  /** Undefined until an id has told which hash the repository uses. */
  #own: OwnIndex | undefined;

  constructor(options: WorkspaceOptions) {
    const { repository, root, gitDir, branch, index, accepted, author, plainObjects, commit } = options;
    this.#options = options;
    this.repository = repository;
    this.root = root;
    this.branch = branch;
    this.#gitDir = gitDir;
    this.#index = index;
    this.#accepted = accepted;
    this.#author = author;
    this.#plainObjects = plainObjects;
    this.#git = repository.git.with({ GIT_INDEX_FILE: index, GIT_DIR: gitDir, GIT_WORK_TREE: root });
    this.#diffs = new TreeDiffs(this.#git, { flags: DIFF, maxBytes: PATCH_BYTES });
    this.onDisk = new ObjectsOnDisk(join(repository.commonDir, 'objects'));
    this.#refs = new OwnRefs({ git: this.#git, repository, gitDir, onDisk: this.onDisk });
    this.trees = new OtherTrees(this.#git, index);
    if (plainObjects && commit) this.#own = new OwnIndex(index, this.#store(commit));
  }

  get ref(): string {
    return `refs/heads/${this.branch}`;
  }

  /** Starts from the checkout's own index, so that unchanged files need not be read again. */
  async prepare(): Promise<Result<void>> {
    rmSync(`${this.#index}.lock`, { force: true });
    if (existsSync(this.#index)) return ok(undefined);
    if (existsSync(this.#shownIndex)) {
      await copyIndex(this.#shownIndex, this.#index);
      return ok(undefined);
    }
    const read = await this.#git.text('read-tree', 'HEAD');
    return read.ok ? ok(undefined) : read;
  }

  /** Once, before anything is built on it: this commit, with what a person did in git a moment ago, reaches the disk. */
  flushGround(tip: string): void {
    const { commonDir } = this.repository;
    this.onDisk.believe(tip, () => flushStart({ commonDir, gitDir: this.#gitDir, root: this.root }));
  }

  async tip(): Promise<Result<string>> {
    const loose = refInFiles(this.repository, this.ref);
    return loose ? ok(loose) : await this.#git.text('rev-parse', '--verify', `${this.ref}^{commit}`);
  }

  async treeOf(commit: string): Promise<Result<string>> {
    const known = this.#trees.get(commit);
    if (known) return ok(known);
    const { commonDir } = this.repository;
    // Git shows another object in the place of one that was replaced.
    const isPlain = this.#plainObjects && !existsSync(join(commonDir, 'refs', 'replace'));
    const loose = isPlain ? treeOfLoose(join(commonDir, 'objects'), commit) : undefined;
    const tree = loose ? ok(loose) : await this.#git.text('rev-parse', '--verify', `${commit}^{tree}`);
    if (tree.ok) this.#remember(commit, tree.value);
    return tree;
  }

  /** Everything in the work tree that git does not ignore, as a tree. */
  async snapshot(): Promise<Result<string>> {
    const added =
      this.#own?.holdsRepositories === false
        ? await this.#git.run({ args: ['add', '-A', '--', '.', ...NOT_OURS] })
        : await this.#addWithoutLookingInside();
    if (!added.ok) return added;
    return await this.#writeTree();
  }

  /** What is in the work tree and not in the last snapshot; a folder without anything of it ends in `/`. */
  async notInSnapshot(): Promise<Result<readonly string[]>> {
    const listed = await this.#git.run({ args: ['ls-files', '-z', '-o', '--directory', '--', '.', ...NOT_OURS] });
    return listed.ok ? ok(listed.value.toString('utf8').split('\0').filter(Boolean)) : listed;
  }

  /** The index knows these files of the last snapshot as they are now, times and all. */
  async lookAgain(paths: readonly string[]): Promise<Result<void>> {
    const input = Buffer.from(paths.map(path => `${path}\0`).join(''));
    const added = await this.#git.run({ args: ['update-index', '-z', '--stdin'], input });
    return added.ok ? ok(undefined) : added;
  }

  /** Every path of the last snapshot. */
  async pathsInSnapshot(): Promise<Result<ReadonlySet<string>>> {
    const listed = await this.#git.run({ args: ['ls-files', '-z', '--cached'] });
    return listed.ok ? ok(new Set(listed.value.toString('utf8').split('\0').filter(Boolean))) : listed;
  }

  /** What somebody did to the work tree since the last snapshot. */
  async sinceSnapshot(): Promise<Result<SinceSnapshot>> {
    return await sinceSnapshot(this.#git, NOT_OURS);
  }

  /** Files that differ from the last snapshot, or are new since. */
  async touched(): Promise<Result<readonly string[]>> {
    const args = ['ls-files', '-z', '-m', '-d', '-o', '--exclude-standard', '--', '.', ...NOT_OURS];
    const listed = await this.#git.run({ args });
    return listed.ok ? ok([...new Set(listed.value.toString('utf8').split('\0').filter(Boolean))]) : listed;
  }

  async diff(from: string, to: string): Promise<Result<Diff>> {
    if (from === to) return ok({ changes: [], patch: '' });
    const quick = await this.#diffs.of(from, to);
    if (quick) {
      const diff = parseDiff(quick);
      if (!diff.changes.some(isAttributes)) return ok(diff);
      this.#diffs.close();
    }
    const out = await this.#git.run({ args: ['diff-tree', ...DIFF, from, to], maxBytes: PATCH_BYTES });
    if (!out.ok) return out;
    if (out.value.length < PATCH_BYTES) return ok(parseDiff(out.value));
    // Too large to show whole: the list must still be complete, because guards decide on it.
    const list = await this.#git.run({ args: ['diff-tree', ...DIFF.filter(flag => flag !== '-p'), from, to] });
    if (!list.ok) return list;
    return ok({ changes: parseDiff(list.value).changes, patch: `${parseDiff(out.value).patch}\n… (cut at 2 MiB)\n` });
  }

  /** Nothing of git's goes on after this; the next call starts it anew. */
  close(): void {
    this.#diffs.close();
  }

  /** Whether the checkout is on the run's branch. */
  isCheckedOut(): boolean {
    return readText(join(this.#gitDir, 'HEAD'))?.trim() === `ref: ${this.ref}`;
  }

  /** The index holds this tree again; the work tree stays as it is. */
  async forget(tree: string): Promise<Result<void>> {
    const read = await this.#git.text('read-tree', tree);
    return read.ok ? ok(undefined) : read;
  }

  /** Both sides of changed files, and other objects by name. */
  async contents(changes: readonly Change[], also: readonly string[] = []): Promise<Result<Contents>> {
    const objects = join(this.repository.commonDir, 'objects');
    return await readContents({ git: this.#git, objects, changes, also });
  }

  /** Test files of a tree that hold one of these texts. */
  async testsWith(tree: string, texts: readonly string[]): Promise<Result<ReadonlyMap<string, string>>> {
    return await searchTests(this.#git, tree, texts);
  }

  /** Makes the work tree hold exactly this tree; files that git ignores stay. Follows a snapshot. */
  async restore(tree: string, undone: readonly Change[] = []): Promise<Result<void>> {
    if (undone.some(isAttributes)) this.#diffs.close();
    this.#moveRepositoriesOut(undone);
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
    if (tree) return ok(tree);
    const added = await this.#git.run({ args: ['add', '--', path] });
    if (!added.ok) return added;
    return await this.#writeTree();
  }

  /** The tree of the last snapshot with these files as they are now. */
  async treeWithFiles(paths: readonly string[], { ignored }: { ignored?: 'too' } = {}): Promise<Result<string>> {
    const list = Buffer.from(paths.join('\0'));
    const force = ignored ? ['-f'] : [];
    const args = ['--literal-pathspecs', 'add', ...force, '--pathspec-from-file=-', '--pathspec-file-nul'];
    const added = await this.#git.run({ args, input: list });
    if (!added.ok) return added;
    return await this.#writeTree();
  }

  /** Gives a folder with a tree's files the history of a commit, in a git directory of its own. */
  async lendHistory(folder: string, { commit, hidden }: Pick<Borrowed, 'commit' | 'hidden'>): Promise<Result<void>> {
    return await borrowHistory({ git: this.#git, commonDir: this.repository.commonDir, folder, commit, hidden });
  }

  /**
   * Commits a tree on the branch by compare-and-swap: whoever moved the branch meanwhile is not overwritten. On disk before
   * the branch names it, with the files that were written for it.
   */
  async commit(commit: Commit, files: readonly string[] = []): Promise<Result<string>> {
    const made = await this.#commitObject(commit);
    if (!made.ok) return made;
    const flushed = await this.onDisk.commit(made.value, files);
    if (!flushed.ok) return flushed;
    const moved = await this.#moveBranch(made.value, commit.parent);
    // A git that outlived its runner may have made the very same move meanwhile.
    if (!moved.ok && refInFiles(this.repository, this.ref) !== made.value) return moved;
    this.#noteAccepted(made.value);
    this.#showing = this.#show();
    this.#remember(made.value, commit.tree);
    return made;
  }

  /** The newest commit the runner itself put on the branch: known even where the journal has lost its end. */
  accepted(): string | undefined {
    const text = readText(this.#accepted)?.trim();
    return text && /^[0-9a-f]{40,64}$/.test(text) ? text : undefined;
  }

  /** Keeps a tree reachable under a ref of the run's own; a name that is taken gets the suffix. */
  async setAside(ref: string, suffix: string, commit: Commit): Promise<Result<string>> {
    const made = await this.#commitObject(commit);
    return made.ok ? await this.#refs.keep(made.value, ref, suffix) : made;
  }

  /** A commit that no ref names; enough to merge it. */
  async looseCommit(commit: Commit): Promise<Result<string>> {
    return await this.#commitObject(commit);
  }

  /** The tree that a commit gives on top of another, of which it holds nothing; no checkout is touched. */
  async merged(into: string, from: string): Promise<Result<Merged>> {
    return await mergeOnto(this.#git, into, from);
  }

  /** The branch of a worker's own is where the run's is; its files are another matter. */
  async follow(commit: string): Promise<Result<void>> {
    const now = refInFiles(this.repository, this.ref) ?? '';
    return now === commit ? ok(undefined) : await this.#moveBranch(commit, now);
  }

  /** The same repository, author and rules in another checkout. */
  beside(place: Pick<WorkspaceOptions, 'root' | 'gitDir' | 'branch' | 'index' | 'accepted'>): Workspace {
    return new Workspace({ ...this.#options, ...place });
  }

  /** Notes what makes this a checkout of its repository; what is given puts it back, and says what was not as it had been. */
  holdCheckout(aside: string): () => readonly string[] {
    const names = ['gitdir', 'commondir', 'config.worktree'];
    const kept = new KeptFiles({ paths: [join(this.root, '.git'), ...names.map(name => join(this.#gitDir, name))] });
    kept.note();
    return () => {
      for (const folder of [this.root, this.#gitDir]) mkdirSync(folder, { recursive: true });
      return kept.putBack(aside).map(({ path }) => `${path} was changed while the agent worked; it was put back`);
    };
  }

  /**
   * After the agent: HEAD is on the run's branch, the branch is where the runner left it, nothing is half done. What the
   * agent had committed stays reachable under `ref`.
   */
  async settle(base: string, ref: string): Promise<Result<readonly string[]>> {
    return await settle({
      branch: this.ref,
      base,
      tip: await this.tip(),
      isCheckedOut: this.isCheckedOut(),
      ref,
      refs: this.#refs,
      gitDir: this.#gitDir,
    });
  }

  /** The checkout's own index follows ours, so that a person's `git status` shows what is true. */
  async syncIndex(): Promise<void> {
    await this.#showing;
    await this.#show();
  }

  /** Files of the work tree that agents wrote since a commit, and the index: they never wait for the disk themselves. */
  async flushFiles(since: string): Promise<Result<void>> {
    const tip = await this.tip();
    const [from, to] = tip.ok ? [await this.treeOf(since), await this.treeOf(tip.value)] : [tip, tip];
    const diff = from.ok && to.ok ? await this.diff(from.value, to.value) : undefined;
    const paths = diff?.ok ? diff.value.changes.filter(change => change.after !== undefined) : [];
    return await orSystemFailure(async () =>
      ok(await flush([this.#shownIndex, ...paths.map(({ path }) => join(this.root, path))])),
    );
  }

  /** Until the checkout shows the last commit. */
  async shown(): Promise<void> {
    await this.#showing;
  }

  get #shownIndex(): string {
    return join(this.#gitDir, 'index');
  }

  /** Somebody who holds the index, or a disk that refuses, makes it show less; nothing depends on it. */
  async #show(): Promise<void> {
    if (!existsSync(`${this.#shownIndex}.lock`)) await copyIndex(this.#index, this.#shownIndex).catch(() => undefined);
  }

  /** Items that this run finished between two commits, oldest first. */
  async itemsBetween(range: Range): Promise<Result<readonly ItemCommit[]>> {
    return await itemsBetween(this.#git, range);
  }

  /** Paths below these that a commit holds. */
  async namesIn(commit: string, below: readonly string[]): Promise<Result<readonly string[]>> {
    const listed = await this.#git.run({ args: ['ls-tree', '-r', '-z', '--name-only', commit, '--', ...below] });
    return listed.ok ? ok(listed.value.toString('utf8').split('\0').filter(Boolean)) : listed;
  }

  async parentOf(commit: string): Promise<string | undefined> {
    const parent = await this.#git.text('rev-parse', '-q', '--verify', `${commit}^1`);
    return parent.ok ? parent.value : undefined;
  }

  async isIgnored(path: string): Promise<boolean> {
    // What git keeps, it does not ignore.
    if (this.#own?.holds(path)) return false;
    return (await this.#git.text('check-ignore', '-q', '--', path)).ok;
  }

  /** Whether `commit` is there and an ancestor of (or equal to) `of`. */
  async isAncestor(commit: string, of: string): Promise<boolean> {
    return (await this.#git.text('merge-base', '--is-ancestor', commit, of)).ok;
  }

  async #addWithoutLookingInside(): Promise<Result<Buffer>> {
    const added = await addWithoutLookingInside({ git: this.#git, root: this.root, paths: ['.', ...NOT_OURS] });
    // Files with another time and the same content: from here on their times count. It fails where something still differs.
    if (added.ok) await this.#git.run({ args: ['update-index', '-q', '--refresh'] });
    return added;
  }

  async #reset(tree: string): Promise<Result<void>> {
    const putBack = await keepOwnFiles(this.#git, this.root);
    const read = await this.#git.text('read-tree', '--reset', '-u', tree);
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
    if (tree) return ok(tree);
    const made = await this.#git.text('write-tree');
    if (made.ok && this.#plainObjects) this.#own ??= new OwnIndex(this.#index, this.#store(made.value));
    return made;
  }

  #store(id: string) {
    return { folder: join(this.repository.commonDir, 'objects'), algorithm: algorithmOf(id) };
  }

  async #commitObject(commit: Commit): Promise<Result<string>> {
    const store = this.#plainObjects ? this.#store(commit.tree) : undefined;
    return await makeCommit(commit, { git: this.#git, author: this.#author, store });
  }

  #noteAccepted(commit: string): void {
    // Only needed when the journal is damaged, so it need not survive more than the runner: not synced.
    writeOwnSoon(this.#accepted, `${commit}\n`);
  }

  #remember(commit: string, tree: string): void {
    this.#trees.set(commit, tree);
    const [oldest] = this.#trees.keys();
    if (this.#trees.size > TREES_KEPT && oldest !== undefined) this.#trees.delete(oldest);
  }

  async #moveBranch(to: string, from: string): Promise<Result<void>> {
    const { commonDir } = this.repository;
    const places = { commonDir, gitDir: this.#gitDir, ref: this.ref };
    if (moveBranch({ ...places, to, from, author: this.#author, now: Date.now() })) return ok(undefined);
    return await this.#refs.update(this.ref, to, from);
  }
}

/** It decides what is text. */
const isAttributes = ({ path }: Change): boolean => /(^|\/)\.gitattributes$/.test(path);
