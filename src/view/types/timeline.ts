/** Where the time went: iterations in columns, so that ten thousand of them stay small. */
import type { Tape, VerdictRow } from './common.ts';
import type { ReviewView } from './plan.ts';

export interface TimelineView {
  readonly sentence: string;
  /** Every `start` counts from here. */
  readonly from: number;
  readonly now: number;
  /** Item ids and titles; `item` below is an index into this list. */
  readonly items: readonly (readonly [id: string, title: string])[];
  /** Columns of equal length, one entry per iteration in the order of their start. */
  readonly columns: TimelineColumns;
  /** One letter per iteration, as long as the columns. */
  readonly verdicts: Tape;
  readonly waits: readonly SpanView[];
  readonly pauses: readonly SpanView[];
  readonly reviews: readonly ReviewView[];
  /** What was not accepted, newest first, at most 500. */
  readonly refused: readonly VerdictRow[];
}

export interface TimelineColumns {
  /** The iteration's number; after one was cut off, the next has the same number. */
  readonly n: readonly number[];
  readonly item: readonly number[];
  readonly attempt: readonly number[];
  /** Milliseconds after `from`. */
  readonly start: readonly number[];
  /** How long each part took; the iteration is the sum of these four. */
  readonly agent: readonly number[];
  readonly gates: readonly number[];
  readonly proof: readonly number[];
  /** Time between them: recording the tree, guards, commits. */
  readonly rest: readonly number[];
  readonly costUsd: readonly number[];
  readonly worker: readonly number[];
}

export interface SpanView {
  readonly start: number;
  /** Null while it lasts. */
  readonly end: number | null;
  readonly why: string;
}
