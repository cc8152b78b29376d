/**
 * Where runners sit. The person's checkout has one seat: `.ralph/lock`, `.ralph/control/`, `.ralph/live.jsonl`. Every run in
 * a worktree of its own has another, so that several work in one repository at once and none of them twice.
 */
import { join } from 'node:path';
import { namesIn } from '../util/files.ts';
import { type LockOptions, type LockOwner, lockOwner } from './lock.ts';
import type { RalphFolder } from './runs.ts';

/** The folder as the runner of this run sees it: its own lock, inbox and live file, everything else the same. */
export const seatOf = (folder: RalphFolder, run: string): RalphFolder => ({
  ...folder,
  seat: run,
  lock: join(folder.locks, run),
  control: join(folder.runs, run, 'control'),
  live: join(folder.runs, run, 'live.jsonl'),
});

/** Where the runner of a run sits, by where the run works. */
export const seatOfRun = (
  folder: RalphFolder,
  { run, workspace }: { readonly run: string; readonly workspace: string },
): RalphFolder => (workspace === '.' || workspace === '' ? folder : seatOf(folder, run));

/** Where the owner of a lock sits. */
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

/** Every runner that is alive here, the one that came last first. */
export function liveSeats(folder: RalphFolder, { isAlive }: Pick<LockOptions, 'isAlive'>): readonly LiveSeat[] {
  return [folder, ...seatsIn(folder)]
    .flatMap(seat => {
      const owner = lockOwner({ file: seat.lock, isAlive });
      return owner ? [{ seat, owner }] : [];
    })
    .toSorted((a, b) => b.owner.since - a.owner.since);
}

/** Runs in worktrees whose lock is there, whoever it names. */
const seatsIn = (folder: RalphFolder): readonly RalphFolder[] =>
  // What is being taken or taken over has a suffix of its own; a run's id has no dot.
  namesIn(folder.locks).flatMap(name => (name.includes('.') ? [] : [seatOf(folder, name)]));
