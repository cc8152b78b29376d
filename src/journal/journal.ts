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
  readFileSync,
  readSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import type { Durable, Recorded } from '../events.ts';
import { crypto } from '../util/crypto.ts';
import { readBytes, syncData, syncDataBeside, syncFolder, writeAll, writeOwn } from '../util/files.ts';
import { openRegular, otherKind, type Unread, wrongKind } from '../util/regular.ts';
import { type Failure, fail, ok, type Result } from '../util/result.ts';

/** Raised when a journal's shape changes so that an older program must not read it. */
const VERSION = 1;
const SUM_LENGTH = 12;
const GENESIS = '0'.repeat(SUM_LENGTH);

export interface JournalEnd {
  /** Bytes up to the last whole record. */
  readonly good: number;
  /** Bytes after it: what a crash left of a record that was never acknowledged. */
  readonly torn: number;
  readonly seq: number;
  readonly sum: string;
}

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
 * On its way to the disk at once, but nothing waits: the gates may run for long, and what an agent cost should be known
 * after a power cut in them. Nothing that is done before the verdict depends on it, and the verdict waits for both.
 */
const SYNCED_BESIDE: ReadonlySet<Durable['type']> = new Set(['agent.finished']);

/** A place between two records. */
export type JournalPlace = Omit<JournalEnd, 'torn'>;

/** Is told each record and the place after it; answers `enough` to hear no more. */
export type OnRecord = (record: Recorded, after: JournalPlace) => unknown;

/**
 * Reads every whole record in order, or those after a place that is known to be one. A torn tail is normal; damage before
 * a whole record is not, and is refused.
 */
export function readJournal(
  file: string,
  onRecord: OnRecord,
  from: JournalPlace = { good: 0, seq: 0, sum: GENESIS },
): Result<JournalEnd> {
  let end: JournalEnd = { ...from, torn: 0 };
  let offset = from.good;
  let lineNumber = 0;
  let bad: { readonly line: number; readonly why: string } | undefined;
  let problem: Failure | undefined;
  const read = eachLine(file, { from: from.good }, (line, whole) => {
    if (problem) return 'enough';
    lineNumber += 1;
    offset += line.length + (whole ? 1 : 0);
    const parsed = whole ? parseRecord(line) : undefined;
    if (bad || !parsed || parsed.prev !== end.sum || parsed.record.seq !== end.seq + 1) {
      bad ??= { line: lineNumber, why: parsed ? 'does not follow the record before it' : 'is not whole' };
      // Only when something intact stands behind the bad line was it damaged after the fact, not torn by a crash.
      if (parsed) problem = damaged(file, bad);
      return;
    }
    if (parsed.version > VERSION) {
      problem = {
        reason: 'journal-newer',
        message: `this run was written by a newer version of ralph (journal version ${parsed.version})`,
        file,
        hint: 'Update ralph, or move this run folder away to start a new run.',
      };
      return;
    }
    end = { good: offset, torn: 0, seq: parsed.record.seq, sum: parsed.sum };
    return onRecord(parsed.record, end) === 'enough' ? 'enough' : undefined;
  });
  if (problem) return fail(problem);
  return read.ok ? ok({ ...end, torn: read.value - end.good }) : read;
}

/** The record a journal begins with; undefined where it is not whole. Does not read the rest. */
export function firstRecord(file: string): Recorded | undefined {
  let first: Parsed | undefined;
  const take = (line: Buffer, whole: boolean): 'enough' => {
    if (whole) first = parseRecord(line);
    return 'enough';
  };
  eachLine(file, { from: 0, chunk: HEAD }, take);
  return first?.record.seq === 1 && first.version <= VERSION ? first.record : undefined;
}

function damaged(file: string, bad: { readonly line: number; readonly why: string }): Failure {
  return {
    reason: 'journal-damaged',
    message: `the journal is damaged: this record ${bad.why}, but intact ones follow it`,
    file,
    line: bad.line,
    column: 1,
    hint: 'Nothing was changed. Accepted work is on the run branch; move this run folder away to start a new run from there.',
  };
}

