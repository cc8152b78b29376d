/** What running tests on other trees than the one that is judged has shown. */

/** One new or changed test on the base: it failed there, it could not even be loaded, or it passed and proves nothing. */
export interface TestProof {
  readonly path: string;
  readonly test: string;
  readonly line: number;
  readonly proof: 'proven' | 'weak' | 'vacuous';
}

/** One small change that was made to the new code to see whether a test notices. */
export interface Mutant {
  readonly path: string;
  readonly line: number;
  readonly change: string;
  readonly noticed: boolean;
}

export interface Proof {
  /** How long it took, checkouts included; runs of older versions do not say. */
  readonly durationMs?: number;
  readonly tests: readonly TestProof[];
  readonly mutants: readonly Mutant[];
}

/** What finding it out took: test gates that were run beside the usual ones. */
export interface TrialCost {
  readonly runs: number;
  /** Of these runs alone. */
  readonly durationMs: number;
  /** What for, in words. */
  readonly why: readonly string[];
  /** From the first to the last of it, checkouts included. */
  readonly wallMs?: number;
  /** Each of `why` in its turn, and how long it took with its checkout. */
  readonly steps?: readonly { readonly why: string; readonly runs: number; readonly durationMs: number }[];
}
