/**
 * `archives/run-<date>[-name][-N]/`: a run as it was, for people and for later runs. It is built in a hidden folder beside
 * its place and then renamed, so that a crash leaves it whole or not at all, and is never written again. Each ignores
 * itself in git: whatever else a person keeps beside it, the next run finds a clean tree. Committing one takes force.
 * The folder they lie in says the same once more, so that git does not have to walk through a thousand of them.
 */

import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import type { Recorded } from '../events.ts';
import type { ItemStatus } from '../protocol.ts';
import { createSynced, namesIn, readBytes, syncFolder, writeOwn } from '../util/files.ts';
import { freeName } from '../util/free-name.ts';
import { errorText, type Failure, fail, ok, type Result } from '../util/result.ts';
import { footprintIn } from './footprint.ts';
import { learningsText } from './learnings-text.ts';
import type { Memory } from './memory.ts';
import type { ArchivedEnd } from './past-index.ts';
import { entriesOfRun } from './progress.ts';
import { type RunRecord, runRecord } from './run-record.ts';

export interface ArchiveRun {
  readonly memory: Memory;
  readonly run: string;
  /** `.ralph/runs/<id>`. */
  readonly runFolder: string;
  readonly records: Iterable<Recorded>;
  /** The plan's items as they ended; without them only those that were worked on are known. */
  readonly items?: readonly { readonly id: string; readonly title: string; readonly status: ItemStatus }[];
  /** `.ralph/progress.md`; this run's entries are taken from it. */
  readonly progress: string;
  /** The length of its journal. */
  readonly journalBytes?: number;
}

export interface Archived {
  readonly folder: string;
  readonly record: RunRecord;
}

const BUILDING = '.building-';
const IGNORE = '.gitignore';
const OURS = `/${IGNORE}\n/run-*/\n/${BUILDING}*/\n`;

/** Keeps the plan as it is before the first iteration, or as it is at an end, for the archive of this run. */
export function keepPlan(options: {
  readonly runFolder: string;
  readonly when: 'before' | 'after';
  readonly path: string;
  readonly bytes: Buffer;
}): void {
  const { runFolder, when, path, bytes } = options;
  const file = keptPlan(runFolder, when, path);
  if (when === 'before' && existsSync(file)) return;
  writeOwn(file, bytes);
}

const keptPlan = (runFolder: string, when: 'before' | 'after', path: string): string =>
  join(runFolder, `plan-${when}${extname(path) || '.txt'}`);

/** The plan as it was before the first iteration of a run. */
export const planBefore = (runFolder: string, path: string): Buffer | undefined =>
  readBytes(keptPlan(runFolder, 'before', path));

/** Writes the archive of a run and counts it among the past ones. */
export function archiveRun(options: ArchiveRun): Result<Archived> {
  const { memory, run, runFolder, records, items, progress, journalBytes } = options;
  const { archives } = memory.place;
  const building = newFolder(archives);
  try {
    const record = runRecord({
      records,
      footprint: footprintIn(runFolder),
      born: bornIn(memory, run),
      textOf: id => memory.lessons.get(id)?.text ?? '',
      ...(items ? { items } : {}),
      ...(journalBytes === undefined ? {} : { journalBytes }),
    });
    hideAll(archives);
    begin(building);
    for (const file of plansIn(runFolder)) put(building, basename(file), readBytes(file) ?? Buffer.alloc(0));
    put(building, 'progress.txt', Buffer.from(entriesOfRun({ file: progress, run }).join('\n\n')));
    put(building, 'learnings.md', Buffer.from(learningsText(record, id => memory.lessons.get(id)?.text ?? '')));
    put(building, 'run.json', Buffer.from(`${JSON.stringify(record, undefined, 1)}\n`));
    syncFolder(building);
    // A run's id is its date and name already; another machine's run may have the same one.
    const folder = freeName(join(archives, `run-${run}`), each => !existsSync(each));
    renameSync(building, folder);
    syncFolder(archives);
    memory.past.add(folder, record);
    return ok({ folder, record });
  } catch (error) {
    clear(building);
    return fail<Failure>({
      reason: 'archive-not-written',
      message: `the run could not be archived: ${errorText(error)}`,
      file: archives,
      hint: 'Free some disk space or fix the permissions; the next run archives it.',
    });
  }
}

