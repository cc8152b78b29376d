/** Checkouts of a run's workers, each on a branch of its own: made for one process of the run, and gone after it. */
import { rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { namesIn } from '../util/files.ts';
import { fail, ok, type Result } from '../util/result.ts';
import { worktreeAt } from './branch.ts';
import { WORKER_BRANCHES } from './refs-back.ts';
import type { Repository } from './repository.ts';

export interface WorkerPlace {
  /** Where the worktrees of all runs are. */
  readonly folder: string;
  readonly run: string;
  readonly worker: number;
}

export const workerRoot = ({ folder, run, worker }: WorkerPlace): string => join(folder, `${run}.${worker}`);

export const workerBranch = ({ run, worker }: Pick<WorkerPlace, 'run' | 'worker'>): string =>
  `${WORKER_BRANCHES.slice('refs/heads/'.length)}${run}/${worker}`;

/** Its git directory. One that is there already is taken as it is. */
export async function openWorkerCheckout(
  repository: Repository,
  place: WorkerPlace & { readonly base: string },
): Promise<Result<{ readonly root: string; readonly gitDir: string; readonly fresh: boolean }>> {
  const root = workerRoot(place);
  const known = worktreeAt(root);
  if (known) return ok({ root, gitDir: known, fresh: false });
  // Of a folder that was deleted by hand git still knows the branch, and refuses to make it again.
  await removeWorkerCheckouts(repository, { ...place, which: worker => worker === place.worker });
  // Nothing of it has to outlive a power cut: work that counts is in objects, and those are on disk before they are named.
  const { base } = place;
  // The files come in a second step, which workers beside each other do at the same time.
  const empty = ['worktree', 'add', '-q', '--force', '--no-checkout', '-B', workerBranch(place), root, base];
  const added = await addInTurn(repository, empty);
  if (!added.ok) return added;
  const gitDir = worktreeAt(root);
  if (!gitDir) return fail({ reason: 'no-worktree', message: `git made no worktree at ${root}` });
  const there = repository.git.with({ GIT_DIR: gitDir, GIT_WORK_TREE: root });
  const filled = await there.text('read-tree', '--reset', '-u', base);
  if (filled.ok) return ok({ root, gitDir, fresh: true });
  await removeWorkerCheckouts(repository, { ...place, which: worker => worker === place.worker });
  return filled;
}

const TRIES = 20;
const PAUSE_MS = 50;

let last: Promise<unknown> = Promise.resolve();

/** One after the other, and again where somebody else's is half made: git reads about all worktrees to make one. */
function addInTurn({ git }: Repository, args: readonly string[]): Promise<Result<string>> {
  const added = last.then(async () => {
    let done = await git.text(...args);
    for (let tries = 1; !done.ok && /worktrees\/\S+\/(?:commondir|gitdir|HEAD)/.test(done.error.message); tries++) {
      if (tries === TRIES) break;
      await new Promise(resolve => setTimeout(resolve, PAUSE_MS));
      done = await git.text(...args);
    }
    return done;
  });
  last = added;
  return added;
}

export interface Removed {
  readonly folder: string;
  readonly run: string;
  /** Which of them; all where that is not said. */
  readonly which?: (worker: number) => boolean;
}

/** Takes them away, with their branches; what counts of them is under refs of the run. */
export async function removeWorkerCheckouts(repository: Repository, removed: Removed): Promise<void> {
  const { folder, run, which = () => true } = removed;
  const admin = join(repository.commonDir, 'worktrees');
  const workerOf = (name: string) => (name.startsWith(`${run}.`) ? Number(name.slice(run.length + 1)) : Number.NaN);
  const isGone = (name: string) => Number.isInteger(workerOf(name)) && which(workerOf(name));
  const here = namesIn(folder).filter(isGone);
  const known = namesIn(admin).filter(isGone);
  if (here.length + known.length === 0) return;
  const gitDirs = here.flatMap(name => worktreeAt(join(folder, name)) ?? []);
  const gone = new Set([...here.map(name => join(folder, name)), ...gitDirs, ...known.map(name => join(admin, name))]);
  const workers = new Set([...here, ...known, ...gitDirs.map(path => basename(path))].map(workerOf).filter(isNumber));
  const refs = [...workers].map(worker => `refs/heads/${workerBranch({ run, worker })}`);
  // Before the folders: by those, a later runner finds the branches of one that was killed here.
  const input = refs.map(ref => `delete ${ref}\n`).join('');
  await repository.git.run({ args: ['update-ref', '--stdin'], input });
  await Promise.all([...gone].map(path => rm(path, { recursive: true, force: true, maxRetries: 3 })));
}

const isNumber = (worker: number): boolean => Number.isInteger(worker);
