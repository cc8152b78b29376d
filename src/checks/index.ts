/** Runs gates and guards on a tree, before and during a run, and ends processes that a dead runner left behind. */
export { describeLeftover, endAbandoned } from './leftovers.ts';
export { type CheckPlace, runChecks, verifyGates } from './run-checks.ts';
export { seeChange } from './see-change.ts';
