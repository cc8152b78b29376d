/** Commits the runner's own change of the plan separately from any item's work. */
import { ok, type Result } from '../util/result.ts';
import { enterTree } from './enter-tree.ts';
import type { Session } from './session.ts';

export interface PlanChange {
  /** Writes the plan, and returns the paths in the tree of all other files it wrote. */
  readonly write: () => Result<readonly string[]>;
  readonly message: string;
}

/** Returns the commit; undefined if git sees no change. */
export async function commitPlan(
  session: Session,
  { write, message }: PlanChange,
): Promise<Result<string | undefined>> {
  const { workspace, options } = session;
  const tip = await workspace.tip();
  if (!tip.ok) return tip;
  const before = await workspace.treeOf(tip.value);
  if (!before.ok) return before;
  // An unfinished attempt is not part of this commit; it is restored from its own tree later.
  const entered = await enterTree(session, { wanted: before.value, tip: tip.value });
  if (!entered.ok) return entered;
  const now = await workspace.snapshot();
  if (!now.ok) return now;
  const also = write();
  if (!also.ok) return also;
  session.tree = '';
  const paths = [...(options.planInTree === undefined ? [] : [options.planInTree]), ...also.value];
  if (paths.length === 0) return ok(undefined);
  const tree = await workspace.treeWithFiles(paths);
  if (!tree.ok) return tree;
  session.tree = tree.value;
  if (tree.value === before.value) return ok(undefined);
  const commit = await workspace.commit({ tree: tree.value, parent: tip.value, message, at: session.clock.now() });
  if (!commit.ok) return commit;
  session.treeOfTip = { commit: commit.value, tree: tree.value };
  return ok(commit.value);
}
