/** Ends what a dead runner left running in this repository (agents, gates, its own git calls), before anything else happens. */
import { sep } from 'node:path';
import { liveSeats, type RalphFolder } from '../journal/index.ts';
import { endLeftovers, isAlive } from '../process/index.ts';
import type { Leftover } from '../protocol.ts';
import { GATE_MARK } from './run-checks.ts';

const GRACE_MS = 3_000;

/** For the owner of a lock that was taken over; leaves processes of runs with another live runner alone. */
export async function endAbandoned(folder: RalphFolder, repository: string): Promise<readonly Leftover[]> {
  const others = new Set(liveSeats(folder, { isAlive }).flatMap(({ owner }) => owner.run ?? []));
  const isMine = (run: string) => (folder.seat === undefined ? !others.has(run) : run === folder.seat);
  const inRuns = (path: string) => {
    const run = firstBelow(folder.runs, path);
    return run !== undefined && isMine(run);
  };
  const inTree = (path: string) => {
    const run = firstBelow(folder.worktrees, path);
    if (run !== undefined) return isMine(run);
    return folder.seat === undefined && (path === repository || path.startsWith(`${repository}${sep}`));
  };
  return await endLeftovers({
    // Agents have their brief and git calls their index in the runs folder; gates run in the repository or in one of its worktrees.
    marks: { RALPH_BRIEF: inRuns, GIT_INDEX_FILE: inRuns, [GATE_MARK]: inTree },
    graceMs: GRACE_MS,
  });
}

/** The first path segment below a folder; undefined for a path outside the folder. */
const firstBelow = (folder: string, path: string): string | undefined =>
  path.startsWith(`${folder}${sep}`) ? path.slice(folder.length + 1).split(sep, 1)[0] : undefined;

export function describeLeftover({ pid, command, killed }: Leftover): string {
  return `${killed ? 'ended' : 'could not end'} what the last runner left behind: ${pid} ${command}`;
}
