/**
 * `state.json`: the state of a run up to some record, so that reading a long run is fast. It is a cache and never the truth: valid only if
 * the journal contains exactly the record it was made after, and silently ignored otherwise.
 */
import { closeSync, readSync, statSync } from 'node:fs';
import type { Recorded } from '../events.ts';
import type { Item } from '../protocol.ts';
import type { ItemState, RunState } from '../state.ts';
import { readText, writeOwnSoon } from '../util/files.ts';
import { openRegular } from '../util/regular.ts';
import { type JournalPlace } from './read-journal.ts';
import { endsWithSum } from './record-line.ts';

declare const __VERSION__: string;

export interface Snapshot {
  /** The position in the journal at which it was made. */
  readonly place: JournalPlace;
  readonly state: RunState;
  /** The start and the verdict of the last iteration before it, for display. */
  readonly recent: readonly Recorded[];
  /** The plan's items at that time; missing if the file had changed since it was read. */
  readonly plan?: PlanThen;
}

/** The items of a plan, valid as long as its file is unchanged. */
export interface PlanThen {
  readonly version: string;
  readonly items: readonly Pick<Item, 'id' | 'title' | 'status' | 'note'>[];
}

/** Identifies a state of a file without reading it; undefined if there is no file. */
export function fileVersion(file: string): string | undefined {
  const stat = statSync(file, { bigint: true, throwIfNoEntry: false });
  return stat && `${stat.ino} ${stat.size} ${stat.mtimeNs} ${stat.ctimeNs}`;
}

/** Another version may fold the same records into another state; the number is the version of the snapshot's format. */
const WRITER = `${typeof __VERSION__ === 'string' ? __VERSION__ : 'source'}/4`;

/** A snapshot is written after this many iterations, and at the end. */
const INTERVAL = 50;

export const isSnapshotDue = (record: Recorded): boolean =>
  record.type === 'run.finished' || (record.type === 'iteration.finished' && record.iteration % INTERVAL === 0);

/** Written atomically but not synced, because nothing depends on it. Write errors are ignored. */
export function writeSnapshot(file: string, { state, ...rest }: Snapshot): void {
  try {
    const stored = { writer: WRITER, ...rest, state: { ...state, items: [...state.items] } };
    writeOwnSoon(file, JSON.stringify(stored));
  } catch {
    // The next snapshot may fit.
  }
}

/** The snapshot in this file, if it matches this journal. */
export function readSnapshot(file: string, journal: string): Snapshot | undefined {
  try {
    const text = readText(file);
    if (text === undefined) return undefined;
    const { writer, state, ...rest } = JSON.parse(text) as Stored;
    if (writer !== WRITER || !holds(journal, rest.place)) return undefined;
    return { ...rest, state: { ...state, items: new Map(state.items) } };
  } catch {
    return undefined;
  }
}

interface Stored extends Omit<Snapshot, 'state'> {
  readonly writer: string;
  readonly state: Omit<RunState, 'items'> & { readonly items: readonly (readonly [string, ItemState])[] };
}

/** The longest record after which a snapshot is made. */
const REACH = 64 * 1024;

/** Whether the record that ends there has this number and checksum, which covers all records before it. */
function holds(journal: string, { good, seq, sum }: JournalPlace): boolean {
  const opened = openRegular(journal);
  if (typeof opened === 'string') return false;
  const { fd, size } = opened;
  try {
    if (!Number.isSafeInteger(good) || good < 1 || good > size) return false;
    const bytes = Buffer.allocUnsafe(Math.min(good, REACH));
    if (readSync(fd, bytes, 0, bytes.length, good - bytes.length) !== bytes.length) return false;
    if (bytes.at(-1) !== 0x0a) return false;
    const line = bytes.subarray(bytes.lastIndexOf(0x0a, bytes.length - 2) + 1, -1);
    const { seq: found } = JSON.parse(line.toString('utf8')) as { seq?: unknown };
    return found === seq && endsWithSum(line, sum);
  } finally {
    closeSync(fd);
  }
}
