/** The library: everything the command line does is a call of this. */
export type { Overrides, Settings } from './config/settings.ts';
export type { Durable, Event, EventSink, Passing, Recorded, StopReason } from './events.ts';
export { readJournal } from './journal/journal.ts';
export { Stopper } from './loop/stopper.ts';
export { type CheckReport, checkReport, openPlan } from './plan/open.ts';
export type * from './protocol.ts';
export { type RunOptions, type RunResult, run } from './run.ts';
export { fold, type ItemState, type RunState, reduce } from './state.ts';
export { describeFailure, type Failure, type Result } from './util/result.ts';
