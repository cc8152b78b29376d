/**
 * A restart finishes or undoes each iteration that was open, of whichever worker.
 *
 *   nothing open          → nothing to do
 *   started, no verdict   → the dead runner's agent is ended, its tree kept under a ref, the iteration is run again
 *   verdict, not finished → what follows from it is done (again); the commit is the same, so it cannot be made twice
 *
 * Where the journal lost its end, `catch-up.ts` goes by the branch.
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
import type { Session } from './session.ts';
import { reviewerThings } from './things.ts';
import { undoReviewer } from './undo-reviewer.ts';

const GRACE_MS = 3_000;

export async function recoverTree(session: Session): Promise<Result<void>> {
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

/** What has a verdict comes first, in the order of the verdicts: each may be a commit that the next begins behind. */
export const inOrder = (open: readonly OpenIteration[]): readonly OpenIteration[] =>
  open.toSorted((a, b) => (a.verdict?.at ?? Infinity) - (b.verdict?.at ?? Infinity) || a.iteration - b.iteration);

async function settleOpen(session: Session, open: OpenIteration): Promise<Result<void>> {
  // A verdict is about a tree on its base. Where another worker's commit came first, the item is made again on that.
  const isCurrent = open.verdict !== undefined && open.base === session.state.tip;
  return isCurrent && (await isThere(session, open, open.evidence?.tree))
    ? await finishOpen(session, open)
    : await afterDeath(session, open);
}

/** Whether what was judged can still be read: a tree may be damaged by what ended the runner. */
async function isThere({ workspace }: Session, open: OpenIteration, tree: string | undefined): Promise<boolean> {
  if (tree === undefined) return false;
  const base = await workspace.treeOf(open.base);
  return base.ok && (await workspace.diff(base.value, tree)).ok;
}

/** The iteration is made again, or counts as an attempt where its item ended the runner too often. */
export async function afterDeath(session: Session, open: OpenIteration): Promise<Result<void>> {
  const death = open.verdict ? 0 : deathOf(open, session.options.state);
  if (!isCharged(death)) return await abortIteration(session, 'the runner died', { open, death });
  const settled = await settle(session, open);
  if (!settled.ok) return settled;
  const { iteration, item, attempt, base, tree: startTree } = open;
  const tree = await session.workspace.snapshot();
  if (!tree.ok) return tree;
  const { evidence, verdict } = verdictOnDeath(death, { tree: tree.value, changed: tree.value !== startTree });
  restoreHiddenPlan(session, iteration);
  session.plan = rereadPlan(session.plan);
  session.record({ type: 'evidence', iteration, item, evidence });
  const { at } = session.record({ type: 'verdict', iteration, item, verdict });
  const decided = { iteration, item, attempt, base, startTree, evidence, verdict, message: '', at, startedAt: at };
  const concluded = await conclude(session, decided);
  return concluded.ok ? ok(undefined) : concluded;
}

/** It had no verdict yet, so it is made again: nothing of it is lost, and nothing counts twice. */
export async function abortReview(session: Session, open: OpenReview): Promise<Result<void>> {
  // Noted now: what the copies of the run do not tell is not known any more.
  const held = await hold(reviewerThings(session, open.review));
  const undone = await undoReviewer(session, open, held);
  if (!undone.ok) return undone;
  for (const what of undone.value) session.notice('warn', `the reviewer changed what it may not: ${what}`);
  const { review, item } = open;
  session.record({ type: 'review.aborted', review, item, why: 'the runner died', usage: noUsage, costUsd: 0 });
  return ok(undefined);
}

/** `root` is where it worked. */
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

/** What differs is half of what follows from the verdict, or somebody's edit since the crash: kept, in case. */
async function returnTo(
  session: Session,
  { open, wanted, now }: { readonly open: OpenIteration; readonly wanted: string; readonly now: string },
): Promise<Result<void>> {
  const { workspace, options, state } = session;
  const diff = await workspace.diff(wanted, now);
  if (!diff.ok) return diff;
  // In a worker's checkout it is the work of others, which was merged to be tested.
  const isOwn = session.worker !== undefined;
  if (!isOwn && !diff.value.changes.every(change => options.ownedInTree.includes(change.path))) {
    const kept = await workspace.setAside(attemptRef(state.run, 'found', 'tree'), String(Date.now()), {
      tree: now,
      parent: open.base,
      message: `ralph: what the work tree held when ${open.item} was concluded after a crash\n`,
      at: session.clock.now(),
    });
    if (!kept.ok) return kept;
  }
  return await workspace.restore(wanted, diff.value.changes);
}

/** Keeps what the agent made so far under a ref, and puts the tree back to where the iteration began. */
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
  if (!now.ok) return now;
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

/** The tree it began with; the tip's where that tree, of an earlier attempt, is damaged, or the branch has moved on. */
async function startOf(session: Session, open: OpenIteration): Promise<Result<string>> {
  const tip = session.worker === undefined ? session.state.tip : open.base;
  const holds = open.base === tip && (await isThere(session, open, open.tree));
  return holds ? ok(open.tree) : await session.workspace.treeOf(tip);
}

async function settle(session: Session, open: OpenIteration): Promise<Result<void>> {
  const { run, tip } = session.state;
  const base = session.worker === undefined ? tip : open.base;
  // An accepted commit of ours moves the branch too; only before the verdict is a moved branch the agent's doing.
  if (open.verdict) return ok(undefined);
  const ref = attemptRef(run, open.item, `${open.attempt}-i${open.iteration}-own`);
  const settled = await session.workspace.settle(base, ref);
  if (!settled.ok) return settled;
  for (const note of settled.value) session.notice('warn', note);
  return ok(undefined);
}
