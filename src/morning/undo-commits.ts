/** A tree without the changes of some commits, made without touching any checkout. */
import { ok, type Result } from '../util/result.ts';
import { mergedTree, type OtherTrees, type Repository, type TreeEdit } from '../workspace/index.ts';
import { commitTree } from './commit-tree.ts';

export interface Undo {
  readonly repository: Repository;
  readonly trees: OtherTrees;
  readonly tip: string;
  /** The newest first, so that each finds its lines as it left them. */
  readonly commits: readonly string[];
  /** Files that stay as they are at the tip. */
  readonly kept: readonly string[];
}

export type Undone =
  | { readonly type: 'tree'; readonly tree: string }
  | { readonly type: 'conflict'; readonly commit: string; readonly paths: readonly string[] };

export async function undoCommits({ repository, trees, tip, commits, kept }: Undo): Promise<Result<Undone>> {
  const { git } = repository;
  const first = await git.text('rev-parse', '--verify', `${tip}^{tree}`);
  if (!first.ok) return first;
  let tree = first.value;
  for (const commit of commits) {
    const [after, parent] = [
      await git.text('rev-parse', '--verify', `${commit}^{tree}`),
      await git.text('rev-parse', '--verify', `${commit}^1^{tree}`),
    ];
    if (!after.ok) return after;
    if (!parent.ok) return parent;
    const entries = await trees.entries(after.value);
    if (!entries.ok) return entries;
    const edits = kept.map((path): TreeEdit => {
      const entry = entries.value.find(each => each.path === path);
      return { path, mode: entry?.mode ?? '', content: entry?.id };
    });
    const before = edits.length === 0 ? parent : await trees.replacing(parent.value, edits);
    if (!before.ok) return before;
    const merged = await threeWay(repository, { base: after.value, ours: tree, theirs: before.value });
    if (!merged.ok) return merged;
    if (merged.value.type === 'conflict') return ok({ type: 'conflict', commit, paths: merged.value.paths });
    if (merged.value.type !== 'nothing') tree = merged.value.tree;
  }
  return ok({ type: 'tree', tree });
}

interface ThreeTrees {
  readonly base: string;
  readonly ours: string;
  readonly theirs: string;
}

/** Older versions of git find the base by history alone, so the trees are given one; nothing refers to these commits. */
async function threeWay(repository: Repository, { base, ours, theirs }: ThreeTrees): ReturnType<typeof mergedTree> {
  const root = await commitTree(repository, { tree: base, parents: [], message: 'base\n' });
  if (!root.ok) return root;
  const left = await commitTree(repository, { tree: ours, parents: [root.value], message: 'ours\n' });
  if (!left.ok) return left;
  const right = await commitTree(repository, { tree: theirs, parents: [root.value], message: 'theirs\n' });
  return right.ok ? await mergedTree(repository.git, left.value, right.value) : right;
}
