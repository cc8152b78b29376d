/**
 * Recovers a run with several workers whose runner died: completes or undoes each open iteration in its own checkout, in the order of the
 * verdicts. Accepted work lands, unless its commit is already on the branch; the rest is kept under a ref and done again.
 */

import { markOwnFile, markPlan, rereadPlan } from '../plan/index.ts';
import { type OpenIteration, openWork } from '../state.ts';
import { writeAtomic } from '../util/files.ts';
import { ok, type Result } from '../util/result.ts';
import { acceptedOnBranch, adopt } from './catch-up.ts';
import { Crew } from './crew.ts';
import { removeCheckouts } from './fresh-checkout.ts';
import { keepFoundTree, settleBranch } from './keep-found.ts';
import { abortReview, afterDeath, endAgentOf, finishOpen, inOrder } from './recover.ts';
import type { Session } from './session.ts';
import { keepPlan } from './worker-plan.ts';

export async function recoverWorkers(session: Session): Promise<Result<void>> {
  const crew = new Crew(session);
  const { openIterations, openReviews, run } = session.state;
  const rootOf = ({ worker }: { readonly worker?: number }) =>
    worker === undefined ? session.workspace.root : crew.rootOf(worker);
  for (const open of openWork(session.state)) {
    await endAgentOf(session, open, rootOf(open));
    removeCheckouts(rootOf(open), run);
  }
  removeCheckouts(session.workspace.root, run);
  for (const open of openReviews) {
    const undone = await abortReview(session, open);
    if (!undone.ok) return undone;
  }
  const settled = await resetBranch(session);
  if (!settled.ok) return settled;
  const known = await takeLanded(session);
  if (!known.ok) return known;
  const cleared = await clearCheckout(session);
  if (!cleared.ok) return cleared;
  for (const open of inOrder(openIterations)) {
    if (!session.state.openIterations.some(({ iteration }) => iteration === open.iteration)) continue;
    const its = open.worker === undefined ? ok(session) : await crew.session(open.worker);
    const done = its.ok ? await settleOpen(its.value, open) : its;
    if (!done.ok) return done;
  }
  await crew.dismiss();
  return await adopt(session);
}

async function settleOpen(session: Session, open: OpenIteration): Promise<Result<void>> {
  const tree = open.evidence?.tree;
  const isThere = tree !== undefined && (await session.workspace.diff(open.tree, tree)).ok;
  return open.verdict && isThere ? await finishOpen(session, open) : await afterDeath(session, open);
}

/** Resets the branch to the runner's last commit; an agent's commits are kept under a ref. */
async function resetBranch(session: Session): Promise<Result<void>> {
  const { workspace, state } = session;
  const accepted = await acceptedOnBranch(session);
  const newest = accepted && (await workspace.isAncestor(state.tip, accepted)) ? accepted : state.tip;
  return await settleBranch(session, newest);
}

/** Records commits that were made but not recorded. */
async function takeLanded(session: Session): Promise<Result<void>> {
  const { workspace, state } = session;
  const tip = await workspace.tip();
  if (!tip.ok) return tip;
  if (tip.value === state.tip) return ok(undefined);
  const made = await workspace.itemsBetween({ from: state.tip, to: tip.value, run: state.run });
  if (!made.ok) return made;
  for (const { item, commit } of made.value) {
    const open = state.openIterations.find(each => each.item === item && each.verdict?.verdict.type === 'accepted');
    if (!open) continue;
    const tree = await workspace.treeOf(commit);
    if (!tree.ok) return tree;
    const { iteration } = open;
    const durationMs = 0;
    session.record({
      type: 'iteration.finished',
      iteration,
      item,
      verdict: 'accepted',
      durationMs,
      commit,
      tree: tree.value,
    });
  }
  return ok(undefined);
}

/** Resets the run's own checkout to the branch, and removes marks of items that are not on it from its plan. */
async function clearCheckout(session: Session): Promise<Result<void>> {
  const { workspace, state } = session;
  const tip = await workspace.tip();
  if (!tip.ok) return tip;
  const wanted = await workspace.treeOf(tip.value);
  if (!wanted.ok) return wanted;
  session.plan = rereadPlan(session.plan);
  for (const { item } of state.openIterations) unmark(session, item);
  const now = await workspace.snapshot();
  if (!now.ok) return now;
  const diff = await workspace.diff(wanted.value, now.value);
  if (!diff.ok) return diff;
  const others = diff.value.changes.filter(({ path }) => !session.options.ownedInTree.includes(path));
  session.treeOfTip = { commit: tip.value, tree: wanted.value };
  if (others.length === 0) return ok(undefined);
  // Most likely work that was about to land, but that is not certain.
  const message = 'ralph: what the checkout of the run held when its runner had died\n';
  const kept = await keepFoundTree(session, { tree: now.value, parent: tip.value, message });
  if (!kept.ok) return kept;
  const restored = await workspace.restore(wanted.value, diff.value.changes);
  if (restored.ok) keepPlan(session);
  return restored;
}

function unmark(session: Session, id: string): void {
  if (session.plan.plan.items.find(item => item.id === id)?.status !== 'done') return;
  const mark = { id, to: 'pending', again: true } as const;
  const marked = markPlan(session.plan, mark);
  if (!marked.ok) return;
  writeAtomic(session.plan.path, marked.value.bytes);
  const read = markOwnFile(marked.value, mark);
  session.plan = read.ok ? read.value : rereadPlan(session.plan);
}
