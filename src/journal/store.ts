/**
 * Where a repository's runs are kept: their journals, the lock, the inbox and the list. Everything that has to survive a
 * crash goes through here. `local-store.ts` keeps it in files; what any other store has to do is in
 * `test/journal/store-conformance.ts`.
 */
import type { Durable, Recorded } from '../events.ts';
import type { Result } from '../util/result.ts';
import type { Asker, Received, Request } from './control.ts';
import type { Lock, LockOptions, LockOwner, NotLocked } from './lock.ts';
import type { JournalEnd, JournalPlace, OnRecord } from './read-journal.ts';
import type { ListedRun } from './run-list.ts';

/** Adds to the journal of one run; one writer at a time, which the lock guarantees. */
export interface JournalWriter {
  /** After the last record. */
  readonly end: JournalPlace;
  /** Written when this returns; throws where it cannot be, because nobody may act on what is not written down. */
  append<E extends Durable>(event: E, at: number): Recorded<E>;
  /** Until everything is kept that was appended: an agent is started only then. Rejects where it cannot be. */
  synced(): Promise<void>;
  /** After somebody else's code ran: makes the journal what was written here; says so where it was not. */
  putBack(): string | undefined;
  close(): void;
}

/** A request that is on its way to a run. */
export interface Sent {
  /** What the run said to it; undefined as long as it has not. */
  answer(): string | undefined;
  /** Nobody waits for it any more: it is taken back, where it was not taken up. */
  withdraw(): void;
}

export type LockRequest = Omit<LockOptions, 'file'>;

export interface Store {
  /** Every run, the last one worked on first. Derived from the journals: what is lost of it is made again. */
  runs(): readonly string[];
  /** The same with what the plan of each goes by. */
  runsWithPlans(): readonly ListedRun[];
  /** This run is worked on from now on. Called by whoever holds the lock, before anything is added to its journal. */
  workOn(run: ListedRun): void;

  /** Opens or creates; what a crash left of a record that was never acknowledged is cut off. */
  openJournal(run: string): Result<JournalWriter>;
  /** Every whole record in order, or those after a known place; damage before a whole record is refused. */
  readJournal(run: string, onRecord: OnRecord, from?: JournalPlace): Result<JournalEnd>;
  /** The place before a record that is among the last ones; undefined where it is not found there. */
  placeBefore(run: string, seq: number): JournalPlace | undefined;
  /** The record a journal begins with; undefined where it is not whole. */
  firstRecord(run: string): Recorded | undefined;

  /** Held by one at a time; taken over only from the dead. */
  lock(request: LockRequest): Result<Lock, NotLocked>;
  /** Who holds the lock, if anybody alive does. */
  owner(who: Pick<LockRequest, 'isAlive'>): LockOwner | undefined;

  /** Puts a request into the inbox, whole or not at all. */
  send(request: Request, asker?: Asker): Sent;
  /** What is in the inbox, in the order it was sent, each until it is done. */
  receive(onOther?: (what: string) => void): readonly Received[];
}
