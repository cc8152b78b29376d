/** After a runner that did not end by itself: the git directory is looked at, and made whole, before anything is read. */
import { join } from 'node:path';
import { newestAt, type RalphFolder, readRun } from '../journal/index.ts';
import { self } from '../process/index.ts';
import { isCutOff } from '../state.ts';
import { readText } from '../util/files.ts';
import { type Repository, repairGit, vaultIn } from '../workspace/index.ts';
import { othersLive } from './already-running.ts';

/** Objects of a commit are written a little before its run is recorded. */
const BEFORE_MS = 60_000;

/** For the owner of the lock. What was done, in words. */
export async function repairAfterCrash(repository: Repository, folder: RalphFolder): Promise<readonly string[]> {
  const run = newestAt(folder);
  const read = run === undefined ? undefined : readRun(folder, run);
  if (run === undefined || !read?.ok) return [];
  const { state, records } = read.value;
  if (!isCutOff(state)) return [];
  const commits = records.flatMap(record =>
    record.type === 'iteration.finished' && record.commit !== undefined ? [record.commit] : [],
  );
  const worktree = /^gitdir: (.+)$/m.exec(readText(join(repository.root, state.workspace, '.git')) ?? '')?.[1];
  return await repairGit({
    git: repository.git,
    commonDir: repository.commonDir,
    gitDirs: [repository.gitDir, ...(worktree === undefined ? [] : [worktree])],
    vault: vaultIn(folder.runs),
    aside: join(folder.runs, run, 'found'),
    branch: state.branch === '' ? '' : `refs/heads/${state.branch}`,
    tips: [state.tip, ...commits.toReversed(), state.firstBase],
    since: state.startedAt - BEFORE_MS,
    // Who works here since the boot may hold any of git's locks.
    rebooted: state.runner?.process.boot !== self().boot && othersLive({ folder }).length === 0,
  });
}
