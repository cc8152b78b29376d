/** What happened, on disk: journals, their runs, the lock, and requests from other terminals. */
export {
  answerTo,
  dropRequests,
  itemIn,
  makeInbox,
  type Received,
  type Request,
  receiveRequests,
  sendRequest,
} from './control.ts';
export { firstRecord, Journal, type JournalPlace, readJournal } from './journal.ts';
export { liveTail, openLiveFile } from './live-file.ts';
export { describeNotLocked, lockFolder, runnerAt } from './live-runner.ts';
export { loadLockOwner } from './load-owner.ts';
export { type Lock, type LockOwner, lockOwner } from './lock.ts';
export { packOldIterations } from './pack-iterations.ts';
export { listFirst, listRuns, listRunsWithPlans, planKey } from './run-list.ts';
export {
  iterationFolder,
  journalBytes,
  journalOf,
  listRunFiles,
  makeRalphFolder,
  newRunId,
  notWritable,
  type RalphFolder,
  ralphFolder,
  readRecords,
  readRun,
  readRunFast,
  reviewFolder,
  runFolder,
  runName,
  slug,
  snapshotOf,
} from './runs.ts';
export { openSignalLog, parseSignal, type ToldSignal } from './signals.ts';
export { fileVersion, isSnapshotDue, type PlanThen, writeSnapshot } from './snapshot.ts';
