/**
 * Where a repository's runs are stored: their journals, the lock, the inbox and the list of runs. Everything that has to survive a crash
 * goes through this interface. `local-store.ts` implements it with files; `test/journal/store-conformance.ts` tests what any store has to
 * do.
 */
import type { Durable, Recorded } from '../events.ts';
import type { Result } from '../util/result.ts';
import type { Asker, Received, Request } from './control.ts';
import type { Lock, LockOptions, LockOwner, NotLocked } from './lock.ts';
import type { JournalEnd, JournalPlace, OnRecord } from './read-journal.ts';
import type { ListedRun } from './run-list.ts';

/** Appends to the journal of one run; the lock guarantees a single writer. */
export interface JournalWriter {
  /** The position after the last record. */
  readonly end: JournalPlace;
  /** The record is written when this returns; throws if that fails, because nobody may act on an unrecorded event. */
  append<E extends Durable>(event: E, at: number): Recorded<E>;
  /** Resolves when everything appended is durable: an agent starts only then. Rejects if that fails. */
  synced(): Promise<void>;
  /** Called after another program ran: restores the journal to what was written here; returns what was wrong. */
  putBack(): string | undefined;
  close(): void;
}

/** A request that was sent to a run. */
export interface Sent {
  /** The run's answer; undefined until there is one. */
  answer(): string | undefined;
  /** Removes the request if it was not taken yet, because nobody waits for it any more. */
  withdraw(): void;
}

export type LockRequest = Omit<LockOptions, 'file'>;

export interface Store {
  /** All runs, the last one worked on first. Derived from the journals, so it can be rebuilt. */
  runs(): readonly string[];
  /** The same with the key of each run's plan. */
  runsWithPlans(): readonly ListedRun[];
  /** Moves this run to the top. Called by the owner of the lock, before anything is appended to the journal. */
  workOn(run: ListedRun): void;

  /** Opens or creates a journal, and cuts off a record that a crash interrupted. */
  openJournal(run: string): Result<JournalWriter>;
  /** Reads all complete records in order, or those after a known position; damage before a complete record is refused. */
  readJournal(run: string, onRecord: OnRecord, from?: JournalPlace): Result<JournalEnd>;
  /** The position before a record that is among the last ones; undefined if it is not found there. */
  placeBefore(run: string, seq: number): JournalPlace | undefined;
  /** The first record of a journal; undefined if it is incomplete. */
  firstRecord(run: string): Recorded | undefined;

  /** Held by one process at a time; taken over only from a dead one. */
  lock(request: LockRequest): Result<Lock, NotLocked>;
  /** The live owner of the lock, if there is one. */
  owner(who: Pick<LockRequest, 'isAlive'>): LockOwner | undefined;

  /** Puts a request into the inbox, atomically. */
  send(request: Request, asker?: Asker): Sent;
  /** The requests in the inbox, in the order they were sent; each stays until `done`. */
  receive(onOther?: (what: string) => void): readonly Received[];
}
