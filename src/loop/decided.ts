/** One iteration with its verdict, and the result of landing its accepted work. */
import type { Evidence, Verdict } from '../protocol.ts';
import type { Result } from '../util/result.ts';

export interface Decided {
  readonly iteration: number;
  readonly item: string;
  readonly attempt: number;
  readonly base: string;
  /** The content of the work tree at the start of the iteration. */
  readonly startTree: string;
  readonly evidence: Evidence;
  readonly verdict: Verdict;
  readonly message: string;
  /** When the verdict was recorded; also the date of the commit. */
  readonly at: number;
  readonly startedAt: number;
}

export interface Kept {
  readonly commit?: string;
  readonly ref?: string;
  /** The content of the work tree afterwards. */
  readonly tree: string;
}

export type Landed =
  /** `here` is the tree in the worker's own checkout. */
  | { readonly type: 'landed'; readonly here: string }
  /** The work conflicts with what others landed meanwhile. */
  | { readonly type: 'sent-back'; readonly verdict: Extract<Verdict, { type: 'rejected' }> }
  /** Somebody asked for an immediate stop: the next start lands the work. */
  | { readonly type: 'stopped' };

/** Queues accepted work in the merge line and puts it on the run's branch; `finish` records it. */
export type Land = (decided: Decided, finish: (kept: Kept) => void) => Promise<Result<Landed>>;
