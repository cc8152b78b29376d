/** Results of running tests on other trees than the one that is judged. */

/** A new or changed test, run on the base: it failed there, it could not be loaded, or it passed and proves nothing. */
export interface TestProof {
  readonly path: string;
  readonly test: string;
  readonly line: number;
  readonly proof: 'proven' | 'weak' | 'vacuous';
}

/** A small change to the new code, made to see whether a test notices it. */
export interface Mutant {
  readonly path: string;
  readonly line: number;
  readonly change: string;
  readonly noticed: boolean;
}

export interface Proof {
  /** Duration including checkouts; journals of older versions do not contain it. */
  readonly durationMs?: number;
  readonly tests: readonly TestProof[];
  readonly mutants: readonly Mutant[];
}

/** The cost of a proof: test gates that were run in addition to the usual ones. */
export interface TrialCost {
  readonly runs: number;
  /** Duration of these runs alone. */
  readonly durationMs: number;
  /** The purposes, in words. */
  readonly why: readonly string[];
  /** Wall-clock time of the whole proof, checkouts included. */
  readonly wallMs?: number;
  /** Each purpose in order, and its duration including its checkout. */
  readonly steps?: readonly { readonly why: string; readonly runs: number; readonly durationMs: number }[];
}
