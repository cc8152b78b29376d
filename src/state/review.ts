/** The review state of one item: a part of the fold of the journal. */
import type { Durable } from '../events.ts';
import type { ReviewFinding, ReviewVerdict } from '../protocol.ts';

export interface ReviewState {
  /** Rounds that ended with a verdict. */
  readonly rounds: number;
  /** Finished reviews of this item, readable or not. */
  readonly tries: number;
  /** Unreadable answers in a row. */
  readonly unclear: number;
  /** The verdict of the last review. */
  readonly verdict: ReviewVerdict;
  readonly findings: readonly ReviewFinding[];
  readonly why: string;
  /** The items that were added to fix the findings, newest last. */
  readonly fixes: readonly string[];
  /** The consequences of the verdict are written into the plan. */
  readonly settled: boolean;
}

/** After one unreadable answer the review is repeated; after two, a person is needed. */
export const UNCLEAR_LIMIT = 2;

export function reviewed(
  before: ReviewState | undefined,
  record: Extract<Durable, { type: 'review.finished' }>,
): ReviewState {
  const { verdict, findings, why, fix } = record;
  const { rounds = 0, tries = 0, unclear = 0, fixes = [] } = before ?? {};
  const isUnclear = verdict === 'unclear';
  return {
    rounds: isUnclear ? rounds : rounds + 1,
    tries: tries + 1,
    unclear: isUnclear ? unclear + 1 : 0,
    verdict,
    // An unreadable answer does not invalidate the findings of the round before it.
    findings: isUnclear ? (before?.findings ?? []) : findings,
    why,
    fixes: fix === undefined ? fixes : [...fixes, fix],
    settled: isUnclear,
  };
}

/** Whether only a person can continue: findings after the last round, no fix item could be added, or no readable answer. */
export function needsPerson(
  { rounds, unclear, verdict, fixes }: ReviewState,
  { maxRounds }: { readonly maxRounds: number },
): boolean {
  if (verdict === 'pass') return false;
  if (verdict === 'unclear') return unclear >= UNCLEAR_LIMIT;
  return rounds >= maxRounds || fixes.length < rounds;
}
