/** One runner at a time, and what a dead one left is put in order before anything is read. */
import { existsSync } from 'node:fs';
import { relative } from 'node:path';
import { acquireLock, type Lock } from '../journal/lock.ts';
import { ralphFolder } from '../journal/runs.ts';
import { describeLeftover, endAbandoned } from '../loop/leftovers.ts';
import { isAlive, self } from '../process/identity.ts';
import type { Clock } from '../protocol.ts';
import { systemClock } from '../util/clock.ts';
import { ok, type Result } from '../util/result.ts';
import { showDuration } from '../util/show.ts';
import { placeOfRepository } from '../workspace/repository.ts';
import { type Project, type Refusal, refuse } from './project.ts';
import { isCutOff, putBackOwned } from './put-back-owned.ts';
import { repairAfterCrash } from './repair.ts';

interface Runner {
  /** As others see it in the lock. */
  readonly command?: string;
  readonly clock?: Clock;
}

/** Where a runner died, its lock is taken first: what it left is ended and put back before anything is read. */
export async function takeOver({
  cwd,
  env,
  ...runner
}: Runner & { readonly cwd: string; readonly env: NodeJS.ProcessEnv }): Promise<
  Result<{ readonly lock?: Lock; readonly warnings: readonly string[] }, Refusal>
> {
  const place = await placeOfRepository(cwd, env);
  const folder = place.ok ? ralphFolder(place.value.root) : undefined;
  // A mark by hand takes a dead runner's lock away; its journal still tells.
  if (!place.ok || !folder || !(existsSync(folder.lock) || isCutOff(folder))) return ok({ warnings: [] });
  const lock = takeLock({ cwd, folder }, runner);
  if (!lock.ok) return lock;
  const ended = await endAbandoned(folder, place.value.root);
  const repaired = await repairAfterCrash(place.value, folder);
  const back = await putBackOwned(place.value, folder);
  return ok({ lock: lock.value, warnings: [...ended.map(describeLeftover), ...repaired, ...back] });
}

export function takeLock(
  project: Pick<Project, 'cwd' | 'folder'>,
  { command = 'ralph run', clock = systemClock }: Runner,
): Result<Lock, Refusal> {
  const { lock: file } = project.folder;
  const lock = acquireLock({ file, me: self(), command, now: clock.now(), isAlive });
  if (lock.ok) return lock;
  const { owner } = lock.error;
  const since = showDuration(Math.max(0, clock.now() - owner.since));
  return refuse(4, {
    reason: 'locked',
    message: `another runner works here: pid ${owner.process.pid} on ${owner.host}, \`${owner.command}\`, since ${since}`,
    file: relative(project.cwd, file) || file,
    hint: 'See it with: ralph status. End it with: ralph stop',
  });
}
