/**
 * The tree an agent works in, and the branch its accepted work goes to. What counts is the tree: an agent that commits,
 * amends, switches branch or resets by itself changes nothing about what is looked at or kept.
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Change } from '../protocol.ts';
import { keepNewest } from '../util/bounded.ts';
import { readText, writeOwnInPlace } from '../util/files.ts';
import { flush } from '../util/flush.ts';
import { attempt, ok, type Result } from '../util/result.ts';
import { orSystemFailure } from '../util/system-error.ts';
import { type Borrowed, borrowHistory } from './borrowed-history.ts';
import type { Author, Commit } from './commit-object.ts';
import { flushStart } from './flush-start.ts';
import { type FolderIdentity, folderIdentity, isSameFolder } from './folder-identity.ts';
import { holdCheckout } from './hold-checkout.ts';
import { InnerRepositories } from './inner-trees.ts';
import { type ItemCommit, itemsBetween, type Range } from './item-commits.ts';
import { treeOfLoose } from './loose-objects.ts';
import { makeCommit } from './make-commit.ts';
import { type Merged, mergeOnto } from './merging.ts';
import { moveBranch, overwriteBranch, writeNext } from './move-branch.ts';
import { ObjectsOnDisk } from './on-disk.ts';
import { OwnRefs } from './own-refs.ts';
import { refInFiles } from './repository.ts';
import { settle } from './settle.ts';
import { WorkTree, type WorkTreeOptions } from './work-tree.ts';

export interface WorkspaceOptions extends WorkTreeOptions {
  readonly branch: string;
  /** A file that names the newest commit the runner itself put on the branch. */
  readonly accepted: string;
  readonly author: Author;
}

export interface CommitOptions {
  /** Files that were written for the commit, on their way to the disk. */
  readonly flushing?: Promise<Result<void>>;
  /** Done while the disk is waited for. */
  readonly beside?: (commit: string) => void;
}

/** The branch may have been left, or be there and rewritten. */
export interface Strayed {
  readonly commit: string;
  readonly isOnBranch: boolean;
}

interface Moving {
  readonly from: string;
  readonly onto: string;
  readonly at: number;
}

const TREES_KEPT = 8;

export class Workspace extends WorkTree {
  readonly branch: string;
  /** What has to be on disk before it is recorded. */
  readonly onDisk: ObjectsOnDisk;
  /** What is in submodules, of which a tree holds only the commits. */
  readonly inner: InnerRepositories;
  readonly #options: WorkspaceOptions;
  readonly #refs: OwnRefs;
  /** The newest commits whose trees were asked for; a commit never changes. */
  readonly #trees = new Map<string, string>();
  #folder: FolderIdentity | undefined;

  constructor(options: WorkspaceOptions) {
    super(options);
    const { repository, gitDir, branch } = options;
    this.#options = options;
    this.branch = branch;
    this.onDisk = new ObjectsOnDisk(join(repository.commonDir, 'objects'));
    this.inner = new InnerRepositories(options, () => this.innerRepositories());
    this.#refs = new OwnRefs({ git: this.git, repository, gitDir, onDisk: this.onDisk });
    this.believeFolder();
  }

  /** The folder of the work tree is the one that is there now. */
  believeFolder(): void {
    this.#folder = folderIdentity(this.root);
  }

  /** Somebody deleted the folder since, whether there is another one now or not. */
  get isFolderGone(): boolean {
    return this.#folder !== undefined && !isSameFolder(this.#folder, folderIdentity(this.root));
  }

  get ref(): string {
    return `refs/heads/${this.branch}`;
  }

  /** Once, before anything is built on it: this commit, with what a person did in git a moment ago, reaches the disk. */
  flushGround(tip: string): void {
    const { commonDir } = this.repository;
    this.onDisk.believe(tip, () => flushStart({ commonDir, gitDir: this.gitDir, root: this.root }));
  }

  async tip(): Promise<Result<string>> {
    const loose = refInFiles(this.repository, this.ref);
    return loose ? ok(loose) : await this.git.text('rev-parse', '--verify', `${this.ref}^{commit}`);
  }

