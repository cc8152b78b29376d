/** The runner's own change of the plan, outside any item's work: a commit of its own. */
import { ok, type Result } from '../util/result.ts';
import { enterTree } from './enter-tree.ts';
import type { Session } from './session.ts';

export interface PlanChange {
  /** Writes the plan, and gives the paths inside the tree of whatever else it wrote. */
  readonly write: () => Result<readonly string[]>;
  readonly message: string;
}

/** The commit; undefined where git sees nothing of the change. */
export async function commitPlan(
  session: Session,
  { write, message }: PlanChange,
): Promise<Result<string | undefined>> {
  const { workspace, options } = session;
  const tip = await workspace.tip();
  if (!tip.ok) return tip;
  const before = await workspace.treeOf(tip.value);
  if (!before.ok) return before;
  // An attempt that was left unfinished is no part of this commit; it comes back from its own tree.
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
