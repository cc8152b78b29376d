/**
 * The journal of one run: append-only JSON lines, each with a checksum over itself and the previous one, synced before the action it
 * announces. It is the only truth about a run; everything else is derived from it.
 */
import {
  type BigIntStats,
  closeSync,
  fstatSync,
  ftruncateSync,
  lstatSync,
  mkdirSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import type { Durable, Recorded } from '../events.ts';
import { readBytes, syncData, syncDataBeside, syncFolder, writeAll, writeOwn } from '../util/files.ts';
import { otherKind, wrongKind } from '../util/regular.ts';
import { type Failure, fail, ok, type Result } from '../util/result.ts';
import { type JournalPlace, readJournal } from './read-journal.ts';
import { lineOf } from './record-line.ts';

/**
 * Written at once like all others, so a killed runner loses nothing, but synced only with the next record that is synced. After a power
 * cut, the iteration is run again, or finished again with the same result: its process has not survived the cut, and its commit is found
 * on the branch.
 */
const SYNCED_LATER: ReadonlySet<Durable['type']> = new Set([
  'agent.started',
  'lessons.shown',
  'lessons.said',
  'lessons.changed',
  'plan.restored',
  'evidence',
  'iteration.finished',
]);

/**
 * The sync starts at once, and is awaited only before an action that depends on it (`synced`). `iteration.started`: the agent waits for
 * it, and recording what is in custody takes as long. `agent.finished`: the gates may run for long, and the agent's cost should survive a
 * power cut meanwhile; the verdict is the first that depends on it, and waits for both. `merge`: the branch waits for it, and making the
 * commit takes as long.
 */
const SYNCED_BESIDE: ReadonlySet<Durable['type']> = new Set(['iteration.started', 'agent.finished', 'merge']);

/** Appends records; the lock guarantees a single writer. */
export class Journal {
  readonly file: string;
  #fd: number;
  /** A copy in an unlinked file, which no other process can open. */
  readonly #shadow: number;
  #end: JournalPlace;
  /** The error of a background sync. */
  #refusal: Error | undefined;
  /** Background syncs in progress. */
  #beside: Promise<unknown> = Promise.resolve();
  /** The file's state when it was known to contain what was written here; empty if unknown. */
  #stamp = '';

  private constructor({ file, fd, shadow, end }: Opened) {
    this.file = file;
    this.#fd = fd;
    this.#shadow = shadow;
    this.#end = end;
  }

  /** The place after the last record. */
  get end(): JournalPlace {
    return this.#end;
  }

  /** Opens or creates the journal, replays its records, and cuts off a torn tail. */
  static open(file: string, onRecord: (record: Recorded) => void): Result<Journal> {
    const wrong = refuseKind(file);
    if (wrong) return fail(wrong);
    mkdirSync(dirname(file), { recursive: true });
    const end = readJournal(file, onRecord);
    if (!end.ok) return end;
    const fd = openSync(file, 'a');
    if (end.value.torn > 0) ftruncateSync(fd, end.value.good);
    syncData(fd);
    syncFolder(dirname(file));
    // The folders of the run, of all runs and of ralph may be as new as the journal.
    if (end.value.seq === 0) for (const above of ['..', '../..', '../../..']) syncFolder(join(dirname(file), above));
    return ok(new Journal({ file, fd, shadow: openShadow(file), end: end.value }));
  }

  /**
   * The record is written when this returns, and synced if an action depends on it. Throws if the disk refuses, because a run must not act
   * on an unrecorded event.
   */
  append<E extends Durable>(event: E, at: number): Recorded<E> {
    if (this.#refusal) throw this.#refusal;
    const record = { seq: this.#end.seq + 1, at, ...event } as Recorded<E>;
    const { line, sum } = lineOf(record, this.#end.sum);
    const untouched = this.#stamp !== '' && this.#stamp === stampOf(fstatSync(this.#fd, { bigint: true }));
    try {
      writeAll(this.#fd, line);
      writeAll(this.#shadow, line);
    } catch (error) {
      // A full disk may take a part of the line; the next record must not follow half a record.
      for (const fd of [this.#fd, this.#shadow]) ftruncateSync(fd, this.#end.good);
      this.#stamp = '';
      throw error;
    }
    this.#stamp = untouched ? stampOf(fstatSync(this.#fd, { bigint: true })) : '';
    this.#sync(record.type);
    this.#end = { good: this.#end.good + line.length, seq: record.seq, sum };
    return record;
  }

  #sync(type: Durable['type']): void {
    if (SYNCED_LATER.has(type)) return;
    if (!SYNCED_BESIDE.has(type)) return syncData(this.#fd);
    const sync = new Promise<void>(resolve => {
      syncDataBeside(this.#fd, error => {
        // If the journal was closed meanwhile, its last record was synced before.
        if (error && error.code !== 'EBADF') this.#refusal = error;
        resolve();
      });
    });
    this.#beside = Promise.all([this.#beside, sync]);
  }

  /** Resolves when every record whose sync has started is on disk; rejects if the disk refuses. */
  async synced(): Promise<void> {
    await this.#beside;
    if (this.#refusal) throw this.#refusal;
  }

  /**
   * Called after another program ran: restores the file to what was written here. A replaced file is kept beside it. Returns what was
   * wrong, or undefined.
   */
  putBack(): string | undefined {
    const stat = lstatSync(this.file, { bigint: true, throwIfNoEntry: false });
    // Without this check, a long run would read its whole journal after every agent.
    if (stat && this.#stamp === stampOf(stat)) return undefined;
    const written = this.#written();
    const inPlace = stat?.isFile() && stat.ino === fstatSync(this.#fd, { bigint: true }).ino;
    if (stat && inPlace && readBytes(this.file, written.length)?.equals(written)) {
      this.#stamp = stampOf(stat);
      return undefined;
    }
    const aside = `${this.file}.found`;
    rmSync(aside, { recursive: true, force: true });
    mkdirSync(dirname(this.file), { recursive: true });
    if (stat) renameSync(this.file, aside);
    writeOwn(this.file, written);
    closeSync(this.#fd);
    this.#fd = openSync(this.file, 'a');
    this.#stamp = '';
    return stat
      ? `the journal was changed by another program; it was restored, what was found is in ${aside}`
      : DELETED;
  }

  #written(): Buffer {
    const bytes = Buffer.allocUnsafe(this.#end.good);
    for (let at = 0; at < bytes.length; ) {
      const read = readSync(this.#shadow, bytes, at, bytes.length - at, at);
      if (read === 0) throw new Error('the copy of the journal is shorter than the journal');
      at += read;
    }
    return bytes;
  }

  close(): void {
    closeSync(this.#fd);
    closeSync(this.#shadow);
  }
}

/** The runner appends to the journal, so neither it nor its folder may be a link. */
function refuseKind(file: string): Failure | undefined {
  const [folder, journal] = [otherKind(dirname(file), 'folder'), otherKind(file, 'file')];
  if (folder !== undefined) return wrongKind(dirname(file), folder, 'folder');
  return journal === undefined ? undefined : wrongKind(file, journal, 'file');
}

/** Programs can set a file's mtime but not its ctime. */
const stampOf = ({ ino, size, ctimeNs }: BigIntStats): string => `${ino} ${size} ${ctimeNs}`;

const DELETED = 'the journal was deleted by another program; it was restored';

interface Opened {
  readonly file: string;
  readonly fd: number;
  readonly shadow: number;
  readonly end: JournalPlace;
}

const CHUNK = 256 * 1024;

/** Copies the file and unlinks the copy at once. */
function openShadow(file: string): number {
  const name = `${file}.shadow`;
  rmSync(name, { recursive: true, force: true });
  const fd = openSync(name, 'wx+', 0o600);
  rmSync(name, { force: true });
  const from = openSync(file, 'r');
  try {
    // In chunks, because the journal of a long run can have many megabytes.
    const chunk = Buffer.allocUnsafe(CHUNK);
    for (let read = readSync(from, chunk); read > 0; read = readSync(from, chunk))
      writeAll(fd, chunk.subarray(0, read));
  } finally {
    closeSync(from);
  }
  return fd;
}
