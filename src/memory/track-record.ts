/** What happened in the iterations that a lesson was shown to, and what follows from it. */
import { plural } from '../util/show.ts';

export interface Counts {
  readonly shown: number;
  /** Cited by the agent as used. */
  readonly used: number;
  /** Iterations it was shown to that were accepted. Being shown is no merit: this only says what `lost` is a part of. */
  readonly won: number;
  /** Iterations it was shown to that failed in what it is about, or that cited it and failed. */
  readonly lost: number;
  /** Cited as used in an iteration whose work failed. */
  readonly failed: number;
  /** When it was last cited in an accepted one, epoch milliseconds. */
  readonly lastWon: number;
}

/** Accepted and rejected iterations. */
export interface Decided {
  readonly won: number;
  readonly lost: number;
}

export const noCounts: Counts = { shown: 0, used: 0, won: 0, lost: 0, failed: 0, lastWon: 0 };

/** One-sided, nine times of ten: lessons are cheap, so a moderate certainty is enough. */
const Z = 1.28;
/** One that nobody has seen at work yet stands between those that proved themselves and those that failed. */
const UNPROVEN = 0.3;
/** Shown as often as this without being cited, it is trusted half as much. */
const PATIENCE = 3;
const FEWEST = 4;

export function addCounts(a: Counts, b: Counts): Counts {
  return {
    shown: a.shown + b.shown,
    used: a.used + b.used,
    won: a.won + b.won,
    lost: a.lost + b.lost,
    failed: a.failed + b.failed,
    lastWon: Math.max(a.lastWon, b.lastWon),
  };
}

/** What is left when `b` is taken out again; when it last won is not told by sums, and stays. */
export const subtractCounts = (a: Counts, b: Counts): Counts => ({
  shown: a.shown - b.shown,
  used: a.used - b.used,
  won: a.won - b.won,
  lost: a.lost - b.lost,
  failed: a.failed - b.failed,
  lastWon: a.lastWon,
});

/** Bounds of the Wilson score interval for `won` of `won + lost`. */
export function wilson({ won, lost }: Decided): { readonly lower: number; readonly upper: number } {
  const n = won + lost;
  if (n === 0) return { lower: 0, upper: 1 };
  const p = won / n;
  const centre = p + Z ** 2 / (2 * n);
  const spread = Z * Math.sqrt((p * (1 - p)) / n + Z ** 2 / (4 * n ** 2));
  const scale = 1 + Z ** 2 / n;
  return { lower: Math.max(0, (centre - spread) / scale), upper: Math.min(1, (centre + spread) / scale) };
}

/**
 * From 0 to 1: how much a lesson may be trusted to help. Only cited use speaks for it; one that is shown again and again
 * and never cited, or that failed, is trusted less and less.
 */
export function standing({ used, failed, won, lost }: Counts): number {
  const helped = used - failed;
  if (helped <= 0) return (UNPROVEN * PATIENCE) / (PATIENCE + won + 2 * lost);
  return 0.5 + 0.5 * wilson({ won: helped, lost }).lower;
}

/**
 * Why a lesson retires, or nothing. It has to lose more than half of the time, and more often than iterations it was not
 * shown to: what is hard anyway is not its fault.
 */
export function whyRetired(counts: Counts, all: Decided): string | undefined {
  const decided = counts.won + counts.lost;
  if (decided < FEWEST) return undefined;
  const others = { won: Math.max(0, all.won - counts.won), lost: Math.max(0, all.lost - counts.lost) };
  const usual = (others.won + 1) / (others.won + others.lost + 2);
  if (wilson(counts).upper >= Math.min(0.5, usual)) return undefined;
  return `${counts.lost} of the ${plural(decided, 'iteration')} it was shown to failed in what it is about`;
}
