/** The door of this room. */
export { allRuns, type RunRow, runsText, totalsOf } from './all-runs.ts';
export { type Branch, branchesSince, branchOf, byNeed } from './branches.ts';
export { discard, restore } from './discard.ts';
export { type ItemDiff, itemDiffs, patchOf } from './item-diffs.ts';
export { type MergeOptions, type MergeResult, merge } from './merge.ts';
export { branchFor } from './night-run.ts';
export { openPullRequest, type PrOptions } from './open-pull-request.ts';
export { replay, replayText } from './replay.ts';
export { revert } from './revert.ts';
export { reviewJson } from './review-json.ts';
export { headline, lookAtFirst, nextOf, reviewText } from './review-text.ts';
