/** What belongs to the runs beside this one: their branches and refs are theirs to move, whatever this run's agents do. */
import { existsSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { journalFile, movedSince, type RalphFolder, runFolder, storeOf } from '../journal/index.ts';
import { readText, writeOwnSoon } from '../util/files.ts';
import { checkouts, type Repository } from '../workspace/index.ts';
import { othersLive } from './already-running.ts';

const branchFile = (folder: RalphFolder, run: string): string => join(runFolder(folder, run), 'branch');

/** Said before the branch is made: its journal tells of it only once the gates have been run. */
export const claimBranch = (folder: RalphFolder, run: string, branch: string): void =>
  writeOwnSoon(branchFile(folder, run), branch);

/** The branch that a run works on, or is about to. */
function branchOfRun(folder: RalphFolder, run: string): string | undefined {
  const first = storeOf(folder).firstRecord(run);
  return first?.type === 'run.started' ? first.branch : readText(branchFile(folder, run))?.trim();
}

/** Branches that runs which are live here work on. */
export const claimedBranches = (folder: RalphFolder): ReadonlySet<string> =>
  new Set(
    othersLive({ folder })
      .flatMap(({ owner }) => owner.run ?? [])
      .flatMap(run => branchOfRun(folder, run) ?? []),
  );

/** Branches of runs that another checkout of this repository keeps, in worktrees below its own `.ralph`. */
export async function branchesKeptElsewhere(repository: Repository, folder: RalphFolder): Promise<ReadonlySet<string>> {
  if (!existsSync(join(repository.commonDir, 'worktrees'))) return new Set();
  const all = await checkouts(repository);
  const own = `${realpathOf(folder.root)}/`;
  const isOthers = (path: string) => path.includes('/.ralph/worktrees/') && !realpathOf(path).startsWith(own);
  return new Set(all.ok ? all.value.flatMap(({ path, branch }) => (isOthers(path) ? [branch] : [])) : []);
}

const realpathOf = (path: string): string => (existsSync(path) ? realpathSync(path) : path);

/** Runs worked on last; nobody waits for a thousand. */
const LOOKED_AT = 24;

/** Whether a ref is one that another run has moved, or may have moved, since a moment. */
export function refsOfOthers(
  folder: RalphFolder,
  own: string,
): (since: number) => (ref: string, now: string | undefined) => boolean {
  return since => {
    const live = othersLive({ folder }).flatMap(({ owner }) => owner.run ?? []);
    const moved = storeOf(folder)
      .runs()
      .slice(0, LOOKED_AT)
      .filter(run => (statSync(journalFile(folder, run), { throwIfNoEntry: false })?.mtimeMs ?? 0) >= since);
    const runs = new Set([...live, ...moved].filter(run => run !== own));
    const branches = new Set([...runs].flatMap(run => branchOfRun(folder, run) ?? []));
    const byPerson = movedSince(folder, since);
    return (ref, now) => {
      if (byPerson.get(ref) === (now ?? '')) return true;
      const [, kind = '', ...name] = ref.split('/');
      return (kind === 'heads' && branches.has(name.join('/'))) || (kind === 'ralph' && runs.has(name[0] ?? ''));
    };
  };
}
