/**
 * `archives/run-<date>[-name][-N]/`: a run as it was, for people and for later runs. It is built in a hidden folder beside
 * its place and then renamed, so that a crash leaves it whole or not at all, and is never written again.
 */
import { randomBytes } from 'node:crypto';
import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import type { Recorded } from '../events.ts';
import type { ItemStatus } from '../protocol.ts';
import { readBytes, syncFolder, writeAll, writeAtomic } from '../util/files.ts';
import { type Failure, fail, ok, type Result } from '../util/result.ts';
import { footprintIn } from './footprint.ts';
import { learningsText } from './learnings-text.ts';
import type { Memory } from './memory.ts';
import type { MemoryPlace } from './place.ts';
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
}

export interface Archived {
  readonly folder: string;
  readonly record: RunRecord;
}

const BUILDING = '.building-';

/** Keeps the plan as it is before the first iteration, or as it is at an end, for the archive of this run. */
export function keepPlan(options: {
  readonly runFolder: string;
  readonly when: 'before' | 'after';
  readonly path: string;
  readonly bytes: Buffer;
}): void {
  const { runFolder, when, path, bytes } = options;
  const file = join(runFolder, `plan-${when}${extname(path) || '.txt'}`);
  if (when === 'before' && existsSync(file)) return;
  writeAtomic(file, bytes);
}

/** Writes the archive of a run and counts it among the past ones. */
export function archiveRun(options: ArchiveRun): Result<Archived> {
  const { memory, run, runFolder, records, items, progress } = options;
  const { archives } = memory.place;
  const born = bornIn(memory, run);
  const footprint = footprintIn(runFolder);
  const record = runRecord({ records, footprint, born, ...(items ? { items } : {}) });
  const building = join(archives, `${BUILDING}${randomBytes(6).toString('hex')}`);
  try {
    makeArchives(memory.place);
    mkdirSync(building);
    for (const file of plansIn(runFolder)) put(building, basename(file), readBytes(file) ?? Buffer.alloc(0));
    put(building, 'progress.txt', Buffer.from(entriesOfRun({ file: progress, run }).join('\n\n')));
    put(building, 'learnings.md', Buffer.from(learningsText(record, id => memory.lessons.get(id)?.text ?? '')));
    put(building, 'run.json', Buffer.from(`${JSON.stringify(record, undefined, 1)}\n`));
    syncFolder(building);
    const folder = freePlace(archives, run);
    renameSync(building, folder);
    syncFolder(archives);
    memory.past.add(folder, record);
    return ok({ folder, record });
  } catch (error) {
    rmSync(building, { recursive: true, force: true });
    return fail<Failure>({
      reason: 'archive-not-written',
      message: `the run could not be archived: ${error instanceof Error ? error.message : String(error)}`,
      file: archives,
      hint: 'Free some disk space or fix the permissions; the next run archives it.',
    });
  }
}

export interface FinishArchives {
  readonly memory: Memory;
  /** Ids of the runs there are, oldest first, without the one that is about to be continued. */
  readonly runs: readonly string[];
  /** A run's journal; undefined for one that cannot be read. */
  readonly read: (run: string) => readonly Recorded[] | undefined;
  /** `.ralph/runs`. */
  readonly runsFolder: string;
  readonly progress: string;
}

/** What a crash left half done, and runs that ended without an archive. Called by the one runner that holds the lock. */
export function finishArchives({
  memory,
  runs,
  read,
  runsFolder,
  progress,
}: FinishArchives): readonly Result<Archived>[] {
  const { archives } = memory.place;
  for (const place of [archives, memory.place.folder]) {
    for (const name of namesIn(place).filter(entry => entry.startsWith(BUILDING))) {
      rmSync(join(place, name), { recursive: true, force: true });
    }
  }
  return runs
    .filter(run => !memory.past.has(run))
    .flatMap(run => {
      const records = read(run);
      // A run in which no iteration ended has nothing to tell.
      if (!records?.some(record => record.type === 'iteration.finished')) return [];
      return [archiveRun({ memory, run, runFolder: join(runsFolder, run), records, progress })];
    });
}

/**
 * Ignores itself like `.ralph`, unless it is meant for git: the next run must not find a tree with loose files in it. It is
 * made whole in the hidden folder and then moved into place. Once there are archives, the file is a person's to delete.
 */
function makeArchives({ archives, folder, archivesInGit = false }: MemoryPlace): void {
  if (existsSync(archives)) return;
  const building = join(folder, `${BUILDING}${randomBytes(6).toString('hex')}`);
  mkdirSync(building, { recursive: true });
  if (!archivesInGit) put(building, '.gitignore', Buffer.from('*\n'));
  syncFolder(building);
  mkdirSync(dirname(archives), { recursive: true });
  renameSync(building, archives);
}

/** A run's id is its date and name already; another machine's run may have the same one. */
function freePlace(archives: string, run: string): string {
  for (let n = 1; ; n++) {
    const folder = join(archives, n === 1 ? `run-${run}` : `run-${run}-${n}`);
    if (!existsSync(folder)) return folder;
  }
}

const plansIn = (runFolder: string): readonly string[] =>
  namesIn(runFolder)
    .filter(name => /^plan-(?:before|after)\./.test(name))
    .map(name => join(runFolder, name));

function bornIn(memory: Memory, run: string): RunRecord['lessons']['born'] {
  return memory.lessons
    .mentioning(`run ${run},`)
    .filter(lesson => lesson.from[0]?.startsWith(`run ${run},`))
    .map(({ id, kind, text, from }) => ({ id, kind, text, from }));
}

function put(folder: string, name: string, bytes: Buffer): void {
  const fd = openSync(join(folder, name), 'wx', 0o644);
  try {
    writeAll(fd, bytes);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).toSorted();
  } catch {
    return [];
  }
}
