/** The runs of a repository: where they are, and which is the newest. */
import { mkdirSync, type Stats, statSync } from 'node:fs';
import { join } from 'node:path';
import { namesIn, readText, writeOwn } from '../util/files.ts';
import { iterationIn } from '../util/iteration-packs.ts';
import { type Failure, fail, ok, type Result } from '../util/result.ts';

export interface RalphFolder {
  readonly root: string;
  readonly lock: string;
  /** Of runs in worktrees of their own, one each. */
  readonly locks: string;
  readonly control: string;
  readonly runs: string;
  readonly templates: string;
  readonly progress: string;
  readonly worktrees: string;
  readonly live: string;
  /** The run in a worktree whose lock, inbox and live file these are; absent: those of the person's checkout. */
  readonly seat?: string;
}

export function ralphFolder(repository: string): RalphFolder {
  const root = join(repository, '.ralph');
  return {
    root,
    lock: join(root, 'lock'),
    locks: join(root, 'locks'),
    control: join(root, 'control'),
    runs: join(root, 'runs'),
    templates: join(root, 'templates'),
    progress: join(root, 'progress.md'),
    worktrees: join(root, 'worktrees'),
    live: join(root, 'live.jsonl'),
  };
}

/** Makes the folder ignore itself, so that no line of the user's own .gitignore has to change. */
export function makeRalphFolder(folder: RalphFolder): Result<void> {
  const ignore = join(folder.root, '.gitignore');
  try {
    mkdirSync(folder.runs, { recursive: true });
    if (readText(ignore) === undefined) writeOwn(ignore, '*\n');
    return ok(undefined);
  } catch (error) {
    return fail(notWritable(folder.root, error));
  }
}

/** Where the runner cannot keep its state, it does not start. */
export function notWritable(file: string, error: unknown): Failure {
  const { code, message } = error as NodeJS.ErrnoException;
  return {
    reason: 'not-writable',
    message: `cannot write here: ${code ?? message}`,
    file,
    hint: `Check who owns it and whether its disk is mounted read-only: ls -ld ${file}; findmnt -T ${file}`,
  };
}

export const journalOf = (folder: RalphFolder, run: string): string => join(folder.runs, run, 'journal.jsonl');

export const snapshotOf = (folder: RalphFolder, run: string): string => join(folder.runs, run, 'state.json');

export const runFolder = (folder: RalphFolder, run: string): string => join(folder.runs, run);

export const iterationFolder = (folder: RalphFolder, run: string, iteration: number): string =>
  iterationIn(runFolder(folder, run), iteration);

export const reviewFolder = (folder: RalphFolder, run: string, review: number): string =>
  join(folder.runs, run, 'reviews', String(review).padStart(3, '0'));

export interface RunFile {
  readonly run: string;
  /** The length of its journal: the cheapest way to see whether a run went on. */
  readonly bytes: number;
}

/** Every run, newest first by the last write to its journal. Looks at each: `listRuns` does not. */
export function listRunFiles(folder: RalphFolder): readonly RunFile[] {
  return namesIn(folder.runs)
    .flatMap(run => {
      const stat = statOf(journalOf(folder, run));
      // One that is no file is listed too: whoever reads it says what is wrong.
      return stat && (stat.size > 0 || !stat.isFile()) ? [{ run, at: stat.mtimeMs, bytes: stat.size }] : [];
    })
    .toSorted((a, b) => b.at - a.at || (a.run < b.run ? 1 : -1));
}

function statOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    // A link that leads in a circle.
    return undefined;
  }
}

/** How long a run's journal is. */
export const journalBytes = (folder: RalphFolder, run: string): number => {
  const stat = statOf(journalOf(folder, run));
  return stat?.isFile() ? stat.size : 0;
};

/** `2026-01-08-payments`, with a number where that is taken. */
export function newRunId(folder: RalphFolder, name: string, now: number): string {
  const date = new Date(now).toISOString().slice(0, 10);
  const base = `${date}-${runName(name)}`;
  const taken = new Set([folder.runs, folder.worktrees, folder.locks].flatMap(namesIn));
  for (let n = 1; ; n++) {
    const id = n === 1 ? base : `${base}-${n}`;
    if (!taken.has(id)) return id;
  }
}

/** The plan's part of a run's id: a plan that is named by a date must not make an id with two of them. */
export const runName = (name: string): string => slug(name).replace(/^\d{4}-\d\d-\d\d(-|$)/, '') || 'run';

const SLUG_LENGTH = 40;

/** Lower-case words joined by hyphens: safe in a path and in a ref. What is too long ends after a whole word. */
export function slug(text: string): string {
  const whole = text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
  if (whole.length <= SLUG_LENGTH) return whole;
  const end = whole.lastIndexOf('-', SLUG_LENGTH);
  return whole.slice(0, end > 0 ? end : SLUG_LENGTH);
}