/** Appends records; one writer at a time, which the lock guarantees. */
export class Journal {
  readonly file: string;
  #fd: number;
  /** The same bytes in a file without a name, which nobody else can write to. */
  readonly #shadow: number;
  #end: JournalPlace;
  /** What the disk said to a sync that nobody waited for. */
  #refusal: Error | undefined;
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
    const version = record.seq === 1 ? { v: VERSION } : {};
    const body = JSON.stringify({ ...version, ...record, prev: this.#end.sum });
    const sum = checksum(body);
    const line = Buffer.from(`${body.slice(0, -1)},"sum":"${sum}"}\n`);
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
    syncDataBeside(this.#fd, error => {
      // A journal that was closed meanwhile ended with a record that was waited for.
      if (error && error.code !== 'EBADF') this.#refusal = error;
    });
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
      ? `the journal was changed by another program; it was put back, what was found is in ${aside}`
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

const DELETED = 'the journal was deleted by another program; it was put back';

interface Opened {
  readonly file: string;
  readonly fd: number;
  readonly shadow: number;
  readonly end: JournalPlace;
}

/** A copy that loses its name at once. */
function openShadow(file: string): number {
  const name = `${file}.shadow`;
  rmSync(name, { recursive: true, force: true });
  const fd = openSync(name, 'wx+', 0o600);
  rmSync(name, { force: true });
  writeAll(fd, readFileSync(file));
  return fd;
}

interface Parsed {
  readonly record: Recorded;
  readonly prev: string;
  readonly sum: string;
  readonly version: number;
}

const SUFFIX_LENGTH = `,"sum":"${GENESIS}"}`.length;

/** Whether this line ends with this sum, as the record that has it does. */
export const endsWithSum = (line: Buffer, sum: string): boolean =>
  line.toString('latin1', Math.max(0, line.length - SUFFIX_LENGTH)) === `,"sum":"${sum}"}`;

function parseRecord(line: Buffer): Parsed | undefined {
  const text = line.toString('utf8');
  const sum = text.slice(-SUM_LENGTH - 2, -2);
  const body = `${text.slice(0, -SUFFIX_LENGTH)}}`;
  if (text.slice(-SUFFIX_LENGTH) !== `,"sum":"${sum}"}` || checksum(body) !== sum) return undefined;
  try {
    const { prev, v, ...record } = JSON.parse(body) as Recorded & { prev: string; v?: number };
    return { record: record as Recorded, prev, sum, version: v ?? VERSION };
  } catch {
    return undefined;
  }
}

function checksum(body: string): string {
  return crypto().createHash('sha256').update(body).digest('hex').slice(0, SUM_LENGTH);
}

const CHUNK = 256 * 1024;
/** Most first records fit into this. */
const HEAD = 2048;

/**
 * Calls back for each line from this offset on, without its end (`whole` is false for a last line that has none), until
 * it is told that this is enough; gives where it stopped reading, which is the file's size unless it was.
 */
function eachLine(
  file: string,
  { from, chunk: size = CHUNK }: { readonly from: number; readonly chunk?: number },
  onLine: (line: Buffer, whole: boolean) => 'enough' | undefined,
): Result<number> {
  const opened = openRegular(file);
  // Only a journal that is not there is empty: one that cannot be read may hold everything.
  if (opened === 'missing') return ok(0);
  if (typeof opened === 'string') return fail(unreadable(file, opened));
  const { fd } = opened;
  try {
    const chunk = Buffer.allocUnsafe(size);
    let rest = Buffer.alloc(0);
    let total = from;
    const next = (into: number): number => readSync(into, chunk, 0, size, total);
    for (let read = next(fd); read > 0; read = next(fd)) {
      total += read;
      let data = rest.length > 0 ? Buffer.concat([rest, chunk.subarray(0, read)]) : chunk.subarray(0, read);
      for (let at = data.indexOf(10); at >= 0; at = data.indexOf(10)) {
        if (onLine(data.subarray(0, at), true) === 'enough') return ok(total);
        data = data.subarray(at + 1);
      }
      rest = Buffer.from(data);
    }
    if (rest.length > 0) onLine(rest, false);
    return ok(total);
  } catch (error) {
    return fail({
      reason: 'journal-unreadable',
      message: `the journal cannot be read: ${(error as Error).message}`,
      file,
    });
  } finally {
    closeSync(fd);
  }
}

function unreadable(file: string, why: Unread): Failure {
  const found = otherKind(file, 'file', 'followed');
  if (found !== undefined) return { ...wrongKind(file, found, 'file'), reason: 'journal-unreadable' };
  const message = why === 'other-kind' ? 'this is not a file' : 'the journal cannot be read';
  return { reason: 'journal-unreadable', message, file, hint: 'Check its permissions and those of its folder.' };
}
