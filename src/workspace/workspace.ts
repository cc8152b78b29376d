/**
 * The tree an agent works in, and the branch its accepted work goes to. What counts is the tree: an agent that commits,
 * amends, switches branch or resets by itself changes nothing about what is looked at or kept.
 */
import { copyFileSync, existsSync, readlinkSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Change } from '../protocol.ts';
import { readText } from '../util/files.ts';
import { type Failure, fail, ok, type Result } from '../util/result.ts';
import { type Diff, parseDiff } from './diff.ts';
import type { Git } from './git.ts';
import { halfDoneFiles, looseRef, type Repository } from './repository.ts';

export interface WorkspaceOptions {
  readonly repository: Repository;
  /** Where the agent works; the repository's own top or a worktree. */
  readonly root: string;
  /** The git directory of that checkout. */
  readonly gitDir: string;
  readonly branch: string;
  /** An index of our own: what the agent stages, or a lock a killed git left behind, is not in the way. */
  readonly index: string;
  readonly author: { readonly name: string; readonly email: string };
}

export interface Commit {
  readonly tree: string;
  readonly parent: string;
  readonly message: string;
  /** Epoch milliseconds from the journal: the same record always makes the same commit. */
  readonly at: number;
}

const PATCH_BYTES = 2 * 1024 * 1024;
const DURABLE = ['-c', 'core.fsync=reference'];

export class Workspace {
  readonly root: string;
  readonly branch: string;
  readonly repository: Repository;
  readonly #gitDir: string;
  readonly #index: string;
  readonly #git: Git;
  readonly #author: WorkspaceOptions['author'];

  constructor({ repository, root, gitDir, branch, index, author }: WorkspaceOptions) {
    this.repository = repository;
    this.root = root;
    this.branch = branch;
    this.#gitDir = gitDir;
    this.#index = index;
    this.#author = author;
    this.#git = repository.git.with({ GIT_INDEX_FILE: index, GIT_DIR: gitDir, GIT_WORK_TREE: root });
  }

  get ref(): string {
    return `refs/heads/${this.branch}`;
  }

