/** `git update-ref` for a branch that is a loose file: git's own lock, compare-and-swap, log and sync. */
import { appendFileSync, existsSync, linkSync, lstatSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readText } from '../util/files.ts';
import { flush } from '../util/flush.ts';
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
  /** A worker's own branch may be found where it was before, after a power cut; but never empty. */
  readonly outlives: 'power-cut' | 'kill';
}

/** False when nothing was done because something is not as it usually is: git knows what to do then. */
export async function moveBranch(move: BranchMove): Promise<boolean> {
  const { commonDir, gitDir, ref, to, from, author, now, outlives } = move;
  const file = join(commonDir, ref);
  const logs = [join(commonDir, 'logs', ref), join(gitDir, 'logs', 'HEAD')];
  const onBranch = readText(join(gitDir, 'HEAD'))?.trim() === `ref: ${ref}`;
  if (!onBranch || !logs.every(log => existsSync(log)) || !isFile(file)) return false;
  const line = `${from} ${to} ${author.name} <${author.email}> ${Math.floor(now / 1000)} +0000\tralph\n`;
  const prepared = join(gitDir, 'RALPH_NEXT');
  const lock = `${file}.lock`;
  let locked = false;
  try {
    // On disk before the lock is taken: a runner that is killed must not leave a branch locked, so it is held for as
    // short as can be.
    rmSync(prepared, { force: true });
    writeFileSync(prepared, `${to}\n`, { flag: 'wx' });
    await flush([prepared]);
    linkSync(prepared, lock);
    locked = true;
    if (readText(file)?.trim() !== from) return false;
    for (const log of logs) appendFileSync(log, line);
    renameSync(lock, file);
    locked = false;
    if (outlives === 'power-cut') await flush([dirname(file)]);
    return true;
  } catch {
    return false;
  } finally {
    if (locked) rmSync(lock, { force: true });
    rmSync(prepared, { force: true });
  }
}

function isFile(path: string): boolean {
  try {
    return lstatSync(path).isFile();
  } catch {
    return false;
  }
}
