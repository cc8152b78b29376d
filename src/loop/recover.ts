/**
 * Completes or undoes, after a restart, each iteration that was open, whichever worker it belonged to.
 *
 *  nothing open          → nothing to do
 *  started, no verdict   → the dead runner's agent is ended, its tree kept under a ref, the iteration is run again
 *  verdict, not finished → its consequences are carried out (again); the commit is the same, so it cannot be made twice
 *
 * If the journal lost its last records, `catch-up.ts` uses the branch instead.
 */

import { describeLeftover } from '../checks/index.ts';
import { hold } from '../custody/index.ts';
import { rereadPlan } from '../plan/index.ts';
import { endLeftovers } from '../process/index.ts';
import { noUsage, type OpenIteration, type OpenReview, openWork } from '../state.ts';
import { ok, type Result } from '../util/result.ts';
import { attemptRef } from '../workspace/index.ts';
import { adopt, catchUp, isBehind, restoreHiddenPlan } from './catch-up.ts';
import { conclude } from './conclude.ts';
import { deathOf, isCharged, verdictOnDeath } from './deaths.ts';
import { removeCheckouts } from './fresh-checkout.ts';
import { settleCutOff } from './hidden-ground.ts';
import { settleInner } from './inner-edits.ts';
import { keepAdded } from './keep-added.ts';
import { keepFoundTree, settleBranch } from './keep-found.ts';
import type { Session } from './session.ts';
import { reviewerThings } from './things.ts';
import { undoReviewer } from './undo-reviewer.ts';

const GRACE_MS = 3_000;

export async function recoverTree(session: Session): Promise<Result<void>> {
  const found = session.plan;
  const died = openWork(session.state).length > 0;
  const recovered = await settleAll(session);
  if (recovered.ok && died) keepAdded(session, found);
  return recovered;
}

async function settleAll(session: Session): Promise<Result<void>> {
  const { openIterations, openReviews, run } = session.state;
  for (const left of openWork(session.state)) await endAgentOf(session, left);
  removeCheckouts(session.workspace.root, run);
  for (const open of openReviews) {
    const undone = await abortReview(session, open);
    if (!undone.ok) return undone;
  }
  if (openIterations.length === 0 || (await isBehind(session))) {
    const caughtUp = await catchUp(session);
    return caughtUp.ok ? await adopt(session) : caughtUp;
  }
  for (const open of inOrder(openIterations)) {
    const settled = await settleOpen(session, open);
    if (!settled.ok) return settled;
  }
  return await adopt(session);
}

/** Iterations with a verdict first, in the order of the verdicts: each may be a commit that the next one builds on. */
export const inOrder = (open: readonly OpenIteration[]): readonly OpenIteration[] =>
  open.toSorted((a, b) => (a.verdict?.at ?? Infinity) - (b.verdict?.at ?? Infinity) || a.iteration - b.iteration);

async function settleOpen(session: Session, open: OpenIteration): Promise<Result<void>> {
  // A verdict applies to a tree on its base. If another worker's commit came first, the item is done again on top of it.
  const isCurrent = open.verdict !== undefined && open.base === session.state.tip;
  return isCurrent && (await isThere(session, open, open.evidence?.tree))
    ? await finishOpen(session, open)
    : await afterDeath(session, open);
}

/** Whether the judged tree can still be read: a crash may have damaged it. */
async function isThere({ workspace }: Session, open: OpenIteration, tree: string | undefined): Promise<boolean> {
  if (tree === undefined) return false;
  const base = await workspace.treeOf(open.base);
  return base.ok && (await workspace.diff(base.value, tree)).ok;
}

/** Runs the iteration again, or counts it as an attempt if its item killed the runner too often. */
export async function afterDeath(session: Session, open: OpenIteration): Promise<Result<void>> {
  const death = open.verdict ? 0 : deathOf(open, session.options.state);
  if (!isCharged(death)) return await abortIteration(session, 'the runner died', { open, death });
  const settled = await settle(session, open);
  if (!settled.ok) return settled;
  const { iteration, item, attempt, base, tree: startTree } = open;
  const tree = await session.workspace.snapshot();
  if (!tree.ok) return tree;
  const edited = await tellInner(session, open);
  if (!edited.ok) return edited;
  const { evidence, verdict } = verdictOnDeath(death, { tree: tree.value, changed: tree.value !== startTree });
  restoreHiddenPlan(session, iteration);
  session.plan = rereadPlan(session.plan);
  session.record({ type: 'evidence', iteration, item, evidence });
  const { at } = session.record({ type: 'verdict', iteration, item, verdict });
  const decided = { iteration, item, attempt, base, startTree, evidence, verdict, message: '', at, startedAt: at };
  const concluded = await conclude(session, decided);
  return concluded.ok ? ok(undefined) : concluded;
}

/** The review had no verdict yet, so it is repeated; nothing counts twice. */
export async function abortReview(session: Session, open: OpenReview): Promise<Result<void>> {
  // Held only now, so only what the run's own copies contain can be restored.
  const held = await hold(reviewerThings(session, open.review));
  const undone = await undoReviewer(session, open, held);
  if (!undone.ok) return undone;
  for (const what of undone.value) session.notice('warn', `the reviewer changed what it may not: ${what}`);
  const { review, item } = open;
  session.record({ type: 'review.aborted', review, item, why: 'the runner died', usage: noUsage, costUsd: 0 });
  return ok(undefined);
}

