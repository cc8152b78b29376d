/** One iteration with its verdict, and what became of work that was accepted beside that of others. */
import type { Evidence, Verdict } from '../protocol.ts';
import type { Result } from '../util/result.ts';

export interface Decided {
  readonly iteration: number;
  readonly item: string;
  readonly attempt: number;
  readonly base: string;
  /** What the work tree held when the iteration began. */
  readonly startTree: string;
  readonly evidence: Evidence;
  readonly verdict: Verdict;
  readonly message: string;
  /** When the verdict was recorded: the commit's date. */
  readonly at: number;
  readonly startedAt: number;
}

export interface Kept {
  readonly commit?: string;
  readonly ref?: string;
  /** What the work tree holds now. */
  readonly tree: string;
}

export type Landed =
  /** `here` is what the worker's own checkout holds. */
  | { readonly type: 'landed'; readonly here: string }
  /** It does not fit what others put on the branch meanwhile. */
  | { readonly type: 'sent-back'; readonly verdict: Extract<Verdict, { type: 'rejected' }> }
  /** Somebody asked for an end at once: the next start lands it. */
  | { readonly type: 'stopped' };

/** Puts accepted work on the run's branch, behind whatever is in the line before it; `finish` records that it is there. */
export type Land = (decided: Decided, finish: (kept: Kept) => void) => Promise<Result<Landed>>;
