/** Reads the state of a run from its journal. */
import type { Recorded } from '../events.ts';
import { fold, type RunState } from '../state.ts';
import { ok, type Result } from '../util/result.ts';
import { storeOf } from './local-store.ts';
import type { JournalPlace } from './read-journal.ts';
import { journalOf, type RalphFolder, snapshotOf } from './runs.ts';
import { type PlanThen, readSnapshot } from './snapshot.ts';
import type { Store } from './store.ts';

export interface ReadRun {
  readonly state: RunState;
  readonly records: readonly Recorded[];
  /** The plan's items at the last snapshot. */
  readonly plan?: PlanThen;
}

/** All records of a run; undefined if its journal cannot be read. */
export function readRecords(folder: RalphFolder, run: string): readonly Recorded[] | undefined {
  const records: Recorded[] = [];
  return storeOf(folder).readJournal(run, record => records.push(record)).ok ? records : undefined;
}

/** How many records are in memory at a time. */
const BATCH = 50;

/**
 * All records of a run, read lazily: the records of a long run take far more memory than its journal takes disk space. Undefined if the
 * journal cannot be read to its end.
 */
export function recordsOf(folder: RalphFolder, run: string): Iterable<Recorded> | undefined {
  const store = storeOf(folder);
  return store.readJournal(run, () => undefined).ok ? { [Symbol.iterator]: () => inBatches(store, run) } : undefined;
}

function* inBatches(store: Store, run: string): Generator<Recorded> {
  let place: JournalPlace | undefined;
  for (let count = BATCH; count === BATCH; ) {
    const batch: Recorded[] = [];
    store.readJournal(
      run,
      (record, after) => {
        place = after;
        return batch.push(record) === BATCH ? 'enough' : undefined;
      },
      place,
    );
    yield* batch;
    count = batch.length;
  }
}

/** Reads a run from its whole journal. */
export function readRun(folder: RalphFolder, run: string): Result<ReadRun> {
  const records: Recorded[] = [];
  const end = storeOf(folder).readJournal(run, record => records.push(record));
  return end.ok ? ok({ state: fold(records), records }) : end;
}

/** The same state but only the last records: what the snapshot covers is not read. */
export function readRunFast(folder: RalphFolder, run: string): Result<ReadRun> {
  const snapshot = readSnapshot(snapshotOf(folder, run), journalOf(folder, run));
  if (!snapshot) return readRun(folder, run);
  const since: Recorded[] = [];
  const read = storeOf(folder).readJournal(run, record => since.push(record), snapshot.place);
  // A full read reports the error with its line number.
  if (!read.ok) return readRun(folder, run);
  const { recent, plan } = snapshot;
  return ok({ state: fold(since, snapshot.state), records: [...recent, ...since], ...(plan ? { plan } : {}) });
}
