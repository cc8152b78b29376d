/** One review: a fresh agent judges an accepted item and leaves nothing behind. */
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { readReview, type SaidReview } from '../agents/index.ts';
import { hold } from '../custody/index.ts';
import type { DueReview } from '../evidence/index.ts';
import type { AgentOutcome, ProcessEnd } from '../protocol.ts';
import { itemOf, type OpenReview } from '../state.ts';
import { writeFresh } from '../util/files.ts';
import { ownFolder } from '../util/own-folder.ts';
import { fail, ok, type Result } from '../util/result.ts';
import { enterTree } from './enter-tree.ts';
import { composeReview } from './review-brief.ts';
import type { Session } from './session.ts';
import { fixFor, settleReviews } from './settle-review.ts';
import { type Heard, hearOut } from './start-agent.ts';
import type { Stop } from './stop.ts';
import { reviewerThings } from './things.ts';
import { isProviders, sitOut } from './trouble.ts';
import { undoReviewer } from './undo-reviewer.ts';
import { reviewersOf, type Worker } from './workers.ts';

export async function reviewItem(
  session: Session,
  due: DueReview,
  reviewer: Worker,
): Promise<Result<Stop | undefined>> {
  const began = await begin(session, due, reviewer);
  if (!began.ok) return began;
  const { open, briefFile } = began.value;
  const held = await hold(reviewerThings(session, open.review));
  const { end, outcome } = await hear(session, { open, briefFile, reviewer });
  if (!existsSync(briefFile)) {
    return fail({
      reason: 'state-gone',
      message: 'the reviewer deleted .ralph, where the run is kept (git clean -x does that)',
      hint: 'What was accepted is on the branch; ralph run continues with the items that the plan has open.',
    });
  }
  const undone = await undoReviewer(session, open, held);
  if (!undone.ok) return undone;
  return await conclude(session, { open, reviewer, end, outcome, undone: undone.value });
}

async function begin(
  session: Session,
  due: DueReview,
  reviewer: Worker,
): Promise<Result<{ readonly open: OpenReview; readonly briefFile: string }>> {
  const { workspace, options } = session;
  const base = await workspace.tip();
  if (!base.ok) return base;
  const wanted = await workspace.treeOf(base.value);
  if (!wanted.ok) return wanted;
  const tree = await enterTree(session, { wanted: wanted.value, tip: base.value });
  if (!tree.ok) return tree;
  const inner = await workspace.inner.note();
  if (!inner.ok) return inner;
  const brief = await composeReview(session, due);
  if (!brief.ok) return brief;
  const review = session.state.reviews + 1;
  const briefFile = session.reviewFileOf(review, 'brief.md');
  ownFolder(options.folder.root, dirname(briefFile));
  writeFresh(briefFile, brief.value);
  // If git does not track the plan, it is restored from this copy.
  if (!options.planInTree) writeFresh(session.reviewFileOf(review, 'plan.before'), session.plan.bytes);
  const lease = randomBytes(8).toString('hex');
  const { round } = due;
  const facts = { review, item: due.item.id, round, base: base.value, tree: tree.value, lease };
  const { at } = session.record({ type: 'review.started', ...facts, agent: reviewer.agent.name });
  return ok({ open: { ...facts, startedAt: at }, briefFile });
}

async function hear(
  session: Session,
  { open, briefFile, reviewer }: { readonly open: OpenReview; readonly briefFile: string; readonly reviewer: Worker },
): Promise<Heard> {
  const { review, item, round, lease } = open;
  const known = itemOf(session.state, item);
  const iteration = known.accepted ?? session.state.iterations;
  return await hearOut(session, {
    agent: reviewer.agent,
    options: reviewer.options,
    folder: dirname(briefFile),
    briefFile,
    lease,
    timeoutMs: session.settings.review?.timeoutMs ?? session.settings.limits.iterationMs,
    env: {
      RALPH_ROLE: 'review',
      RALPH_ITEM: item,
      RALPH_ITERATION: String(iteration),
      RALPH_ATTEMPT: String(round),
      RALPH_TRY: String((known.review?.tries ?? 0) + 1),
    },
    place: { iteration, review },
    onStarted: process => {
      session.record({ type: 'reviewer.started', review, item, process });
    },
  });
}

interface Ended {
  readonly open: OpenReview;
  readonly reviewer: Worker;
  readonly end: ProcessEnd;
  readonly outcome: AgentOutcome;
  readonly undone: readonly string[];
}

async function conclude(session: Session, ended: Ended): Promise<Result<Stop | undefined>> {
  const { open, outcome, end, undone } = ended;
  const { review, item, round } = open;
  const { usage, costUsd, failure } = outcome;
  const said = saidBy(outcome);
  if (session.options.stopper.signal.aborted) {
    session.record({ type: 'review.aborted', review, item, why: 'stopped on request', usage, costUsd });
    return ok(undefined);
  }
  if (said.verdict === 'unclear' && failure && isProviders(failure)) {
    session.record({ type: 'review.aborted', review, item, why: failure.message, usage, costUsd, failure });
    return ok(sitOut(session, failure, { worker: ended.reviewer, team: reviewersOf(session), who: 'the reviewer: ' }));
  }
  const { rounds = 1 } = session.settings.review ?? {};
  const findings = said.verdict === 'unclear' ? [] : said.findings;
  const fix = said.verdict === 'needs-fix' && round < rounds ? fixFor(session, item, findings) : undefined;
  session.record({
    type: 'review.finished',
    review,
    item,
    round,
    verdict: said.verdict,
    findings,
    why: said.verdict === 'unclear' ? said.why : '',
    ...(fix === undefined ? {} : { fix }),
    undone,
    usage,
    costUsd,
    durationMs: Math.round(end.durationMs),
  });
  const settled = await settleReviews(session);
  return settled.ok ? ok(undefined) : settled;
}

/** A verdict counts even if the process failed afterwards. */
function saidBy({ message, failure }: AgentOutcome): SaidReview {
  const said = readReview(message);
  return said.verdict === 'unclear' && failure ? { ...said, why: `the reviewer failed: ${failure.message}` } : said;
}
