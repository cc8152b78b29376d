/**
 * The journal of one run: append-only JSON lines, each with a checksum over itself and its predecessor's, synced before
 * the act it announces. It is the only truth about a run; everything else is a rendering of it.
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
 * Written at once like all others, so a killed runner loses nothing, but left to the next synced record to reach the
 * disk: after a power cut the iteration is run again, or finished again with the same result. Its process did not outlive
 * the cut, and its commit is found on the branch.
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
 * On its way to the disk at once, and waited for only where an act depends on it (`synced`). `iteration.started`: the agent
 * waits for it, and what is noted before the agent starts takes as long. `agent.finished`: the gates may run for long, and what
 * an agent cost should be known after a power cut in them; nothing before the verdict depends on it, and that waits for both.
 * `merge`: the branch waits for it, and the commit that goes there takes as long to make.
 */
const SYNCED_BESIDE: ReadonlySet<Durable['type']> = new Set(['iteration.started', 'agent.finished', 'merge']);

/** Appends records; one writer at a time, which the lock guarantees. */
export class Journal {
  readonly file: string;
  #fd: number;
  /** The same bytes in a file without a name, which nobody else can write to. */
  readonly #shadow: number;
  #end: JournalPlace;
  /** What the disk said to a sync that nobody waited for. */
  #refusal: Error | undefined;
  /** The syncs that are under way. */
  #beside: Promise<unknown> = Promise.resolve();
  /** How the file looked when it was known to hold what was written here; empty where that is not known. */
  #stamp = '';

  private constructor({ file, fd, shadow, end }: Opened) {
    this.file = file;
    this.#fd = fd;
    this.#shadow = shadow;
    this.#end = end;
  }

  /** After the last record. */
  get end(): JournalPlace {
    return this.#end;
  }

  /** Opens or creates; replays what is there; cuts a torn tail off. */
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
    // The folder of a new run, of all runs and of ralph may be as new as the journal.
    if (end.value.seq === 0) for (const above of ['..', '../..', '../../..']) syncFolder(join(dirname(file), above));
    return ok(new Journal({ file, fd, shadow: openShadow(file), end: end.value }));
  }

  /**
   * Written when this returns, and on disk where an act depends on it. Throws if the disk refuses: a run must not act on
   * what it could not write down.
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
      // A full disk takes a part; the next record must not follow half of one.
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
        // A journal that was closed meanwhile ended with a record that was waited for.
        if (error && error.code !== 'EBADF') this.#refusal = error;
        resolve();
      });
    });
    this.#beside = Promise.all([this.#beside, sync]);
  }

  /** Until every record whose sync was begun is on disk; rejects if the disk refuses. */
  async synced(): Promise<void> {
    await this.#beside;
    if (this.#refusal) throw this.#refusal;
  }

  /**
   * After somebody else's code ran: the file is what was written here, or is made so again. What was found instead stays
   * beside it; says where, or undefined where nothing was wrong.
   */
  putBack(): string | undefined {
    const stat = lstatSync(this.file, { bigint: true, throwIfNoEntry: false });
    // Without this a long run would read its whole journal again after every agent.
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

/** A journal is added to, so neither it nor its folder may lead elsewhere. */
function refuseKind(file: string): Failure | undefined {
  const [folder, journal] = [otherKind(dirname(file), 'folder'), otherKind(file, 'file')];
  if (folder !== undefined) return wrongKind(dirname(file), folder, 'folder');
  return journal === undefined ? undefined : wrongKind(file, journal, 'file');
}

/** No program can set the time of a file's last change. */
const stampOf = ({ ino, size, ctimeNs }: BigIntStats): string => `${ino} ${size} ${ctimeNs}`;

const DELETED = 'the journal was deleted by another program; it was restored';

interface Opened {
  readonly file: string;
  readonly fd: number;
  readonly shadow: number;
  readonly end: JournalPlace;
}

const CHUNK = 256 * 1024;

/** A copy that loses its name at once. */
function openShadow(file: string): number {
  const name = `${file}.shadow`;
  rmSync(name, { recursive: true, force: true });
  const fd = openSync(name, 'wx+', 0o600);
  rmSync(name, { force: true });
  const from = openSync(file, 'r');
  try {
    // That of a long run that is resumed may have many megabytes.
    const chunk = Buffer.allocUnsafe(CHUNK);
    for (let read = readSync(from, chunk); read > 0; read = readSync(from, chunk))
      writeAll(fd, chunk.subarray(0, read));
  } finally {
    closeSync(from);
  }
  return fd;
}
