/**
 * `.ralph/progress.md`: one entry per iteration, for people and for the next brief. It is a convenience and not the
 * truth (that is the journal), so a damaged file is read as far as it makes sense and never stops a run.
 */
import { closeSync, readdirSync, readSync, renameSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import type { Verdict } from '../protocol.ts';
import { inTurn } from '../util/file-turn.ts';
import { writeOwnSoon } from '../util/files.ts';
import { openRegular, readWhole } from '../util/regular.ts';
import { errorText, type Failure, fail, ok, type Result } from '../util/result.ts';
import { oneLine, plain } from '../util/show.ts';
import { summarize, summarizeReason } from './summary.ts';

/** What one iteration leaves in the log. */
export interface ProgressEntry {
  readonly run: string;
  readonly iteration: number;
  readonly item: string;
  readonly verdict: Verdict['type'];
  /** Epoch milliseconds. */
  readonly at: number;
  /** The agent's final message; its first paragraph is kept. */
  readonly message: string;
  /** Why it was not accepted. */
  readonly reason?: string;
}

export interface AppendProgress {
  readonly file: string;
  readonly entry: ProgressEntry;
  /** A file larger than this is put aside as `progress-<n>.md` before the next entry. */
  readonly rotateBytes?: number;
}

export interface RecentProgress {
  readonly file: string;
  /** Runs whose entries are left out: what happens in another worktree at the same time is not what came before. */
  readonly without?: readonly string[];
  /** How many entries at most. */
  readonly entries: number;
  /** Only this much of the end of the file is read, whatever its size. */
  readonly maxBytes?: number;
}

/** All of it is written anew with every entry. */
const ROTATE_BYTES = 256 * 1024;
const READ_BYTES = 32 * 1024;
const ON_ITEMS_BYTES = 256 * 1024;
const ARCHIVE_PARTS = 32;
const ARCHIVE_BYTES = 4 * 1024 ** 2;
const ID = /^<!-- ralph (.*) -->$/gm;

/** Appends an entry; `false` when it is the last one already, as after a crash. */
export function appendProgress(options: AppendProgress): Result<boolean> {
  const { file } = options;
  try {
    return ok(inTurn(file, () => appendEntry(options)));
  } catch (error) {
    return fail<Failure>({
      reason: 'progress-not-written',
      message: `the progress log could not be written: ${errorText(error)}`,
      file,
      hint: 'Free some disk space or fix the permissions; the run itself does not depend on this file.',
    });
  }
}

function appendEntry({ file, entry, rotateBytes = ROTATE_BYTES }: AppendProgress): boolean {
  const tail = readTail(file, READ_BYTES);
  // After a crash; runs beside this one may have written since.
  const last = [...tail.text.matchAll(ID)].map(([, id = '']) => id).findLast(id => id.startsWith(`${runIn(entry)}/`));
  if (last === idOf(entry)) return false;
  if (tail.size > rotateBytes) renameSync(file, rotated(file).next);
  append(file, `${tail.text === '' || tail.text.endsWith('\n') ? '' : '\n'}${showEntry(entry)}`, rotateBytes);
  return true;
}

/** The last whole entries, newest last. Never throws; what cannot be read is not there. */
export function recentProgress({
  file,
  entries,
  without = [],
  maxBytes = READ_BYTES,
}: RecentProgress): readonly string[] {
  if (entries <= 0) return [];
  const marks = without.map(run => `<!-- ralph ${runIn({ run })}/`);
  const isWanted = (entry: string) => !marks.some(mark => entry.includes(mark));
  try {
    const found = entriesIn(readTail(file, maxBytes)).filter(isWanted);
    const older = found.length < entries ? rotated(file).last : undefined;
    const before = older ? entriesIn(readTail(older, maxBytes)).filter(isWanted) : [];
    return [...before, ...found].slice(-entries);
  } catch {
    return [];
  }
}

export interface ProgressOn {
  readonly file: string;
  readonly items: readonly string[];
  /** How many entries at most, the newest of each item. */
  readonly entries: number;
}

/** The newest accepted entries on some items, newest last. Never throws; what cannot be read is not there. */
export function progressOn({ file, items, entries }: ProgressOn): readonly string[] {
  if (items.length === 0) return [];
  try {
    const parts = [...rotated(file).all.slice(-1), file];
    const found = parts.flatMap(part => entriesIn(readTail(part, ON_ITEMS_BYTES)));
    const newest = items.flatMap(item => {
      const heading = `: ${oneLine(item, 120)}, accepted (`;
      return found.findLastIndex(entry => (entry.split('\n', 1)[0] ?? '').includes(heading));
    });
    const indices = [...new Set(newest)].filter(index => index >= 0).toSorted((a, b) => a - b);
    return indices.slice(-entries).flatMap(index => found[index] ?? []);
  } catch {
    return [];
  }
}

/** Every entry of one run, oldest first, for its archive. Never throws; what cannot be read is not there. */
export function entriesOfRun({ file, run }: { readonly file: string; readonly run: string }): readonly string[] {
  const mark = `<!-- ralph ${runIn({ run })}/`;
  try {
    return [...rotated(file).all.slice(-ARCHIVE_PARTS), file]
      .flatMap(part => entriesIn(readTail(part, ARCHIVE_BYTES)))
      .filter(entry => entry.includes(mark));
  } catch {
    return [];
  }
}

function showEntry(entry: ProgressEntry): string {
  const heading = `## Iteration ${entry.iteration}: ${oneLine(entry.item, 120)}, ${entry.verdict} (${time(entry.at)})`;
  const summary = summarize(entry.message);
  const reason = entry.reason ? summarizeReason(entry.reason) : '';
  // The id comes last: an entry that a crash cut off has none and is written again.
  return [
    heading,
    '',
    ...(summary ? [summary, ''] : []),
    ...(reason ? [`Why: ${reason}`, ''] : []),
    `<!-- ralph ${idOf(entry)} -->`,
    '',
    '',
  ].join('\n');
}

const runIn = ({ run }: Pick<ProgressEntry, 'run'>): string => oneLine(run, 120).replaceAll('-->', '');
const idOf = (entry: ProgressEntry): string => `${runIn(entry)}/${entry.iteration}`;

function time(at: number): string {
  const date = new Date(at);
  return Number.isNaN(date.getTime()) ? 'at an unknown time' : date.toISOString().replace(/\.\d+Z$/, 'Z');
}

interface Tail {
  readonly text: string;
  readonly size: number;
  /** The text starts where the file starts. */
  readonly whole: boolean;
}

function readTail(file: string, maxBytes: number): Tail {
  const opened = openRegular(file);
  if (typeof opened === 'string') return { text: '', size: 0, whole: true };
  const { fd, size } = opened;
  try {
    const from = Math.max(0, size - maxBytes);
    const buffer = Buffer.alloc(size - from);
    let read = 0;
    for (let got = -1; got !== 0 && read < buffer.length; read += got) {
      got = readSync(fd, buffer, read, buffer.length - read, from + read);
    }
    return { text: buffer.toString('utf8', 0, read), size, whole: from === 0 };
  } finally {
    closeSync(fd);
  }
}

function entriesIn(tail: Tail): readonly string[] {
  // Made plain one by one: a control code that is never ended would swallow every entry behind it.
  const parts = tail.text.split(/^(?=## )/m);
  // What stands before the first heading is a title, or the end of an entry whose start was not read.
  return parts.filter(part => part.startsWith('## ')).map(part => plain(part).trim());
}

/** As a new file: what is written in place would also be written into a file elsewhere that an agent gave this name. */
function append(file: string, text: string, most: number): void {
  const before = readWhole(file, most);
  if (before === 'refused' || before === 'too-large') throw new Error('the entries before this one cannot be read');
  writeOwnSoon(file, Buffer.concat([Buffer.isBuffer(before) ? before : Buffer.alloc(0), Buffer.from(text)]));
}

interface Rotated {
  /** Oldest first. */
  readonly all: readonly string[];
  readonly last: string | undefined;
  readonly next: string;
}

function rotated(file: string): Rotated {
  const folder = dirname(file);
  const extension = extname(file);
  const stem = basename(file, extension);
  const numbered = (n: number) => join(folder, `${stem}-${n}${extension}`);
  const numbers = readdirSync(folder)
    .filter(name => name.startsWith(`${stem}-`) && name.endsWith(extension))
    .map(name => Number(name.slice(stem.length + 1, name.length - extension.length)))
    .filter(n => Number.isInteger(n) && n > 0);
  const highest = Math.max(0, ...numbers);
  const all = numbers.toSorted((a, b) => a - b).map(numbered);
  return { all, last: all.at(-1), next: numbered(highest + 1) };
}