  async treeOf(commit: string): Promise<Result<string>> {
    const known = this.#trees.get(commit);
    if (known) return ok(known);
    const loose = this.plainObjects ? treeOfLoose(join(this.repository.commonDir, 'objects'), commit) : undefined;
    const tree = loose ? ok(loose) : await this.git.text('rev-parse', '--verify', `${commit}^{tree}`);
    if (tree.ok) this.#remember(commit, tree.value);
    return tree;
  }

  /** Whether the checkout is on the run's branch. */
  isCheckedOut(): boolean {
    return readText(join(this.gitDir, 'HEAD'))?.trim() === `ref: ${this.ref}`;
  }

  /** Gives a folder with a tree's files the history of a commit, in a git directory of its own. */
  async lendHistory(folder: string, { commit, hidden }: Pick<Borrowed, 'commit' | 'hidden'>): Promise<Result<void>> {
    return await borrowHistory({ git: this.git, commonDir: this.repository.commonDir, folder, commit, hidden });
  }

  /**
   * Commits a tree on the branch by compare-and-swap: whoever moved the branch meanwhile is not overwritten. On disk before
   * the branch names it, and not before `flushing` is over.
   */
  async commit(commit: Commit, { flushing, beside }: CommitOptions = {}): Promise<Result<string>> {
    const made = await this.looseCommit(commit);
    if (!made.ok) return made;
    // What the branch is to be goes to the disk with what it names, in one go.
    const next = attempt(() => writeNext(this.gitDir, made.value));
    const flushed = this.onDisk.commit(made.value, next === undefined ? [] : [next]);
    attempt(() => beside?.(made.value));
    for (const each of [await flushed, await flushing]) {
      if (each === undefined || each.ok) continue;
      if (next !== undefined) rmSync(next, { force: true });
      return each;
    }
    const moved = await this.#moveBranch(made.value, commit.parent, next);
    // A git that outlived its runner may have made the very same move meanwhile.
    if (!moved.ok && refInFiles(this.repository, this.ref) !== made.value) return moved;
    this.#noteAccepted(made.value);
    this.showSoon();
    this.#remember(made.value, commit.tree);
    return made;
  }

