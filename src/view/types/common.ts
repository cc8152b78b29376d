/** Types that several views share. Times are epoch milliseconds, durations milliseconds; a missing value is null. */
import type { StopReason } from '../../events.ts';
import type { FailureReason } from '../../util/result.ts';

/** What went wrong and what to do next; every response that is not 2xx contains one under `error`. */
export interface ErrorView {
  /** For programs; the list is in docs/library.md. */
  readonly reason: FailureReason;
  readonly message: string;
  /** The next step, as a sentence or a command that can be pasted. */
  readonly hint: string | null;
}

export interface ErrorAnswer {
  readonly error: ErrorView;
}

export type RunStatus =
  | 'starting'
  | 'running'
  | 'waiting'
  | 'paused'
  | 'complete'
  | 'stopped'
  /** Its runner died without an end; `ralph run` resumes it. */
  | 'cut-off'
  /** Its journal is damaged; `problem` says where. */
  | 'unreadable';

/** `open`: can be picked next. `held`: waits for items it depends on. */
export type ItemStand = 'done' | 'blocked' | 'skipped' | 'in-progress' | 'open' | 'held';

export type VerdictWord = 'accepted' | 'progress' | 'rejected' | 'blocked' | 'retry' | 'aborted' | 'open';

/**
 * A tape: one letter per iteration, oldest first. `a` accepted, `p` progress, `r` rejected (refused), `b` blocked,
 * `t` retry, `x` cut off, `o` open (being worked on).
 */
export type Tape = string;

export interface EndView {
  readonly reason: StopReason;
  /** The stop in one sentence. */
  readonly sentence: string;
  readonly why: string;
  readonly at: number;
}

export interface UsageView {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cachedTokens: number;
}

/** The limits in force; a missing one is unknown (older journals) or not set. */
export interface LimitsView {
  readonly iterations?: number;
  readonly timeMs?: number;
  readonly costUsd?: number;
  readonly idleMs?: number;
  readonly iterationMs?: number;
  readonly attempts?: number;
}

export interface CountsView {
  readonly total: number;
  readonly done: number;
  /** How many of the done items were accepted without a claim. */
  readonly settled: number;
  readonly blocked: number;
  readonly skipped: number;
  /** All others. */
  readonly pending: number;
}

export interface ItemRef {
  readonly id: string;
  readonly title: string;
  readonly status: ItemStand;
}

/** Who did it and from where (`terminal`, `page`), if the journal says so. */
export interface ActorView {
  readonly who: string | null;
  readonly from: string | null;
}

/** One verdict as a row of a list. */
export interface VerdictRow {
  readonly n: number;
  readonly item: string;
  readonly title: string;
  readonly attempt: number;
  readonly verdict: VerdictWord;
  /** For a rejected one: `gate-red`, `guard`, `no-change` and so on. */
  readonly reason: string | null;
  readonly why: string;
  readonly at: number;
  readonly durationMs: number;
  readonly costUsd: number;
  readonly commit: string | null;
  readonly ref: string | null;
}
