/** A runner is found although its lock is gone: its journal names it. */
import { hostname } from 'node:os';
import type { ProcessId } from '../protocol.ts';
import { type Failure, fail, type Result } from '../util/result.ts';
import { showDuration } from '../util/show.ts';
import { storeOf } from './local-store.ts';
import type { Lock, LockOwner, NotLocked } from './lock.ts';
import { readRunFast } from './read-run.ts';
import { listRuns } from './run-list.ts';
import type { RalphFolder } from './runs.ts';
import type { LockRequest } from './store.ts';

/** Takes the lock, unless a runner whose lock was deleted still works on the newest run. */
export function lockFolder(folder: RalphFolder, options: LockRequest): Result<Lock, NotLocked> {
  const owner = runnerAt(folder, options);
  return owner ? fail({ reason: 'held', owner }) : storeOf(folder).lock(options);
}

/** Who works here, by the lock or by the journal of the newest run. */
export const runnerAt = (folder: RalphFolder, who: Pick<LockRequest, 'me' | 'isAlive'>): LockOwner | undefined =>
  storeOf(folder).owner(who) ?? liveRunner(folder, who);

function liveRunner(
  folder: RalphFolder,
  { me, isAlive }: { readonly me: ProcessId; readonly isAlive: (id: ProcessId) => boolean },
): LockOwner | undefined {
  const [run] = listRuns(folder);
  const read = run === undefined ? undefined : readRunFast(folder, run);
  if (!read?.ok) return undefined;
  const { runner, finished, startedAt } = read.value.state;
  // This process knows by the lock alone what it does; and another machine's processes cannot be looked at.
  if (!runner || finished || runner.host !== hostname() || runner.process.pid === me.pid) return undefined;
  return isAlive(runner.process) ? { ...runner, nonce: '', command: 'ralph run', since: startedAt } : undefined;
}

/** Why the lock could not be had, and what to do. */
export function describeNotLocked(error: NotLocked, now: number): Failure {
  if (error.reason === 'unusable') return error.failure;
  const { process, host, command, since } = error.owner;
  const age = showDuration(Math.max(0, now - since));
  return {
    reason: 'locked',
    message: `another runner works here: pid ${process.pid} on ${host}, \`${command}\`, started ${age} ago`,
    hint: 'See it with: ralph status. End it with: ralph stop',
  };
}
