/** The state of a run, computed as a fold of its journal: pure, so it is the same before and after a crash. */
import type { Recorded } from './events.ts';
import { finishIteration } from './state/finish-iteration.ts';
import { markItem, retryItem } from './state/marks.ts';
import {
  changeIteration,
  changeReview,
  dropIteration,
  endReview,
  openIteration,
  startIteration,
  startReview,
} from './state/open-work.ts';
import { answerItem, questionTold } from './state/questions.ts';
import { reviewed } from './state/review.ts';
import {
  addUsage,
  allGreen,
  emptyState,
  itemOf,
  notGiven,
  type RunState,
  reopen,
  withItem,
} from './state/run-state.ts';
import { isRed, redGate } from './util/same-failure.ts';

export { GOAL } from './state/finish-iteration.ts';
export { isClosed, isOpen } from './state/item-status.ts';
export { openOf, openReviewOf, openWork, unjudged, withWorker } from './state/open-work.ts';
export { needsPerson, type ReviewState, UNCLEAR_LIMIT } from './state/review.ts';
export {
  addUsage,
  allGreen,
  effectiveStatus,
  type ItemState,
  isComplete,
  isConfirmed,
  isCutOff,
  itemOf,
  MARKS_ELSEWHERE,
  noUsage,
  type OpenIteration,
  type OpenReview,
  openAgain,
  type Parked,
  type RunState,
  shownSandbox,
  statusIn,
} from './state/run-state.ts';

/** A brief has no room for more steering notes than this. */
const STEERING_KEPT = 20;

export function fold(records: Iterable<Recorded>, from: RunState = emptyState): RunState {
  let state: RunState = { ...from, items: new Map(from.items) };
  for (const record of records) state = advance(state, record);
  return state;
}

export function reduce(previous: RunState, record: Recorded): RunState {
  return fold([record], previous);
}

/** Like `reduce`, but replaces items in place, so that a long run stays linear; only for the sole owner of the state. */
export function advance(previous: RunState, record: Recorded): RunState {
  const resumes = record.type === 'run.started' || record.type === 'run.resumed';
  // Marks that a person sets after the end, and waits, do not count as run time.
  const idle = resumes || previous.finished !== undefined || previous.paused || previous.waitUntil !== undefined;
  const state: RunState = {
    ...previous,
    activeMs: previous.activeMs + (idle ? 0 : Math.max(0, record.at - previous.lastAt)),
    commits: previous.commits + (madeCommit(record) ? 1 : 0),
    lastAt: record.at,
  };
  return apply(state, record);
}

const workerIn = ({ worker }: { readonly worker?: number }): { readonly worker?: number } =>
  worker === undefined ? {} : { worker };

const madeCommit = (record: Recorded): boolean =>
  (record.type === 'iteration.finished' || record.type === 'item.adopted' || record.type === 'review.settled') &&
  record.commit !== undefined;

