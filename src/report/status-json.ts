/** `ralph status --json`: where a run is, live or not, as data. */
import type { Recorded, StopReason } from '../events.ts';
import type { ItemStatus, ReviewVerdict, Usage, Verdict } from '../protocol.ts';
import { isComplete, type OpenReview, type RunState } from '../state.ts';
import { attemptsMade } from './item-table.ts';
import { type ItemRow, overview, type PlanItem } from './overview.ts';
import type { Spent } from './recent-steps.ts';
import { verdictReason } from './sentences.ts';
import { say } from './style.ts';

/** The holder of the lock. */
export interface LockOwner {
  readonly pid: number;
  readonly command: string;
  /** Epoch milliseconds. */
  readonly since: number;
}

export interface StatusInput {
  readonly state: RunState;
  readonly items: readonly PlanItem[];
  /** The run's journal; only the latest iteration and verdict are used. */
  readonly records: Iterable<Recorded>;
  /** Undefined if no runner is alive. */
  readonly owner: LockOwner | undefined;
  readonly live?: LiveNow | undefined;
  /** How a command names the run and its plan, if commands without a name mean another one. */
  readonly named?: { readonly run: string; readonly plan: string } | undefined;
}

/** What is on disk about a live run's current activity, beyond its journal. */
export interface LiveNow {
  /** The holder of the lock runs a plan; it may also do something else, such as write one. */
  readonly runner?: true;
  /** The agent's newest step. */
  readonly doing?: string;
  /** When the agent last printed anything. */
  readonly heardAt?: number;
  /** Usage of the agent that works now; the journal counts it when the agent has ended. */
  readonly spent?: Spent;
  /** The gate that is running. */
  readonly gate?: { readonly name: string; readonly since: number };
}

/** The state of a run in one word. `starting`: before its first journal; `cut-off`: its runner died. */
export type StatusWord = 'none' | 'starting' | 'running' | 'waiting' | 'paused' | 'stopped' | 'cut-off' | 'complete';

/** What `ralph status --json` prints. Times are epoch milliseconds; a missing value is null. */
export interface StatusJson {
  /** Null before the first run has a journal. */
  readonly run: string | null;
  readonly state: StatusWord;
  readonly live: boolean;
  readonly owner: LockOwner | null;
  readonly plan: { readonly path: string; readonly format: string; readonly name: string };
  readonly branch: string;
  readonly done: number;
  /** How many of those were accepted without a claim. */
  readonly settled: number;
  readonly total: number;
  readonly blocked: number;
  readonly skipped: number;
  /** Items still to be done, including the current one. */
  readonly pending: number;
  readonly iterations: number;
  readonly current: {
    readonly iteration: number;
    readonly item: string;
    readonly attempt: number;
    readonly since: number;
  } | null;
  /** The review that is in progress. */
  readonly reviewing: {
    readonly review: number;
    readonly item: string;
    readonly round: number;
    readonly since: number;
  } | null;
  readonly waiting: { readonly until: number; readonly why: string } | null;
  readonly paused: boolean;
  /** The last step of a live run's agent, or the gate that is running. */
  readonly doing: string | null;
  /** What that agent has used so far; added to `usage` and `costUsd` when it has ended. */
  readonly running: Spent | null;
  readonly last: { readonly item: string; readonly verdict: Verdict['type']; readonly why: string } | null;
  readonly usage: Usage;
  readonly costUsd: number;
  readonly activeMs: number;
  readonly finished: { readonly reason: StopReason; readonly why: string; readonly at: number } | null;
  readonly items: readonly {
    readonly id: string;
    readonly title: string;
    readonly status: ItemStatus;
    /** Iterations that ended with a verdict on the work, plus the current one. */
    readonly attempts: number;
    readonly commit: string | null;
    /** It was accepted without a claim. */
    readonly settled: boolean;
    readonly why: string;
    /** The result of its reviews. */
    readonly review: { readonly verdict: ReviewVerdict; readonly rounds: number; readonly findings: number } | null;
  }[];
}

export function statusJson({ state, items, records, owner, live = {} }: StatusInput): StatusJson {
  const { rows, ...counts } = overview(state, items, { isLive: owner !== undefined });
  const { since, verdict } = latest(records, state);
  const [open] = state.openIterations;
  const [openReview] = state.openReviews;
  return {
    run: state.run || null,
    state: wordFor(state, owner),
    live: owner !== undefined,
    owner: owner ?? null,
    plan: state.plan,
    branch: state.branch,
    ...counts,
    iterations: state.iterations,
    current: open
      ? { iteration: open.iteration, item: open.item, attempt: open.attempt, since: open.at ?? since }
      : null,
    reviewing: openReview ? reviewing(openReview) : null,
    waiting: state.waitUntil === undefined ? null : { until: state.waitUntil, why: state.waitWhy },
    paused: state.paused,
    doing: live.gate ? `gate ${say(live.gate.name)}` : (live.doing ?? null),
    running: live.spent ?? null,
    last: verdict ? { item: verdict.item, verdict: verdict.verdict.type, why: verdictReason(verdict.verdict) } : null,
    usage: state.usage,
    costUsd: state.costUsd,
    activeMs: state.activeMs,
    finished: state.finished ?? null,
    items: rows.map(row => ({
      id: row.id,
      title: row.title,
      status: row.status,
      attempts: attemptsMade(row),
      commit: row.state.commit ?? null,
      settled: row.state.settled ?? false,
      why: row.why,
      review: reviewOf(row),
    })),
  };
}

function wordFor(state: RunState, owner: LockOwner | undefined): StatusWord {
  const { run, finished, paused, waitUntil } = state;
  if (run === '') return owner ? 'starting' : 'none';
  if (owner) return paused ? 'paused' : waitUntil === undefined ? 'running' : 'waiting';
  if (!finished) return 'cut-off';
  return isComplete(state) ? 'complete' : 'stopped';
}

function reviewOf({ state }: ItemRow): StatusJson['items'][number]['review'] {
  const { review } = state;
  return review ? { verdict: review.verdict, rounds: review.rounds, findings: review.findings.length } : null;
}

const reviewing = ({ review, item, round, startedAt }: OpenReview): StatusJson['reviewing'] => ({
  review,
  item,
  round,
  since: startedAt,
});

interface Latest {
  readonly since: number;
  readonly verdict: Extract<Recorded, { type: 'verdict' }> | undefined;
}

export function latest(records: Iterable<Recorded>, state: RunState): Latest {
  let since = state.lastAt;
  let verdict: Latest['verdict'];
  for (const record of records) {
    if (record.type === 'iteration.started') since = record.at;
    if (record.type === 'verdict') verdict = record;
  }
  return { since, verdict };
}
