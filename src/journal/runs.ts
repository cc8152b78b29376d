/** The runs of a repository: where they are, and which is the newest. */

import { mkdirSync, type Stats, statSync } from 'node:fs';
import { join } from 'node:path';
import { dayOf } from '../util/clock.ts';
import { namesIn, readText, writeOwn } from '../util/files.ts';
import { freeName } from '../util/free-name.ts';
import { iterationIn } from '../util/iteration-packs.ts';
import { type Failure, fail, ok, type Result } from '../util/result.ts';

export interface RalphFolder {
  readonly root: string;
  readonly lock: string;
  /** The folder with one lock per run that has its own worktree. */
  readonly locks: string;
  readonly control: string;
  readonly runs: string;
  readonly templates: string;
  readonly progress: string;
  readonly worktrees: string;
  readonly live: string;
  /** The run in a worktree that lock, inbox and live file belong to; absent for those of the person's checkout. */
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

/** Makes the folder ignore itself, so that the user's own .gitignore need not change. */
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

/** The runner does not start if it cannot store its state. */
export function notWritable(file: string, error: unknown): Failure {
  const { code, message } = error as NodeJS.ErrnoException;
  return {
    reason: 'not-writable',
    message: `cannot write here: ${code ?? message}`,
    file,
    hint: /^(?:ENOSPC|EDQUOT)$/.test(code ?? '')
      ? `Free some space, then start this command again: df -h ${file}`
      : `Check who owns it and whether its disk is mounted read-only: ls -ld ${file}; findmnt -T ${file}`,
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
  /** The length of the journal: the cheapest way to see whether a run has continued. */
  readonly bytes: number;
}

/** All runs, newest first by the last write to their journals. Checks every journal, unlike `listRuns`. */
export function listRunFiles(folder: RalphFolder): readonly RunFile[] {
  return namesIn(folder.runs)
    .flatMap(run => {
      const stat = statOf(journalOf(folder, run));
      // An entry that is not a file is listed, too, so that reading it reports what is wrong.
      return stat && (stat.size > 0 || !stat.isFile()) ? [{ run, at: stat.mtimeMs, bytes: stat.size }] : [];
    })
    .toSorted((a, b) => b.at - a.at || (a.run < b.run ? 1 : -1));
}

function statOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    // A circular link.
    return undefined;
  }
}

/** The length of a run's journal in bytes. */
export const journalBytes = (folder: RalphFolder, run: string): number => {
  const stat = statOf(journalOf(folder, run));
  return stat?.isFile() ? stat.size : 0;
};

/** `2026-01-08-payments`, with a number appended if that id is taken. */
export function newRunId(folder: RalphFolder, name: string, now: number): string {
  const base = `${dayOf(now)}-${runName(name)}`;
  const taken = new Set([folder.runs, folder.worktrees, folder.locks].flatMap(namesIn));
  return freeName(base, id => !taken.has(id));
}

/** The plan's part of a run's id, without a date of its own, because the id already starts with one. */
export const runName = (name: string): string => slug(name).replace(/^\d{4}-\d\d-\d\d(-|$)/, '') || 'run';

const SLUG_LENGTH = 40;

/** Lower-case words joined by hyphens: safe in a path and in a ref. A long text is cut after a whole word. */
export function slug(text: string): string {
  const whole = text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
  if (whole.length <= SLUG_LENGTH) return whole;
  const end = whole.lastIndexOf('-', SLUG_LENGTH);
  return whole.slice(0, end > 0 ? end : SLUG_LENGTH);
}
