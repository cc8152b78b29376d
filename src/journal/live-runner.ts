/** Finds a live runner whose lock was deleted: its journal names it. */
import { hostname } from 'node:os';
import type { ProcessId } from '../protocol.ts';
import { type Failure, fail, type Result } from '../util/result.ts';
import { showDuration } from '../util/show.ts';
import { storeOf } from './local-store.ts';
import type { Lock, LockOwner, NotLocked } from './lock.ts';
import { firstRecord } from './read-journal.ts';
import { readRunFast } from './read-run.ts';
import { listRuns } from './run-list.ts';
import { journalOf, type RalphFolder } from './runs.ts';
import type { LockRequest } from './store.ts';

/** Takes the lock of a seat, unless a live runner whose lock was deleted still works there. */
export function lockFolder(folder: RalphFolder, options: LockRequest): Result<Lock, NotLocked> {
  const owner = runnerAt(folder, options);
  return owner ? fail({ reason: 'held', owner }) : storeOf(folder).lock(options);
}

/** The runner at a seat, found by the lock or by the journal of the newest run there. */
export const runnerAt = (folder: RalphFolder, who: Pick<LockRequest, 'me' | 'isAlive'>): LockOwner | undefined =>
  storeOf(folder).owner(who) ?? liveRunner(folder, who);

function liveRunner(
  folder: RalphFolder,
  { me, isAlive }: { readonly me: ProcessId; readonly isAlive: (id: ProcessId) => boolean },
): LockOwner | undefined {
  const run = newestAt(folder);
  const read = run === undefined ? undefined : readRunFast(folder, run);
  if (!read?.ok) return undefined;
  const { runner, finished, startedAt } = read.value.state;
  // This process knows its own state from the lock; and processes on another machine cannot be checked.
  if (!runner || finished || runner.host !== hostname() || runner.process.pid === me.pid) return undefined;
  return isAlive(runner.process)
    ? { ...runner, nonce: '', command: 'ralph run', since: startedAt, run: read.value.state.run }
    : undefined;
}

/** How many runs are checked; an older one has not just lost its lock. */
const LOOKED_AT = 12;

/** The newest run at a seat; for the person's checkout, the newest run that works in it. */
export function newestAt(folder: RalphFolder): string | undefined {
  if (folder.seat !== undefined) return listRuns(folder).find(run => run === folder.seat);
  const runs = listRuns(folder);
  const isHere = (run: string) => {
    const first = firstRecord(journalOf(folder, run));
    // An unreadable journal may belong to this checkout.
    return first?.type !== 'run.started' || first.workspace === '.';
  };
  return runs.slice(0, LOOKED_AT).find(isHere);
}

/** Why the lock is not available, and what to do. */
export function describeNotLocked(error: NotLocked, now: number): Failure {
  if (error.reason === 'unusable') return error.failure;
  const { process, host, command, since, run } = error.owner;
  const age = showDuration(Math.max(0, now - since));
  const which = run === undefined ? '' : ` --run ${run}`;
  return {
    reason: 'locked',
    message: `another runner works here: pid ${process.pid} on ${host}, \`${command}\`, started ${age} ago`,
    hint: `See it with: ralph status${which}. End it with: ralph stop${which}`,
  };
}
