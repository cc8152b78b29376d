/** `git update-ref` for a branch that is a loose file: git's own lock, compare-and-swap, log and sync. */
import { appendFileSync, existsSync, linkSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { overwriteInPlace, readText, writeFresh } from '../util/files.ts';
import { flush } from '../util/flush.ts';
import { attempt } from '../util/result.ts';
import { lookAt } from '../util/version.ts';
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
export async function moveBranch(move: BranchMove): Promise<boolean> {
  const prepared = nextIn(move.gitDir);
  try {
    return await moveBy(prepared, move);
  } finally {
    rmSync(prepared, { force: true });
  }
}

async function moveBy(
  prepared: string,
  { commonDir, gitDir, ref, to, from, author, now, next }: BranchMove,
): Promise<boolean> {
  const file = join(commonDir, ref);
  const logs = [join(commonDir, 'logs', ref), join(gitDir, 'logs', 'HEAD')];
  const onBranch = readText(join(gitDir, 'HEAD'))?.trim() === `ref: ${ref}`;
  if (!onBranch || !logs.every(log => existsSync(log)) || !lookAt(file)?.isFile()) return false;
  const line = `${from} ${to} ${author.name} <${author.email}> ${Math.floor(now / 1000)} +0000\tralph\n`;
  const lock = `${file}.lock`;
  let locked = false;
  try {
    // On disk before the lock is taken: a runner that is killed must not leave a branch locked, so it is held for as
    // short as can be.
    if (next === undefined) await flush([writeNext(gitDir, to)]);
    linkSync(prepared, lock);
    locked = true;
    if (readText(lock) !== `${to}\n` || readText(file)?.trim() !== from) return false;
    for (const log of logs) appendFileSync(log, line);
    renameSync(lock, file);
    locked = false;
    await flush([dirname(file)]);
    return true;
  } catch {
    return false;
  } finally {
    if (locked) rmSync(lock, { force: true });
  }
}

/**
 * The same for a branch that nobody else moves, a worker's between two items. Overwritten in place, a name as long as the
 * last one is whole after a kill and after a power cut; where the disk has it, the old one.
 */
export function overwriteBranch({ commonDir, ref, to, from }: Pick<BranchMove, 'commonDir' | 'ref' | 'to' | 'from'>) {
  return attempt(() => overwriteInPlace(join(commonDir, ref), { from: `${from}\n`, to: `${to}\n` })) ?? false;
}
