/** One runner at a time, and what a dead one left is put in order before anything is read. */
import { existsSync } from 'node:fs';
import { relative } from 'node:path';
import { describeLeftover, endAbandoned } from '../checks/index.ts';
import { isCutOff, putBackOwned } from '../custody/index.ts';
import { describeNotLocked, type Lock, lockFolder, ralphFolder } from '../journal/index.ts';
import { isAlive, self } from '../process/index.ts';
import type { Clock } from '../protocol.ts';
import { systemClock } from '../util/clock.ts';
import { otherKind, wrongKind } from '../util/regular.ts';
import { ok, type Result } from '../util/result.ts';
import { placeOfRepository } from '../workspace/index.ts';
import { clearLeft, refuseFolder } from './kinds.ts';
import { type Project, type Refusal, refuse } from './project.ts';
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
  const wrong = folder && refuseFolder(folder, cwd);
  if (wrong) return refuse(4, wrong);
  // A mark by hand takes a dead runner's lock away; its journal still tells.
  if (!place.ok || !folder || !(existsSync(folder.lock) || isCutOff(folder))) return ok({ warnings: [] });
  const lock = takeLock({ cwd, folder }, runner);
  if (!lock.ok) return lock;
  const ended = await endAbandoned(folder, place.value.root);
  const left = clearLeft(folder, place.value.root);
  const repaired = await repairAfterCrash(place.value, folder);
  const back = await putBackOwned(place.value, folder);
  return ok({ lock: lock.value, warnings: [...ended.map(describeLeftover), ...left, ...repaired, ...back] });
}

export function takeLock(
  project: Pick<Project, 'cwd' | 'folder'>,
  { command = 'ralph run', clock = systemClock }: Runner,
): Result<Lock, Refusal> {
  const odd = otherKind(project.folder.lock, 'file');
  if (odd !== undefined) return refuse(4, wrongKind(relative(project.cwd, project.folder.lock), odd, 'file'));
  const lock = lockFolder(project.folder, { me: self(), command, now: clock.now(), isAlive });
  if (lock.ok) return lock;
  const failure = describeNotLocked(lock.error, clock.now());
  const file = failure.file ?? project.folder.lock;
  return refuse(4, { ...failure, file: relative(project.cwd, file) || file });
}
