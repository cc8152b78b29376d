/** The library: everything the command line does, as calls that return values. */
export type { Overrides, Settings } from './config/index.ts';
export type { Durable, Event, EventSink, Passing, Recorded, RunLimits, StopReason } from './events.ts';
export { readJournal } from './journal/index.ts';
export {
  type CheckReport,
  checkReport,
  markedFiles,
  markPlan,
  type OpenOptions,
  type OpenPlan,
  openPlan,
  pickNext,
  reparse,
  type TextReading,
  textDocument,
} from './plan/index.ts';
export { Stopper } from './process/index.ts';
export type * from './protocol.ts';
export { actorPlaces, guardIds, messageKinds, ruleIds } from './protocol.ts';
export type { AuditReport, RunCommits } from './report/index.ts';
export { type RunOptions, type RunResult, run } from './run.ts';
export {
  type AuditOptions,
  audit,
  type CountedLesson,
  type DoctorOptions,
  type DoctorReport,
  doctor,
  type Finding as DoctorFinding,
  type LessonsOptions,
  lessons,
  type PlanFile,
  planFile,
  type RunPlace,
  report,
} from './start/index.ts';
export {
  fold,
  type ItemState,
  type OpenIteration,
  type OpenReview,
  openOf,
  openReviewOf,
  type RunState,
  reduce,
} from './state.ts';
export { describeFailure, type Failure, type FailureReason, type Result } from './util/result.ts';
