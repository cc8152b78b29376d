/** What a runner that died left running in this repository: agents, gates, its own git calls. Ended before anything else. */
import { sep } from 'node:path';
import type { RalphFolder } from '../journal/index.ts';
import { endLeftovers } from '../process/index.ts';
import type { Leftover } from '../protocol.ts';
import { GATE_MARK } from './run-checks.ts';

const GRACE_MS = 3_000;

/** For the owner of a lock that was taken over: nobody else's processes carry these marks then. */
export async function endAbandoned(folder: RalphFolder, repository: string): Promise<readonly Leftover[]> {
  const inRuns = `${folder.runs}${sep}`;
  return await endLeftovers({
    // Agents get their brief from there, git calls their index, and gates run in the repository or in a worktree of it.
    marks: { RALPH_BRIEF: inRuns, GIT_INDEX_FILE: inRuns, [GATE_MARK]: repository },
    graceMs: GRACE_MS,
  });
}

export function describeLeftover({ pid, command, killed }: Leftover): string {
  return `${killed ? 'ended' : 'could not end'} what the last runner left behind: ${pid} ${command}`;
}