  /** The newest commit the runner itself put on the branch: known even where the journal has lost its end. */
  accepted(): string | undefined {
    const text = readText(this.#options.accepted)?.trim();
    return text && /^[0-9a-f]{40,64}$/.test(text) ? text : undefined;
  }

  override async notInSnapshot(): Promise<Result<readonly string[]>> {
    const [here, inner] = [await super.notInSnapshot(), await this.inner.ignored()];
    return here.ok && inner.ok ? ok([...here.value, ...inner.value]) : here.ok ? inner : here;
  }

  override async checkIndex(): Promise<Result<boolean>> {
    const [own, inner] = [await super.checkIndex(), await this.inner.checkIndexes()];
    return own.ok && inner.ok ? ok(own.value || inner.value) : own.ok ? inner : own;
  }

  override async restore(tree: string, undone: readonly Change[] = []): Promise<Result<void>> {
    const restored = await super.restore(tree, undone);
    return restored.ok ? await this.inner.follow(undone) : restored;
  }

  /** Keeps a tree reachable under a ref of the run's own; a name that is taken gets the suffix. */
  async setAside(ref: string, suffix: string, commit: Commit): Promise<Result<string>> {
    const made = await this.looseCommit(commit);
    return made.ok ? await this.#refs.keep(made.value, ref, suffix) : made;
  }

  /** A commit that no ref names; enough to merge onto it. */
  async looseCommit(commit: Commit): Promise<Result<string>> {
    const store = this.plainObjects ? this.storeFor(commit.tree) : undefined;
    return await makeCommit(commit, { git: this.git, author: this.#options.author, store });
  }

  /** The tree that work gives on top of a commit that is built on the same one as the work; no checkout is touched. */
  async merged(into: string, work: Commit): Promise<Result<Merged>> {
    const from = await this.looseCommit(work);
    return from.ok ? await mergeOnto(this.git, into, from.value) : from;
  }

  /**
   * The commit that somebody checked out instead of `base`, if it does not contain it: all files are those of that commit, so what `base`
   * has more is missing although nobody removed it.
   */
  async strayedTo(base: string): Promise<Strayed | undefined> {
    const isOnBranch = this.isCheckedOut();
    if (isOnBranch && refInFiles(this.repository, this.ref) === base) return undefined;
    const head = await this.git.text('rev-parse', '-q', '--verify', 'HEAD^{commit}');
    if (!head.ok || (await this.isAncestor(base, head.value))) return undefined;
    return { commit: head.value, isOnBranch };
  }

  /** The changes of a tree to a commit, on top of another commit; no checkout is touched. */
  async moved(tree: string, { from, onto, at }: Moving): Promise<Result<Merged>> {
    const there = await this.treeOf(onto);
    if (!there.ok) return there;
    const isBehind = await this.isAncestor(from, onto);
    // Where neither holds the other, `from` may be `onto` with changes (an amended commit), so it is no base of both.
    const message = 'what was checked out meanwhile\n';
    const into = isBehind ? await this.looseCommit({ tree: there.value, parent: from, message, at }) : ok(onto);
    return into.ok ? await this.merged(into.value, { tree, parent: from, message, at }) : into;
  }

  /** The branch of a worker's own is where the run's is; its files are another matter. */
  async follow(commit: string): Promise<Result<void>> {
    const now = refInFiles(this.repository, this.ref) ?? '';
    if (now === commit) return ok(undefined);
    const { commonDir } = this.repository;
    const moved = this.isCheckedOut() && overwriteBranch({ commonDir, ref: this.ref, to: commit, from: now });
    return moved ? ok(undefined) : await this.#moveBranch(commit, now);
  }

  /** The same repository, author and rules in another checkout. */
  beside(place: Pick<WorkspaceOptions, 'root' | 'gitDir' | 'branch' | 'index' | 'accepted'>): Workspace {
    return new Workspace({ ...this.#options, ...place, diffs: this.diffs });
  }

  /** Notes what makes this a checkout of its repository; what is given puts it back. */
  holdCheckout(aside: string): () => readonly string[] {
    return holdCheckout({ root: this.root, gitDir: this.gitDir }, aside);
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
      gitDir: this.gitDir,
    });
  }

  /** Files of the work tree that agents wrote since a commit, and the index: they never wait for the disk themselves. */
  async flushFiles(since: string): Promise<Result<void>> {
    const tip = await this.tip();
    const [from, to] = tip.ok ? [await this.treeOf(since), await this.treeOf(tip.value)] : [tip, tip];
    const diff = from.ok && to.ok ? await this.diff(from.value, to.value) : undefined;
    const paths = diff?.ok ? diff.value.changes.filter(change => change.after !== undefined) : [];
    return await orSystemFailure(async () =>
      ok(await flush([this.shownIndex, ...paths.map(({ path }) => join(this.root, path))])),
    );
  }

  /** Items that this run finished between two commits, oldest first. */
  async itemsBetween(range: Range): Promise<Result<readonly ItemCommit[]>> {
    return await itemsBetween(this.git, range);
  }

  /** Paths below these that a commit holds. */
  async namesIn(commit: string, below: readonly string[]): Promise<Result<readonly string[]>> {
    return await this.git.list('ls-tree', '-r', '-z', '--name-only', commit, '--', ...below);
  }

  async parentOf(commit: string): Promise<string | undefined> {
    const parent = await this.git.text('rev-parse', '-q', '--verify', `${commit}^1`);
    return parent.ok ? parent.value : undefined;
  }

  /** Whether `commit` is there and an ancestor of (or equal to) `of`. */
  async isAncestor(commit: string, of: string): Promise<boolean> {
    return (await this.git.text('merge-base', '--is-ancestor', commit, of)).ok;
  }

  #noteAccepted(commit: string): void {
    // Only needed when the journal is damaged, so it need not survive more than the runner: not synced.
    writeOwnInPlace(this.#options.accepted, `${commit}\n`);
  }

  #remember(commit: string, tree: string): void {
    this.#trees.set(commit, tree);
    keepNewest(this.#trees, TREES_KEPT);
  }

  /** `next` is on the disk already. */
  async #moveBranch(to: string, from: string, next?: string): Promise<Result<void>> {
    const { commonDir } = this.repository;
    const places = { commonDir, gitDir: this.gitDir, ref: this.ref, ...(next === undefined ? {} : { next }) };
    const { author } = this.#options;
    if (await moveBranch({ ...places, to, from, author, now: Date.now() })) return ok(undefined);
    return await this.#refs.update(this.ref, to, from);
  }
}