/** `root` is the folder that the agent worked in. */
export async function endAgentOf(
  session: Session,
  open: Pick<OpenIteration, 'process' | 'lease'>,
  root = session.workspace.root,
): Promise<void> {
  const ended = await endLeftovers({
    ...(open.process ? { process: open.process } : {}),
    lease: open.lease,
    workspace: root,
    ...(session.options.folder.seat === undefined ? { except: session.options.folder.worktrees } : {}),
    graceMs: GRACE_MS,
  });
  for (const leftover of ended) session.notice('warn', describeLeftover(leftover));
}

export async function finishOpen(session: Session, open: OpenIteration): Promise<Result<void>> {
  if (!open.verdict || !open.evidence) return ok(undefined);
  const settled = await settle(session, open);
  if (!settled.ok) return settled;
  const now = await session.workspace.snapshot();
  if (!now.ok) return now;
  if (now.value !== open.evidence.tree) {
    const restored = await returnTo(session, { open, wanted: open.evidence.tree, now: now.value });
    if (!restored.ok) return restored;
  }
  session.plan = rereadPlan(session.plan);
  const concluded = await conclude(session, {
    iteration: open.iteration,
    item: open.item,
    attempt: open.attempt,
    base: open.base,
    startTree: open.tree,
    evidence: open.evidence,
    ...open.verdict,
    startedAt: open.verdict.at,
  });
  return concluded.ok ? ok(undefined) : concluded;
}

/** A difference is a half-done consequence of the verdict, or an edit since the crash, so it is kept under a ref. */
async function returnTo(
  session: Session,
  { open, wanted, now }: { readonly open: OpenIteration; readonly wanted: string; readonly now: string },
): Promise<Result<void>> {
  const { workspace, options } = session;
  const diff = await workspace.diff(wanted, now);
  if (!diff.ok) return diff;
  // In a worker's checkout, a difference is other workers' work, which was merged for testing.
  const isOwn = session.worker !== undefined;
  if (!isOwn && !diff.value.changes.every(change => options.ownedInTree.includes(change.path))) {
    const message = `ralph: what the work tree held when ${open.item} was concluded after a crash\n`;
    const kept = await keepFoundTree(session, { tree: now, parent: open.base, message });
    if (!kept.ok) return kept;
  }
  return await workspace.restore(wanted, diff.value.changes);
}

/** Keeps what the agent has made so far under a ref, and resets the tree to the start of the iteration. */
export async function abortIteration(
  session: Session,
  why: string,
  { open = session.open, death = 0 }: { readonly open?: OpenIteration | undefined; readonly death?: number } = {},
): Promise<Result<void>> {
  const { workspace, state } = session;
  if (!open) return ok(undefined);
  const settled = await settle(session, open);
  if (!settled.ok) return settled;
  const { iteration, item } = open;
  const start = await startOf(session, open);
  if (!start.ok) return start;
  const now = await workspace.snapshot();
  for (const note of workspace.takeNotes()) session.notice('warn', note);
  if (!now.ok) return now;
  const edited = await tellInner(session, open);
  if (!edited.ok) return edited;
  const hidden = await settleCutOff(session, open);
  if (!hidden.ok) return hidden;
  let ref: string | undefined;
  if (now.value !== start.value) {
    const kept = await workspace.setAside(
      attemptRef(state.run, item, `${open.attempt}-cut`),
      `i${iteration}-${Date.now()}`,
      {
        tree: now.value,
        parent: open.base,
        message: `ralph: ${item}, iteration ${iteration} was cut off\n\n${why}\n`,
        at: session.clock.now(),
      },
    );
    if (!kept.ok) return kept;
    ref = kept.value;
    const diff = await workspace.diff(start.value, now.value);
    const restored = await workspace.restore(start.value, diff.ok ? diff.value.changes : []);
    if (!restored.ok) return restored;
  }
  restoreHiddenPlan(session, iteration);
  session.plan = rereadPlan(session.plan);
  session.tree = start.value;
  const died = death > 0 ? { death } : {};
  session.record({ type: 'iteration.aborted', iteration, item, why, ...(ref ? { ref } : {}), ...died });
  return ok(undefined);
}

async function tellInner(session: Session, open: OpenIteration): Promise<Result<void>> {
  const edited = await settleInner(session, open);
  if (!edited.ok) return edited;
  for (const { message } of edited.value) session.notice('warn', message);
  return ok(undefined);
}

/** The tree at the start of the iteration; the tip's if that tree is damaged or the branch has moved on. */
async function startOf(session: Session, open: OpenIteration): Promise<Result<string>> {
  const tip = session.worker === undefined ? session.state.tip : open.base;
  const holds = open.base === tip && (await isThere(session, open, open.tree));
  return holds ? ok(open.tree) : await session.workspace.treeOf(tip);
}

async function settle(session: Session, open: OpenIteration): Promise<Result<void>> {
  const { run, tip } = session.state;
  if (open.inner) session.workspace.inner.believe(open.inner);
  const base = session.worker === undefined ? tip : open.base;
  // After the verdict, the runner's own commit may have moved the branch; before it, only the agent can have.
  if (open.verdict) return ok(undefined);
  return await settleBranch(session, base, attemptRef(run, open.item, `${open.attempt}-i${open.iteration}-own`));
}