  /** Starts from the checkout's own index, so that unchanged files need not be read again. */
  async prepare(): Promise<Result<void>> {
    rmSync(`${this.#index}.lock`, { force: true });
    if (existsSync(this.#index)) return ok(undefined);
    if (existsSync(join(this.#gitDir, 'index'))) {
      copyFileSync(join(this.#gitDir, 'index'), this.#index);
      return ok(undefined);
    }
    const read = await this.#git.text('read-tree', 'HEAD');
    return read.ok ? ok(undefined) : read;
  }

  async tip(): Promise<Result<string>> {
    const loose = looseRef(this.repository, this.ref);
    return loose ? ok(loose) : await this.#git.text('rev-parse', '--verify', `${this.ref}^{commit}`);
  }

  async treeOf(commit: string): Promise<Result<string>> {
    return await this.#git.text('rev-parse', '--verify', `${commit}^{tree}`);
  }

  /** Everything in the work tree that git does not ignore, as a tree. */
  async snapshot(): Promise<Result<string>> {
    const added = await this.#git.run({ args: ['add', '-A', '--', '.', ':(exclude).ralph'] });
    if (!added.ok) return added;
    return await this.#git.text('write-tree');
  }

  /** Whether a gate left the work tree different from the last snapshot. */
  async changedSinceSnapshot(): Promise<Result<boolean>> {
    const args = ['ls-files', '-z', '-m', '-o', '--exclude-standard', '--', '.', ':(exclude).ralph'];
    const listed = await this.#git.run({ args });
    return listed.ok ? ok(listed.value.length > 0) : listed;
  }

  async diff(from: string, to: string): Promise<Result<Diff>> {
    if (from === to) return ok({ changes: [], patch: '' });
    const flags = ['-r', '--raw', '--numstat', '-p', '-z', '--no-renames', '--no-ext-diff', '--no-textconv'];
    const out = await this.#git.run({ args: ['diff-tree', ...flags, from, to], maxBytes: PATCH_BYTES });
    if (!out.ok) return out;
    if (out.value.length < PATCH_BYTES) return ok(parseDiff(out.value));
    // Too large to show whole: the list must still be complete, because guards decide on it.
    const list = await this.#git.run({ args: ['diff-tree', ...flags.filter(flag => flag !== '-p'), from, to] });
    if (!list.ok) return list;
    return ok({ changes: parseDiff(list.value).changes, patch: `${parseDiff(out.value).patch}\n… (cut at 2 MiB)\n` });
  }

  /** Makes the work tree hold exactly this tree; files that git ignores stay. Follows a snapshot. */
  async restore(tree: string, undone: readonly Change[] = []): Promise<Result<void>> {
    const read = await this.#git.text('read-tree', '--reset', '-u', tree);
    if (!read.ok) return read;
    if (!undone.some(change => /(^|\/)\.gitignore$/.test(change.path))) return ok(undefined);
    // An ignore file that is gone again may have hidden other files from the snapshot.
    const again = await this.snapshot();
    if (!again.ok) return again;
    const settled = await this.#git.text('read-tree', '--reset', '-u', tree);
    return settled.ok ? ok(undefined) : settled;
  }

  /** The tree with one file replaced; used for the runner's own mark in the plan. */
  async treeWithFile(path: string): Promise<Result<string>> {
    const added = await this.#git.run({ args: ['add', '--', path] });
    if (!added.ok) return added;
    return await this.#git.text('write-tree');
  }

  /** Commits a tree on the branch by compare-and-swap: whoever moved the branch meanwhile is not overwritten. */
  async commit(commit: Commit): Promise<Result<string>> {
    const made = await this.#commitObject(commit);
    if (!made.ok) return made;
    const moved = await this.#updateRef(this.ref, made.value, commit.parent);
    if (!moved.ok) return moved;
    this.syncIndex();
    return made;
  }

  /** Keeps a tree reachable under a ref of the run's own; a name that is taken gets the suffix. */
  async setAside(ref: string, suffix: string, commit: Commit): Promise<Result<string>> {
    const made = await this.#commitObject(commit);
    if (!made.ok) return made;
    const none = '0'.repeat(made.value.length);
    for (const name of [ref, `${ref}-${suffix}`]) {
      const existing = looseRef(this.repository, name);
      if (existing === made.value) return ok(name);
      if (existing) continue;
      const created = await this.#updateRef(name, made.value, none);
      if (created.ok) return ok(name);
    }
    const forced = `${ref}-${suffix}-${made.value.slice(0, 8)}`;
    const created = await this.#updateRef(forced, made.value, '');
    return created.ok ? ok(forced) : created;
  }

  /**
   * After the agent: HEAD is on the run's branch, the branch is where the runner left it, nothing is half done. What the
   * agent had committed stays reachable under `ref`.
   */
  async settle(base: string, ref: string): Promise<Result<readonly string[]>> {
    const notes: string[] = [];
    if (readText(join(this.#gitDir, 'HEAD'))?.trim() !== `ref: ${this.ref}`) {
      const head = await this.#git.text('symbolic-ref', 'HEAD', this.ref);
      if (!head.ok) return head;
      notes.push('the agent left the branch; HEAD was put back');
    }
    const tip = await this.tip();
    if (!tip.ok || tip.value !== base) {
      if (tip.ok) {
        const kept = await this.#updateRef(ref, tip.value, '');
        if (!kept.ok) return kept;
      }
      const back = await this.#updateRef(this.ref, base, tip.ok ? tip.value : '');
      if (!back.ok) return back;
      notes.push(
        tip.ok
          ? `the agent committed by itself; its commits are under ${ref}`
          : 'the agent deleted the branch; it was put back',
      );
    }
    for (const name of halfDoneFiles) {
      if (!existsSync(join(this.#gitDir, name))) continue;
      rmSync(join(this.#gitDir, name), { recursive: true, force: true });
      if (/HEAD$|^rebase/.test(name)) notes.push(`the agent left a half-done operation (${name}); it was ended`);
    }
    return ok(notes);
  }

  /** The checkout's own index follows ours, so that a person's `git status` shows what is true. */
  syncIndex(): void {
    const lock = join(this.#gitDir, 'index.lock');
    if (existsSync(lock)) return;
    const copy = join(this.#gitDir, 'index.ralph');
    copyFileSync(this.#index, copy);
    renameSync(copy, join(this.#gitDir, 'index'));
  }

  /** Commits of this run above `known` on the branch, oldest first. */
  async commitsSince(known: string, run: string): Promise<Result<readonly { commit: string; item: string }[]>> {
    const format =
      '%H%x1f%(trailers:key=Ralph-Run,valueonly,separator=%x2c)%x1f%(trailers:key=Ralph-Item,valueonly,separator=%x2c)%x1f%(trailers:key=Ralph-Done,valueonly,separator=%x2c)%x00';
    const log = await this.#git.text(
      'log',
      '--reverse',
      '--first-parent',
      `--format=${format}`,
      `${known}..${this.ref}`,
    );
    if (!log.ok) return log;
    return ok(
      log.value.split('\0').flatMap(entry => {
        const [commit, of, item, done] = entry.trim().split('\x1f');
        return commit && item && of === run && done !== 'no' ? [{ commit, item }] : [];
      }),
    );
  }

  async isIgnored(path: string): Promise<boolean> {
    return (await this.#git.text('check-ignore', '-q', '--no-index', '--', path)).ok;
  }

  /** Whether `commit` is there and an ancestor of (or equal to) `of`. */
  async isAncestor(commit: string, of: string): Promise<boolean> {
    return (await this.#git.text('merge-base', '--is-ancestor', commit, of)).ok;
  }

  linkTarget(path: string): string | undefined {
    try {
      return readlinkSync(join(this.root, path));
    } catch {
      return undefined;
    }
  }

  async #commitObject({ tree, parent, message, at }: Commit): Promise<Result<string>> {
    const date = `${Math.floor(at / 1000)} +0000`;
    const { name, email } = this.#author;
    const made = await this.#git.run({
      args: ['commit-tree', tree, '-p', parent, '-F', '-'],
      input: message,
      env: {
        GIT_AUTHOR_NAME: name,
        GIT_AUTHOR_EMAIL: email,
        GIT_COMMITTER_NAME: name,
        GIT_COMMITTER_EMAIL: email,
        GIT_AUTHOR_DATE: date,
        GIT_COMMITTER_DATE: date,
      },
    });
    return made.ok ? ok(made.value.toString('utf8').trim()) : made;
  }

  async #updateRef(ref: string, to: string, from: string): Promise<Result<void>> {
    const call = () =>
      this.#git.run({ args: [...DURABLE, 'update-ref', '-m', 'ralph', ref, to, ...(from ? [from] : [])] });
    let moved = await call();
    // A git that was killed while it moved one of our refs left its lock; ours are ours to clear, once it is old.
    for (let waited = 0; !moved.ok && isLocked(moved.error) && waited < 20; waited++) {
      clearStaleLock(join(this.repository.commonDir, `${ref}.lock`));
      await new Promise(resolve => setTimeout(resolve, 100));
      moved = await call();
    }
    if (moved.ok) return ok(undefined);
    return fail({
      ...moved.error,
      reason: 'ref-moved',
      hint: `Somebody else moved ${ref}. Look with: git log --oneline -5 ${ref}`,
    });
  }
}

const isLocked = (error: Failure): boolean =>
  /\.lock|cannot lock ref/i.test(error.message) && !/expected/.test(error.message);

function clearStaleLock(lock: string): void {
  try {
    if (Date.now() - statSync(lock).mtimeMs > 1000) rmSync(lock, { force: true });
  } catch {
    // Gone already.
  }
}

/** A ref-safe form of an item's id. */
export function attemptRef(run: string, item: string, attempt: number | string): string {
  const safe =
    item
      .replace(/[^A-Za-z0-9._-]+/g, '-')
      .replace(/\.{2,}/g, '.')
      .replace(/^[.-]+|[.-]+$|\.lock$/g, '') || 'item';
  return `refs/ralph/${run}/${safe}/${attempt}`;
}
