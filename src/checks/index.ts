/** Gates and guards put to work on a tree, before a run and during one, and what a dead runner left of them. */
export { describeLeftover, endAbandoned } from './leftovers.ts';
export { type CheckPlace, runChecks, verifyGates } from './run-checks.ts';
export { seeChange } from './see-change.ts';
