/** An agent, or a person beside it, checked out another commit: the work is brought back onto the branch, and nothing accepted is lost. */
import { ok, type Result } from '../util/result.ts';
import { firstFew } from '../util/show.ts';
import { attemptRef, type Strayed } from '../workspace/index.ts';
import type { Begun } from './begin-iteration.ts';
import type { Session } from './session.ts';

/** `strayed` is what was checked out when the agent ended. */
export async function bringForward(
  session: Session,
  { item, iteration, attempt, base }: Begun,
  strayed: Strayed,
): Promise<Result<void>> {
  const { workspace, clock, state } = session;
  const tree = await workspace.snapshot();
  if (!tree.ok) return tree;
  const at = clock.now();
  const moved = await workspace.moved(tree.value, { from: strayed.commit, onto: base, at });
  if (!moved.ok) return moved;
  const where = `${strayed.commit.slice(0, 7)} was checked out while the agent worked`;
  if (moved.value.type === 'merged') {
    if (moved.value.tree === tree.value) return ok(undefined);
    session.notice('warn', `${where}; its work was brought back onto ${base.slice(0, 7)}`);
    return await toTree(session, { from: tree.value, to: moved.value.tree });
  }
  if (moved.value.type !== 'conflict') return ok(undefined);
  // If the branch itself was rewritten, the tree says what was wanted.
  const isSwitch = !strayed.isOnBranch && (await workspace.isAncestor(strayed.commit, base));
  if (!isSwitch) return ok(undefined);
  const start = await workspace.treeOf(base);
  if (!start.ok) return start;
  const message = `ralph: ${item.id}, on ${strayed.commit} instead of the branch\n`;
  const kept = await workspace.setAside(attemptRef(state.run, item.id, `${attempt}-i${iteration}-astray`), String(at), {
    tree: tree.value,
    parent: strayed.commit,
    message,
    at,
  });
  if (!kept.ok) return kept;
  const which = firstFew(moved.value.paths, 3);
  session.notice(
    'warn',
    `${where}, and its work does not fit ${base.slice(0, 7)} in ${which}; it is under ${kept.value}`,
  );
  return await toTree(session, { from: tree.value, to: start.value });
}

async function toTree(
  { workspace }: Session,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<Result<void>> {
  const diff = await workspace.diff(to, from);
  return diff.ok ? await workspace.restore(to, diff.value.changes) : diff;
}
