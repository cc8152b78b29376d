/** The library: what the command line does, as calls that return values. */
export type { Overrides, Settings } from './config/settings.ts';
export type { Durable, Event, EventSink, Passing, Recorded, StopReason } from './events.ts';
export { readJournal } from './journal/journal.ts';
export { Stopper } from './loop/stopper.ts';
export { pickNext } from './plan/next.ts';
export {
  type CheckReport,
  checkReport,
  markedFiles,
  markPlan,
  type OpenOptions,
  type OpenPlan,
  openPlan,
  reparse,
} from './plan/open.ts';
export type * from './protocol.ts';
export { guardIds, ruleIds } from './protocol.ts';
export type { AuditReport } from './report/audit.ts';
export { type RunOptions, type RunResult, run } from './run.ts';
export { type AuditOptions, audit } from './start/audit.ts';
export type { RunPlace } from './start/current-run.ts';
export type { Finding as DoctorFinding } from './start/diagnose.ts';
export { type DoctorOptions, type DoctorReport, doctor } from './start/doctor.ts';
export { type CountedLesson, type LessonsOptions, lessons } from './start/lessons.ts';
export { type PlanFile, planFile } from './start/plan-file.ts';
export { report } from './start/report.ts';
export { fold, type ItemState, type RunState, reduce } from './state.ts';
export { describeFailure, type Failure, type Result } from './util/result.ts';