function apply(state: RunState, record: Recorded): RunState {
  switch (record.type) {
    case 'run.started':
      return {
        ...state,
        run: record.run,
        plan: record.plan,
        ...(record.promptText === undefined ? {} : { promptText: record.promptText }),
        ...(record.until === undefined ? {} : { until: record.until }),
        ...(record.configured === undefined ? {} : { configured: record.configured }),
        ...(record.from === undefined ? {} : { from: record.from }),
        ...(record.given === undefined ? {} : { given: record.given }),
        branch: record.branch,
        tip: record.base,
        firstBase: record.base,
        workspace: record.workspace,
        agent: record.agent,
        ...(record.sandbox === undefined ? {} : { sandbox: record.sandbox }),
        startedAt: record.at,
        ...(record.runner ? { runner: record.runner } : {}),
      };
    case 'run.resumed': {
      const { finished: _, runner: __, parked: ___, reopened: ____, pausedAt: _____, ...rest } = state;
      const { configured = state.configured } = record;
      return {
        ...rest,
        // Whoever starts it wants it to go on.
        paused: false,
        tip: record.base,
        retries: 0,
        troubleMs: 0,
        ...(record.until === undefined ? {} : { until: record.until }),
        ...(configured === undefined ? {} : { configured }),
        ...(record.sandbox === undefined ? {} : { sandbox: record.sandbox }),
        ...(record.runner ? { runner: record.runner } : {}),
      };
    }
    case 'baseline':
      return {
        ...state,
        greenTree: allGreen(record.gates) ? record.tree : '',
        redGates: record.gates.filter(isRed).map(redGate),
      };
    case 'iteration.started': {
      const { iteration, item, attempt, base, tree, lease, inner, title, verifyWasRed, unstartable, at } = record;
      const next = withItem(state, item, {
        title,
        ...(verifyWasRed === undefined ? {} : { verifyWasRed }),
        ...(unstartable === undefined ? {} : { unstartable }),
      });
      const open = { ...workerIn(record), iteration, item, attempt, base, tree, lease, at };
      return startIteration(next, inner === undefined ? open : { ...open, inner });
    }
    case 'agent.started':
      return changeIteration(state, record.iteration, { process: record.process });
    case 'agent.finished': {
      const item = itemOf(state, record.item);
      const next = withItem(state, record.item, { costUsd: item.costUsd + record.costUsd });
      const { leftovers, strangers = [] } = record.end;
      const isLeft = [...leftovers, ...strangers].some(({ killed }) => !killed);
      const leftAlive = state.leftAlive ?? (isLeft ? openIteration(state, record.iteration)?.process : undefined);
      return {
        ...next,
        usage: addUsage(state.usage, record.usage),
        costUsd: state.costUsd + record.costUsd,
        ...(record.priced || record.billing === 'notional'
          ? { notionalUsd: (state.notionalUsd ?? 0) + record.costUsd }
          : {}),
        ...(leftAlive ? { leftAlive } : {}),
      };
    }
    case 'evidence':
      return changeIteration(state, record.iteration, { evidence: record.evidence });
    case 'verdict': {
      const verdict = { verdict: record.verdict, message: record.message ?? '', at: record.at };
      return changeIteration(state, record.iteration, { verdict });
    }
    case 'iteration.finished':
      return finishIteration(state, record);
    case 'iteration.aborted': {
      const refs = record.ref ? [...itemOf(state, record.item).refs, record.ref] : itemOf(state, record.item).refs;
      const deaths = record.death === undefined ? {} : { deaths: record.death };
      return withItem(dropIteration(state, record.iteration), record.item, { refs, ...deaths });
    }
    case 'item.adopted':
      return {
        ...withItem(state, record.item, {
          status: 'done',
          commit: record.commit,
          accepted: record.iteration ?? state.iterations,
        }),
        tip: record.commit,
        iterations: Math.max(state.iterations, record.iteration ?? 0),
      };
    case 'wait.started': {
      const waitMs = Math.max(0, record.until - record.at);
      const troubleMs = (state.troubleMs ?? 0) + (record.announced ? 0 : waitMs);
      return { ...state, waitUntil: record.until, waitMs, waitWhy: record.why, troubleMs };
    }
    case 'wait.ended': {
      const { waitUntil: _, waitMs: __, parked, ...rest } = state;
      // A person who ends a wait wants parked agents to be tried again, too.
      return { ...rest, ...(parked && record.by !== 'person' ? { parked } : {}), waitWhy: '' };
    }
    case 'agent.parked': {
      const { agent, type: _, seq: __, ...parked } = record;
      return { ...state, parked: { ...state.parked, [agent]: parked } };
    }
    case 'item.marked': {
      const isAgain = record.to === 'pending';
      return markItem(isAgain ? reopen(notGiven(state, record.item), record.item) : state, record);
    }
    case 'question.asked':
      return questionTold(state, record);
    case 'question.answered':
      return answerItem(reopen(state, record.item), record);
    case 'item.retried':
      return retryItem(reopen(notGiven(state, record.item), record.item), record);
    case 'item.added':
      if (record.mends !== undefined) return state;
      return withItem(
        { ...state, fixes: state.fixes + 1 },
        record.item,
        record.gate === undefined ? {} : { finalGate: record.gate },
      );
    case 'review.started': {
      const { review, item, round, base, tree, lease } = record;
      return startReview(state, { ...workerIn(record), review, item, round, base, tree, lease, startedAt: record.at });
    }
    case 'reviewer.started':
      return changeReview(state, record.review, { process: record.process });
    case 'review.finished': {
      const item = itemOf(state, record.item);
      const next = withItem(endReview(state, record.review), record.item, {
        costUsd: item.costUsd + record.costUsd,
        review: reviewed(item.review, record),
      });
      const spent = { usage: addUsage(state.usage, record.usage), costUsd: state.costUsd + record.costUsd };
      return { ...next, ...spent, retries: 0, troubleMs: 0 };
    }
    case 'review.settled': {
      const { review } = itemOf(state, record.item);
      const next = review ? withItem(state, record.item, { review: { ...review, settled: true } }) : state;
      return { ...next, tip: record.commit ?? state.tip };
    }
    case 'review.aborted': {
      const item = itemOf(state, record.item);
      const next = withItem(endReview(state, record.review), record.item, { costUsd: item.costUsd + record.costUsd });
      const spent = { usage: addUsage(state.usage, record.usage), costUsd: state.costUsd + record.costUsd };
      return { ...next, ...spent, retries: record.failure ? state.retries + 1 : state.retries };
    }
    case 'stopping':
      return { ...state, openIterations: state.openIterations.map(open => ({ ...open, stopping: true as const })) };
    case 'steered':
      return { ...state, steering: [...state.steering, record.text].slice(-STEERING_KEPT) };
    case 'paused':
      return { ...state, paused: true, pausedAt: record.at };
    case 'unpaused': {
      const { pausedAt: _, ...rest } = state;
      return { ...rest, paused: false };
    }
    case 'final':
      return { ...state, final: record.gates };
    case 'run.finished': {
      const { reason, why, at, unsettled } = record;
      const { reopened: _, ...rest } = state;
      return { ...rest, finished: { reason, why, at, ...(unsettled ? { unsettled } : {}) } };
    }
    case 'run.discarded':
      return { ...state, discarded: true };
    case 'run.restored': {
      const { discarded: _, ...rest } = state;
      return rest;
    }
    case 'branch.taken':
      return { ...state, tip: record.commit };
    case 'branch.pushed': {
      const { remote, commit, why } = record;
      const last = why === undefined ? { remote, commit } : { remote, commit: state.pushed?.commit ?? '', why };
      return { ...state, pushed: last };
    }
    case 'remote.changed':
      return { ...state, remoteChanges: { remote: record.remote, refs: record.refs } };
    case 'plan.restored':
    case 'merge':
    case 'lessons.shown':
    case 'lessons.said':
    case 'lessons.changed':
      return state;
    default:
      return ofNewerVersion(state, record);
  }
}

/** Fails to compile if an event has no case above. At run time it ignores events in journals of newer versions. */
const ofNewerVersion = (state: RunState, _: never): RunState => state;
