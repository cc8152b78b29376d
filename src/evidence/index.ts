/** Gates, test results, proofs and reviews, and the verdict based on them. */
export { CAPTURE_BYTES, runGates, testsOf } from './gates.ts';
export { fewerTests } from './proof/fewer.ts';
export { type Choices, findingsFrom, isOn, type ProofFound } from './proof/finding.ts';
export { sameFile } from './proof/match.ts';
export { type Mutation, mutations } from './proof/mutants.ts';
export { judgeOldTests } from './proof/old-tests.ts';
export { addsCode, judgeTdd, proveTests, writtenTests } from './proof/red-green.ts';
export { disturbsOldTests, entriesOf, isTestSide } from './proof/sides.ts';
export { judgeMutants, mutantsOf } from './proof/survivors.ts';
export { looksLikeTests } from './results/read.ts';
export type { TestResults } from './results/tally.ts';
export {
  type AskedReviews,
  type DueReview,
  dueOfDone,
  dueReview,
  type Earlier,
  unsettledReviews,
} from './review-due.ts';
export { isBlamed, type VerdictInput, verdict } from './verdict.ts';
