/** `git update-ref` for a branch that is a loose file: git's own lock, compare-and-swap, log and sync. */
import { appendFileSync, existsSync, linkSync, lstatSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createSynced, readText, syncFolder, writeFresh } from '../util/files.ts';
import type { Author } from './commit-object.ts';

export interface BranchMove {
  readonly commonDir: string;
  /** The git directory of the checkout whose HEAD is on the branch. */
  readonly gitDir: string;
  readonly ref: string;
  readonly to: string;
  readonly from: string;
  readonly author: Author;
  readonly now: number;
  /** What `writeNext` wrote, where it has reached the disk. */
  readonly next?: string;
}

const nextIn = (gitDir: string): string => join(gitDir, 'RALPH_NEXT');

/** Writes what a branch is to be, for whoever flushes it before the branch is moved. */
export function writeNext(gitDir: string, to: string): string {
  const file = nextIn(gitDir);
  writeFresh(file, `${to}\n`);
  return file;
}

/** False when nothing was done because something is not as it usually is: git knows what to do then. */
export function moveBranch(move: BranchMove): boolean {
  const prepared = nextIn(move.gitDir);
  try {
    return moveBy(prepared, move);
  } finally {
    rmSync(prepared, { force: true });
  }
}

function moveBy(prepared: string, { commonDir, gitDir, ref, to, from, author, now, next }: BranchMove): boolean {
  const file = join(commonDir, ref);
  const logs = [join(commonDir, 'logs', ref), join(gitDir, 'logs', 'HEAD')];
  const onBranch = readText(join(gitDir, 'HEAD'))?.trim() === `ref: ${ref}`;
  if (!onBranch || !logs.every(log => existsSync(log)) || !isFile(file)) return false;
  const line = `${from} ${to} ${author.name} <${author.email}> ${Math.floor(now / 1000)} +0000\tralph\n`;
  const lock = `${file}.lock`;
  let locked = false;
  try {
    // On disk before the lock is taken: a runner that is killed must not leave a branch locked, so it is held for as
    // short as can be.
    if (next === undefined) {
      rmSync(prepared, { force: true });
      createSynced(prepared, Buffer.from(`${to}\n`));
    }
    linkSync(prepared, lock);
    locked = true;
    if (readText(lock) !== `${to}\n` || readText(file)?.trim() !== from) return false;
    for (const log of logs) appendFileSync(log, line);
    renameSync(lock, file);
    locked = false;
    syncFolder(dirname(file));
    return true;
  } catch {
    return false;
  } finally {
    if (locked) rmSync(lock, { force: true });
  }
}

function isFile(path: string): boolean {
  try {
    return lstatSync(path).isFile();
  } catch {
    return false;
  }
}
