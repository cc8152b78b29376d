/** Restores tree, branch, plan and config after a reviewer, or after a crash of its runner. */

import { editsOf, type Held } from '../custody/index.ts';
import { rereadPlan } from '../plan/index.ts';
import type { OpenReview } from '../state.ts';
import { ok, type Result } from '../util/result.ts';
import { firstFew } from '../util/show.ts';
import { attemptRef } from '../workspace/index.ts';
import { settleInner } from './inner-edits.ts';
import type { Session } from './session.ts';
import type { reviewerThings } from './things.ts';

/** Returns what the reviewer changed; all of it is restored, and the files are kept under a ref. */
export async function undoReviewer(
  session: Session,
  { review, item, base, tree }: OpenReview,
  held: Held<ReturnType<typeof reviewerThings>>,
): Promise<Result<readonly string[]>> {
  const { workspace, state, clock } = session;
  const ref = attemptRef(state.run, item, `review-${review}`);
  const settled = await workspace.settle(base, `${ref}-own`);
  if (!settled.ok) return settled;
  const undone = [...settled.value, ...session.takeReplaced(), ...editsOf(await held.putBack())];
  const now = await workspace.snapshot();
  if (!now.ok) return now;
  if (now.value !== tree) {
    const kept = await workspace.setAside(ref, String(clock.now()), {
      tree: now.value,
      parent: base,
      message: `ralph: what the reviewer of ${item} had changed\n`,
      at: clock.now(),
    });
    if (!kept.ok) return kept;
    const diff = await workspace.diff(tree, now.value);
    if (!diff.ok) return diff;
    const restored = await workspace.restore(tree, diff.value.changes);
    if (!restored.ok) return restored;
    undone.push(
      `${firstFew(
        diff.value.changes.map(change => change.path),
        3,
      )}, kept under ${kept.value}`,
    );
  }
  const inner = await settleInner(session, { item, iteration: state.iterations, base });
  if (!inner.ok) return inner;
  undone.push(...inner.value.map(({ message }) => message));
  session.plan = rereadPlan(session.plan);
  session.tree = tree;
  return ok(undone);
}
