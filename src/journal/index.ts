/** What survives a crash: journals, the list of runs, the lock, and requests from other terminals. */
export { bundlesIn, unbundleCommand } from './attempt-bundles.ts';
export { adoptRequests, dropRequests, itemIn, makeInbox, type Received, type Request } from './control.ts';
export { Journal } from './journal.ts';
export { liveTail, openLiveFile } from './live-file.ts';
export { describeNotLocked, lockFolder, newestAt, runnerAt } from './live-runner.ts';
export { storeOf } from './local-store.ts';
export type { Lock, LockOwner } from './lock.ts';
export { movedSince, noteMoved } from './moved-refs.ts';
export { packOldIterations } from './pack-iterations.ts';
export { type JournalPlace, readJournal } from './read-journal.ts';
export { type ReadRun, readRecords, readRun, readRunFast, recordsOf } from './read-run.ts';
export { listRuns, planKey } from './run-list.ts';
export {
  iterationFolder,
  journalBytes,
  journalOf as journalFile,
  listRunFiles,
  makeRalphFolder,
  newRunId,
  notWritable,
  type RalphFolder,
  ralphFolder,
  reviewFolder,
  runFolder,
  runName,
  slug,
  snapshotOf,
} from './runs.ts';
export { type LiveSeat, liveSeats, seatOf, seatOfOwner, seatOfRun } from './seats.ts';
export { openSignalLog, parseSignal, type ToldSignal } from './signals.ts';
export { fileVersion, isSnapshotDue, type PlanThen, writeSnapshot } from './snapshot.ts';
export type { JournalWriter, Sent, Store } from './store.ts';
