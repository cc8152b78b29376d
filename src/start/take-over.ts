/** A runner's seat: taken before anything is touched, and what a dead runner left there is dealt with first. */
import { existsSync } from 'node:fs';
import { relative } from 'node:path';
import { describeLeftover, endAbandoned } from '../checks/index.ts';
import { isCutOff, putBackOwned } from '../custody/index.ts';
import {
  describeNotLocked,
  type Lock,
  lockFolder,
  planKey,
  type RalphFolder,
  ralphFolder,
  seatOf,
} from '../journal/index.ts';
import { isAlive, self } from '../process/index.ts';
import type { Clock } from '../protocol.ts';
import { systemClock } from '../util/clock.ts';
import { otherKind, wrongKind } from '../util/regular.ts';
import { fail, ok, type Result } from '../util/result.ts';
import { placeOfRepository, type Repository, repoPath } from '../workspace/index.ts';
import { refuseTwice } from './already-running.ts';
import type { Found } from './find-plan.ts';
import { orRelease } from './keep-lock.ts';
import { clearLeft, refuseFolder } from './kinds.ts';
import { freePortBlock, PORTS } from './port-block.ts';
import { type Project, type Refusal, refuse } from './project.ts';
import { repairAfterCrash } from './repair.ts';

interface Runner {
  /** As others see it in the lock. */
  readonly command?: string;
  readonly clock?: Clock;
}

/** What became of the seat of the person's checkout. */
export interface TakenOver {
  /** A dead runner's, which is mine now. */
  readonly lock?: Lock;
  /** Somebody works there: only a run in its own worktree may begin. */
  readonly held?: Refusal;
  readonly warnings: readonly string[];
}

/** Where a runner died, its lock is taken first: what it left is ended and put back before anything is read. */
export async function takeOver({
  cwd,
  env,
  ...runner
}: Runner & { readonly cwd: string; readonly env: NodeJS.ProcessEnv }): Promise<Result<TakenOver, Refusal>> {
  const place = await placeOfRepository(cwd, env);
  const folder = place.ok ? ralphFolder(place.value.root) : undefined;
  const wrong = folder && refuseFolder(folder, cwd);
  if (wrong) return refuse(4, wrong);
  // A mark by hand takes a dead runner's lock away; its journal still tells.
  if (!place.ok || !folder || !(existsSync(folder.lock) || isCutOff(folder))) return ok({ warnings: [] });
  const lock = takeLock({ cwd, folder }, runner);
  if (!lock.ok) return lock.error.failure.reason === 'locked' ? ok({ held: lock.error, warnings: [] }) : lock;
  return await orRelease(lock.value, async () =>
    ok({ lock: lock.value, warnings: await clearUp(place.value, folder) }),
  );
}

/** For the owner of a lock whose last one did not give it back. What was done, in words. */
async function clearUp(repository: Repository, folder: RalphFolder): Promise<readonly string[]> {
  const ended = await endAbandoned(folder, repository.root);
  const left = clearLeft(folder, repository.root);
  const repaired = await repairAfterCrash(repository, folder);
  const back = await putBackOwned(repository, folder);
  return [...ended.map(describeLeftover), ...left, ...repaired, ...back];
}

export interface Seat {
  readonly lock: Lock;
  /** With the lock, inbox and live file of this run. */
  readonly folder: RalphFolder;
  readonly warnings: readonly string[];
  /** For its agents and gates. */
  readonly env?: Readonly<Record<string, string>>;
}

/** The seat that this run works from: that of the person's checkout, or one of its own beside all others. */
export async function takeSeat(
  project: Project,
  { found, taken, runner }: { readonly found: Found; readonly taken: TakenOver; readonly runner: Runner },
): Promise<Result<Seat, Refusal>> {
  const { run } = found;
  const plan = planKeyOf(project, found);
  const isolated = isIsolated(project, found);
  if (!isolated && taken.held) return fail(taken.held);
  const twice = refuseTwice(project, { run, plan });
  if (twice) return refuse(4, twice);
  if (!isolated) {
    const lock = taken.lock ? ok(taken.lock) : takeLock(project, { ...runner, run, plan });
    taken.lock?.name({ run, plan });
    return lock.ok ? ok({ lock: lock.value, folder: project.folder, warnings: [] }) : lock;
  }
  taken.lock?.release();
  const folder = seatOf(project.folder, run);
  const lock = takeLock({ cwd: project.cwd, folder }, { ...runner, run, plan });
  if (!lock.ok) return lock;
  return await orRelease(lock.value, async () => {
    const died = lock.value.inherited || found.died;
    const warnings = died ? await clearUp(project.repository, folder) : [];
    const port = await freePortBlock(project.folder);
    if (port === undefined) return ok({ lock: lock.value, folder, warnings });
    lock.value.name({ run, plan, port });
    return ok({ lock: lock.value, folder, warnings, env: { RALPH_PORT: String(port), RALPH_PORTS: String(PORTS) } });
  });
}

/** Whether a run works in its own worktree: as it began, or as the config and the flags say. */
export const isIsolated = ({ settings }: Project, { state }: Pick<Found, 'state'>): boolean =>
  state ? state.workspace !== '.' : settings.workspace === 'worktree';

/** What runs of this plan go by. */
export const planKeyOf = ({ repository }: Project, { plan, promptText }: Pick<Found, 'plan' | 'promptText'>): string =>
  planKey({ path: repoPath(repository, plan.path) ?? plan.path, promptText });

function takeLock(
  project: Pick<Project, 'cwd' | 'folder'>,
  { command = 'ralph run', clock = systemClock, ...work }: Runner & { readonly run?: string; readonly plan?: string },
): Result<Lock, Refusal> {
  const odd = otherKind(project.folder.lock, 'file');
  if (odd !== undefined) return refuse(4, wrongKind(relative(project.cwd, project.folder.lock), odd, 'file'));
  const lock = lockFolder(project.folder, { me: self(), command, now: clock.now(), isAlive, ...work });
  if (lock.ok) return lock;
  const failure = describeNotLocked(lock.error, clock.now());
  const file = failure.file ?? project.folder.lock;
  return refuse(4, { ...failure, file: relative(project.cwd, file) || file });
}