export interface FinishArchives {
  readonly memory: Memory;
  /** The runs there are, oldest first, without the one that is about to be continued, and how long their journals are. */
  readonly runs: readonly { readonly run: string; readonly bytes: number }[];
  /** A run's journal; undefined for one that cannot be read. */
  readonly read: (run: string) => Iterable<Recorded> | undefined;
  /** `.ralph/runs`. */
  readonly runsFolder: string;
  readonly progress: string;
}

/** What a crash left half done, and runs that ended without an archive. Called by the one runner that holds the lock. */
export function finishArchives(options: FinishArchives): readonly Result<Archived>[] {
  const { memory, runs, read, runsFolder, progress } = options;
  const { archives } = memory.place;
  for (const name of namesIn(archives)
    .toSorted()
    .filter(entry => entry.startsWith(BUILDING) && !isBeingBuilt(entry)))
    clear(join(archives, name));
  // Archives of an earlier version lie in a folder that does not say so yet.
  if (memory.past.hasOwn) hideAll(archives);
  return runs.flatMap(({ run, bytes: journalBytes }) => {
    const known = memory.past.endOf(run);
    // A runner beside this one has just done it.
    if (!known && existsSync(join(archives, `run-${run}`))) return [];
    // Only a run that continued since is read again.
    if (known && (known.journalBytes ?? journalBytes) === journalBytes) return [];
    const records = read(run);
    if (!records || !isNews(records, known)) return [];
    return [archiveRun({ memory, run, runFolder: join(runsFolder, run), records, progress, journalBytes })];
  });
}

/** Whether a run has something to tell that no archive tells yet: an iteration ended, or a person marked an item. */
export function isNews(records: Iterable<Recorded>, known: ArchivedEnd | undefined): boolean {
  let startedAt: number | undefined;
  for (const record of records) {
    startedAt ??= record.at;
    if (record.type === 'iteration.finished' || record.type === 'item.marked') {
      // Another machine's run may have the same id.
      const since = known && startedAt === known.startedAt ? known.at : undefined;
      if (since === undefined ? record.type === 'iteration.finished' : record.at > since && tells(record)) return true;
    }
  }
  return false;
}

/** An item that was only made open again has nothing to tell; what becomes of it is another run's. */
const tells = (record: Recorded): boolean => record.type !== 'item.marked' || record.to !== 'pending';

/** Files of an archive that may be committed: all but the one that hides them. */
export const archivedFiles = (folder: string): readonly string[] =>
  namesIn(folder)
    .toSorted()
    .filter(name => name !== IGNORE);

/** A person's own word on what git ignores here stands. */
function hideAll(archives: string): void {
  const file = join(archives, IGNORE);
  if (existsSync(file)) return;
  // From a folder that ignores itself: a crash leaves nothing that git sees.
  const building = newFolder(archives);
  begin(building);
  put(building, 'all', Buffer.from(OURS));
  renameSync(join(building, 'all'), file);
  clear(building);
}

const newFolder = (archives: string): string =>
  join(archives, `${BUILDING}${process.pid}-${randomBytes(6).toString('hex')}`);

/** By a runner beside this one. */
function isBeingBuilt(name: string): boolean {
  const pid = Number(/^(\d+)-/.exec(name.slice(BUILDING.length))?.[1]);
  if (!(pid > 0) || pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

function begin(building: string): void {
  mkdirSync(building, { recursive: true });
  put(building, IGNORE, Buffer.from('*\n'));
}

/** What cannot be taken away is looked at again by the next run. */
function clear(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch {
    // A disk that can only be read, most likely.
  }
}

const plansIn = (runFolder: string): readonly string[] =>
  namesIn(runFolder)
    .toSorted()
    .filter(name => /^plan-(?:before|after)\./.test(name))
    .map(name => join(runFolder, name));

function bornIn(memory: Memory, run: string): RunRecord['lessons']['born'] {
  return memory.lessons
    .mentioning(`run ${run},`)
    .filter(lesson => lesson.from[0]?.startsWith(`run ${run},`))
    .map(({ id, kind, text, from }) => ({ id, kind, text, from }));
}

const put = (folder: string, name: string, bytes: Buffer): void => createSynced(join(folder, name), bytes);
