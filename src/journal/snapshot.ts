/**
 * `state.json`: the state of a run up to some record, so that looking at a long run does not read all of it. It is a
 * cache and never the truth: believed only where the journal has exactly the record it was made after, and thrown away
 * without a word otherwise.
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
  /** Where in the journal it was made. */
  readonly place: JournalPlace;
  readonly state: RunState;
  /** The start and the verdict of the last iteration before it: what a look at the run wants to name. */
  readonly recent: readonly Recorded[];
  /** What the plan said then; missing where its file was another. */
  readonly plan?: PlanThen;
}

/** The items of a plan, for as long as its file is the same. */
export interface PlanThen {
  readonly version: string;
  readonly items: readonly Pick<Item, 'id' | 'title' | 'status' | 'note'>[];
}

/** Tells two states of a file apart without reading it; undefined where there is none. */
export function fileVersion(file: string): string | undefined {
  const stat = statSync(file, { bigint: true, throwIfNoEntry: false });
  return stat && `${stat.ino} ${stat.size} ${stat.mtimeNs} ${stat.ctimeNs}`;
}

/** Another version may fold the same records into another state; the number counts the shapes of it. */
const WRITER = `${typeof __VERSION__ === 'string' ? __VERSION__ : 'source'}/3`;

/** Every so many iterations, and at the end. */
const INTERVAL = 50;

export const isSnapshotDue = (record: Recorded): boolean =>
  record.type === 'run.finished' || (record.type === 'iteration.finished' && record.iteration % INTERVAL === 0);

/** Whole or not at all, but not synced: nothing depends on it. A disk that refuses is no reason to stop. */
export function writeSnapshot(file: string, { state, ...rest }: Snapshot): void {
  try {
    const stored = { writer: WRITER, ...rest, state: { ...state, items: [...state.items] } };
    writeOwnSoon(file, JSON.stringify(stored));
  } catch {
    // The next one may fit.
  }
}

/** The snapshot in this file, if it is one of this journal's. */
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

/** No record that a snapshot is made after is longer. */
const REACH = 64 * 1024;

/** Whether the record that ends there has this number and this sum, which vouches for itself and all before it. */
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
