/** Reads a journal line by line: a torn end is normal, damage is refused. */
import { closeSync, readSync } from 'node:fs';
import type { Recorded } from '../events.ts';
import { openRegular, otherKind, type Unread, wrongKind } from '../util/regular.ts';
import { type Failure, fail, ok, type Result } from '../util/result.ts';
import { GENESIS, type Parsed, parseRecord, VERSION } from './record-line.ts';

export interface JournalEnd {
  /** Bytes up to the last complete record. */
  readonly good: number;
  /** Bytes after it: the rest of a record that a crash interrupted. */
  readonly torn: number;
  readonly seq: number;
  readonly sum: string;
}

/** A position between two records. */
export type JournalPlace = Omit<JournalEnd, 'torn'>;

/** Receives each record and the position after it; returns `enough` to stop. */
export type OnRecord = (record: Recorded, after: JournalPlace) => unknown;

/**
 * Reads all complete records in order, or those after a known position. A torn tail is normal; damage before a complete record is refused.
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
      // A bad line followed by an intact one was damaged later; otherwise a crash tore it.
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

/** The first record of a journal; undefined if it is incomplete. Does not read the rest. */
export function firstRecord(file: string): Recorded | undefined {
  let first: Parsed | undefined;
  const take = (line: Buffer, whole: boolean): 'enough' => {
    if (whole) first = parseRecord(line);
    return 'enough';
  };
  eachLine(file, { from: 0, chunk: HEAD }, take);
  return first?.record.seq === 1 && first.version <= VERSION ? first.record : undefined;
}

/** How far from the end a record is searched: a few iterations with all their evidence. */
const NEAR_END = 256 * 1024;

/** The position before this record, if it is among the last ones; undefined if it is not found or something is wrong. */
export function placeBefore(file: string, seq: number): JournalPlace | undefined {
  const opened = openRegular(file);
  if (typeof opened === 'string') return undefined;
  const { fd, size } = opened;
  try {
    const bytes = Buffer.allocUnsafe(Math.min(size, NEAR_END));
    if (readSync(fd, bytes, 0, bytes.length, size - bytes.length) !== bytes.length) return undefined;
    for (let end = bytes.lastIndexOf(10); end > 0; ) {
      const start = bytes.lastIndexOf(10, end - 1) + 1;
      const parsed = parseRecord(bytes.subarray(start, end));
      if (!parsed || parsed.record.seq < seq) return undefined;
      if (parsed.record.seq === seq) return { good: size - bytes.length + start, seq: seq - 1, sum: parsed.prev };
      end = start - 1;
    }
    return undefined;
  } catch {
    // A full read reports what is wrong.
    return undefined;
  } finally {
    closeSync(fd);
  }
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

const CHUNK = 256 * 1024;
/** Enough for most first records. */
const HEAD = 2048;

/**
 * Calls back for each line from this offset on, without its line break (`whole` is false for a last line without one), until the callback
 * returns `enough`. Returns where reading stopped: the file's size, unless it stopped early.
 */
function eachLine(
  file: string,
  { from, chunk: size = CHUNK }: { readonly from: number; readonly chunk?: number },
  onLine: (line: Buffer, whole: boolean) => 'enough' | undefined,
): Result<number> {
  const opened = openRegular(file);
  // Only a missing journal counts as empty: one that cannot be read may contain everything.
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
      const data = rest.length > 0 ? Buffer.concat([rest, chunk.subarray(0, read)]) : chunk.subarray(0, read);
      let start = 0;
      for (let at = data.indexOf(10); at >= 0; at = data.indexOf(10, start)) {
        if (onLine(data.subarray(start, at), true) === 'enough') return ok(total);
        start = at + 1;
      }
      rest = Buffer.from(data.subarray(start));
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
