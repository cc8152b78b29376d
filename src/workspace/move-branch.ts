/** `git update-ref` for a branch that is a loose file: git's own lock, compare-and-swap, log and sync. */
import { appendFileSync, closeSync, existsSync, fsyncSync, lstatSync, openSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { readText, writeAll } from '../util/files.ts';
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
}

/** False when nothing was done because something is not as it usually is: git knows what to do then. */
export function moveBranch(move: BranchMove): boolean {
  const { commonDir, gitDir, ref, to, from, author, now } = move;
  const file = join(commonDir, ref);
  const logs = [join(commonDir, 'logs', ref), join(gitDir, 'logs', 'HEAD')];
  const onBranch = readText(join(gitDir, 'HEAD'))?.trim() === `ref: ${ref}`;
  if (!onBranch || !logs.every(log => existsSync(log)) || !isFile(file)) return false;
  const lock = `${file}.lock`;
  let fd: number;
  try {
    fd = openSync(lock, 'wx', 0o666);
  } catch {
    return false;
  }
  try {
    try {
      if (readText(file)?.trim() !== from) throw new Error('the branch was moved');
      writeAll(fd, Buffer.from(`${to}\n`));
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
    const line = `${from} ${to} ${author.name} <${author.email}> ${Math.floor(now / 1000)} +0000\tralph\n`;
    for (const log of logs) appendFileSync(log, line);
    renameSync(lock, file);
    return true;
  } catch {
    rmSync(lock, { force: true });
    return false;
  }
}

function isFile(path: string): boolean {
  try {
    return lstatSync(path).isFile();
  } catch {
    return false;
  }
}
