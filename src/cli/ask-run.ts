/** A person's request to a live run. What an agent of that run asks for is its own word, and no person's. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Request, sendRequest } from '../journal/control.ts';
import type { LockOwner } from '../journal/lock.ts';
import type { RalphFolder } from '../journal/runs.ts';
import { systemTable } from '../process/process-table.ts';
import { type Refusal, refuse } from '../start/project.ts';
import { ok, type Result } from '../util/result.ts';

export function askRun(folder: RalphFolder, owner: LockOwner, request: Request): Result<void, Refusal> {
  if (isAgentOf(folder, owner)) {
    return refuse(4, {
      reason: 'not-a-person',
      message: 'an agent of the live run cannot do this: only a person tells the runner what to do',
      hint: 'Say in your last message what is done, what is blocked and why; the runner looks for itself.',
    });
  }
  sendRequest(folder.control, request);
  nudge(owner.process.pid);
  return ok(undefined);
}

/** By what the runner gave it, or by who started it: an agent, or a gate that runs what the agent wrote. */
function isAgentOf({ runs }: RalphFolder, { process: runner }: LockOwner): boolean {
  const { RALPH_RUN: run } = process.env;
  return (run !== undefined && run !== '' && existsSync(join(runs, run))) || isBelow(runner.pid);
}

function isBelow(pid: number): boolean {
  const seen = new Set<number>();
  for (let at = process.ppid; at > 1 && !seen.has(at); at = systemTable.row(at)?.parent ?? 0) {
    if (at === pid) return true;
    seen.add(at);
  }
  return false;
}

/** The runner listens for this signal before it takes the lock, so its default of ending a process cannot happen. */
function nudge(pid: number): void {
  try {
    process.kill(pid, 'SIGUSR2');
  } catch {
    // It ended meanwhile, or belongs to another user; it looks into the inbox at its next boundary anyway.
  }
}
