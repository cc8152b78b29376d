/** The data of the plots: is it worth the cost, and does it get better? The title of each plot states its finding. */
import type { ItemStand, LimitsView, Tape } from './common.ts';

export interface CostsView {
  readonly spending: SpendingPlot;
  readonly growing: GrowingPlot;
  readonly compounding: CompoundingPlot;
  readonly gates: GatesPlot;
  /** Most expensive first, at most 20. */
  readonly items: readonly {
    readonly id: string;
    readonly title: string;
    readonly status: ItemStand;
    readonly tape: Tape;
    readonly inputTokens: number;
    readonly durationMs: number;
    readonly costUsd: number;
  }[];
}

/** Cumulative cost and tokens over time. At most 2,000 points. */
export interface SpendingPlot {
  readonly title: string;
  readonly at: readonly number[];
  readonly costUsd: readonly number[];
  readonly tokens: readonly number[];
  readonly limits: LimitsView;
  /** The part for which no bill follows: a subscription, or prices of a table. */
  readonly notionalUsd: number;
}

/** Tokens read by fresh contexts (measured), and by one growing session (estimated). */
export interface GrowingPlot {
  readonly title: string;
  readonly n: readonly number[];
  readonly fresh: readonly number[];
  readonly growing: readonly number[];
  /** How the estimate is computed, in words; shown beside the plot. */
  readonly formula: string;
  readonly ratio: number | null;
}

/** Run by run, oldest first; this run is the last one. */
export interface CompoundingPlot {
  readonly title: string;
  readonly runs: readonly {
    readonly run: string;
    readonly name: string;
    readonly at: number;
    readonly items: number;
    readonly iterations: number;
    /** Iterations per finished item; null if none was finished. */
    readonly perItem: number | null;
    readonly costUsd: number;
    readonly lessonsGained: number;
    /** Null if the run's record does not say. */
    readonly lessonsRetired: number | null;
    readonly lessonsShown: number;
  }[];
}

/** How long each gate took per iteration; null if it did not run. At most 2,000 points. */
export interface GatesPlot {
  readonly title: string;
  readonly names: readonly string[];
  readonly n: readonly number[];
  /** One list per name. */
  readonly ms: readonly (readonly (number | null)[])[];
  readonly proofMs: readonly (number | null)[];
}
