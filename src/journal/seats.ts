/**
 * The seats of runners. The person's checkout has one seat: `.ralph/lock`, `.ralph/control/`, `.ralph/live.jsonl`. Every run in its own
 * worktree has another, so that several runs can work in one repository at once, but none of them twice.
 */
import { join } from 'node:path';
import { namesIn } from '../util/files.ts';
import { type LockOptions, type LockOwner, lockOwner } from './lock.ts';
import type { RalphFolder } from './runs.ts';

/** The folder as this run's runner sees it: its own lock, inbox and live file, everything else shared. */
export const seatOf = (folder: RalphFolder, run: string): RalphFolder => ({
  ...folder,
  seat: run,
  lock: join(folder.locks, run),
  control: join(folder.runs, run, 'control'),
  live: join(folder.runs, run, 'live.jsonl'),
});

/** The seat of a run, by its workspace. */
export const seatOfRun = (
  folder: RalphFolder,
  { run, workspace }: { readonly run: string; readonly workspace: string },
): RalphFolder => (workspace === '.' || workspace === '' ? folder : seatOf(folder, run));

/** The seat of a lock's owner. */
export const seatOfOwner = (folder: RalphFolder, { run, nonce }: LockOwner): RalphFolder => {
  const seat = run === undefined ? folder : seatOf(folder, run);
  return seat.seat !== undefined && lockOwner({ file: seat.lock, isAlive: () => true })?.nonce === nonce
    ? seat
    : folder;
};

export interface LiveSeat {
  readonly seat: RalphFolder;
  readonly owner: LockOwner;
}

/** All live runners in this repository, the latest first. */
export function liveSeats(folder: RalphFolder, { isAlive }: Pick<LockOptions, 'isAlive'>): readonly LiveSeat[] {
  return [folder, ...seatsIn(folder)]
    .flatMap(seat => {
      const owner = lockOwner({ file: seat.lock, isAlive });
      return owner ? [{ seat, owner }] : [];
    })
    .toSorted((a, b) => b.owner.since - a.owner.since);
}

/** Runs in worktrees that have a lock file, whether its owner is alive or not. */
const seatsIn = (folder: RalphFolder): readonly RalphFolder[] =>
  // Temporary files of a lock have a suffix with a dot; a run's id has no dot.
  namesIn(folder.locks).flatMap(name => (name.includes('.') ? [] : [seatOf(folder, name)]));
