/** What the reviews of one item have come to: a part of the fold of the journal. */
import type { Durable } from '../events.ts';
import type { ReviewFinding, ReviewVerdict } from '../protocol.ts';

export interface ReviewState {
  /** Rounds that ended with a verdict. */
  readonly rounds: number;
  /** Reviewers of this item that finished, read or not. */
  readonly tries: number;
  /** Answers in a row that could not be read. */
  readonly unclear: number;
  /** The last one. */
  readonly verdict: ReviewVerdict;
  readonly findings: readonly ReviewFinding[];
  readonly why: string;
  /** The items that were to mend what was found, newest last. */
  readonly fixes: readonly string[];
  /** What follows from the verdict is in the plan. */
  readonly settled: boolean;
}

/** One answer that cannot be read is asked for again; two need a person. */
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
    // An unreadable answer does not make the findings of the round before it untrue.
    findings: isUnclear ? (before?.findings ?? []) : findings,
    why,
    fixes: fix === undefined ? fixes : [...fixes, fix],
    settled: isUnclear,
  };
}

/** Whether only a person can settle it: findings after the last round, no fix item to be had, or no readable answer. */
export function needsPerson(
  { rounds, unclear, verdict, fixes }: ReviewState,
  { maxRounds }: { readonly maxRounds: number },
): boolean {
  if (verdict === 'pass') return false;
  if (verdict === 'unclear') return unclear >= UNCLEAR_LIMIT;
  return rounds >= maxRounds || fixes.length < rounds;
}
