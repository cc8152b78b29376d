/** The library: everything the command line does is a call of this. */
export type { Overrides, Settings } from './config/settings.ts';
export type { Durable, Event, EventSink, Passing, Recorded, StopReason } from './events.ts';
export { readJournal } from './journal/journal.ts';
export { Stopper } from './loop/stopper.ts';
export { pickNext } from './plan/next.ts';
export { type CheckReport, checkReport, markPlan, type OpenPlan, openPlan, reparse } from './plan/open.ts';
export type * from './protocol.ts';
export { guardIds, ruleIds } from './protocol.ts';
export { type RunOptions, type RunResult, run } from './run.ts';
export { type PlanFile, planFile } from './start/plan-file.ts';
export { fold, type ItemState, type RunState, reduce } from './state.ts';
export { describeFailure, type Failure, type Result } from './util/result.ts';
