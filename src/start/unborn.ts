/** Runs that were killed while they were being started: no agent of theirs ever worked, and nobody can continue with them. */
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { journalBytes, liveSeats, seatOf } from '../journal/index.ts';
import { isAlive } from '../process/index.ts';
import { namesIn } from '../util/files.ts';
import type { Project } from './project.ts';

/** Takes away what they left: a worktree, a folder, a lock. Only while no other run is being started. */
export async function clearUnborn({ folder, repository }: Project): Promise<void> {
  const left = namesIn(folder.worktrees).filter(
    run =>
      existsSync(join(folder.runs, run)) &&
      journalBytes(folder, run) === 0 &&
      // Where one has begun, the journal was lost, and its work is in the worktree.
      !existsSync(join(folder.runs, run, 'iterations')),
  );
  if (left.length === 0) return;
  const live = new Set(liveSeats(folder, { isAlive }).map(({ owner }) => owner.run));
  for (const run of left) {
    if (live.has(run)) continue;
    const removed = await repository.git.text('worktree', 'remove', '--force', join(folder.worktrees, run));
    // One that git had not finished making is none to it.
    const half = [join(folder.worktrees, run), join(repository.commonDir, 'worktrees', run)];
    if (!removed.ok) for (const path of half) rmSync(path, { recursive: true, force: true });
    rmSync(join(folder.runs, run), { recursive: true, force: true });
    rmSync(seatOf(folder, run).lock, { force: true });
  }
}
