/** Runs of one repository begin one after the other: the name, the branch and the worktree of each are decided by one at a time. */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describeNotLocked, storeOf } from '../journal/index.ts';
import { isAlive, self } from '../process/index.ts';
import { ok, type Result } from '../util/result.ts';
import { type Project, type Refusal, refuse } from './project.ts';

/** To choose a branch and to lay out a worktree takes seconds; a large one may take longer. */
const LONGEST_MS = 120_000;
const LOOK_MS = 25;

/** Waits for its turn; the returned function ends it. */
export async function takeTurn(
  { folder }: Pick<Project, 'folder'>,
  command: string,
): Promise<Result<() => void, Refusal>> {
  const store = storeOf({ ...folder, lock: join(folder.locks, '.starting') });
  const since = Date.now();
  for (;;) {
    const turn = store.lock({ me: self(), command, now: Date.now(), isAlive });
    if (turn.ok) return ok(() => turn.value.release());
    const { error } = turn;
    if (error.reason === 'unusable') return refuse(4, error.failure);
    if (Date.now() - since > LONGEST_MS) {
      const failure = describeNotLocked(error, Date.now());
      return refuse(4, { ...failure, message: `another run is still being started: ${failure.message}` });
    }
    await sleep(LOOK_MS);
  }
}
