/** Two branches made one without touching any checkout, and what checkouts have that nobody committed. */
import { ok, type Result } from '../util/result.ts';
import { type Git, namesIn } from './git.ts';
import { type Repository, statusEntries } from './repository.ts';

export type Merged =
  /** There is nothing to merge. */
  | { readonly type: 'nothing' }
  /** The branch that is merged holds all of the other one. */
  | { readonly type: 'ahead'; readonly tree: string }
  | { readonly type: 'merged'; readonly tree: string }
  /** The tree has marks of the conflict in these files. */
  | { readonly type: 'conflict'; readonly tree: string; readonly paths: readonly string[] };

/** The tree that merging a commit into another gives; nothing is checked out or moved. */
export async function mergedTree(git: Git, into: string, from: string): Promise<Result<Merged>> {
  const base = await git.run({ args: ['merge-base', into, from], codes: [0, 1] });
  if (!base.ok) return base;
  const common = base.value.toString('utf8').trim();
  if (common === from) return ok({ type: 'nothing' });
  if (common === into) {
    const tree = await git.text('rev-parse', '--verify', `${from}^{tree}`);
    return tree.ok ? ok({ type: 'ahead', tree: tree.value }) : tree;
  }
  return await mergeOnto(git, into, from);
}

/** The same for two commits of which neither holds the other. */
export async function mergeOnto(git: Git, into: string, from: string): Promise<Result<Merged>> {
  const args = ['merge-tree', '--write-tree', '--no-messages', '--name-only', '-z', '--allow-unrelated-histories'];
  const merged = await git.run({ args: [...args, into, from], codes: [0, 1] });
  if (!merged.ok) return merged;
  const [tree = '', ...paths] = namesIn(merged.value);
  return ok(paths.length === 0 ? { type: 'merged', tree } : { type: 'conflict', tree, paths: [...new Set(paths)] });
}

/** Merging a commit would change nothing: it is an ancestor, or its changes are there as other commits (a squash). */
export async function isContained(git: Git, into: string, from: string): Promise<boolean> {
  const merged = await mergedTree(git, into, from);
  if (!merged.ok || merged.value.type === 'conflict') return false;
  if (merged.value.type === 'nothing') return true;
  const tree = await git.text('rev-parse', '--verify', `${into}^{tree}`);
  return tree.ok && tree.value === merged.value.tree;
}

export interface Checkout {
  readonly path: string;
  /** Empty where HEAD is on no branch. */
  readonly branch: string;
}

/** Every checkout of a repository, the first one first; not those whose folder somebody deleted. */
export async function checkouts(repository: Repository): Promise<Result<readonly Checkout[]>> {
  const { git, root, gitDir, commonDir } = repository;
  const listed = await git.run({ args: ['worktree', 'list', '--porcelain', '-z'] });
  if (!listed.ok) return listed;
  const blocks = listed.value.toString('utf8').split('\0\0').filter(Boolean);
  return ok(
    blocks.flatMap((block, index) => {
      const lines = block.split('\0');
      if (lines.some(line => /^prunable(?: |$)/.test(line))) return [];
      const value = (key: string) => lines.find(line => line.startsWith(`${key} `))?.slice(key.length + 1) ?? '';
      // Of the first one git derives the path from its git directory, which may lie elsewhere (`--separate-git-dir`, submodules).
      const path = index === 0 && gitDir === commonDir ? root : value('worktree');
      return [{ path, branch: value('branch').replace(/^refs\/heads\//, '') }];
    }),
  );
}

/** What a person has not committed in a checkout; files that git does not know count as well. */
export async function uncommitted(git: Git, path: string): Promise<Result<readonly string[]>> {
  const status = await git.list('-C', path, 'status', '--porcelain', '-z', '--untracked-files=all');
  if (!status.ok) return status;
  const paths = statusEntries(status.value).map(({ path }) => path);
  return ok(paths.filter(path => !/^\.ralph(\/|$)/.test(path)));
}
