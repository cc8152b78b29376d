/** What has to be true after any number of crashes, looked up in git, the journal, the plan and `/proc`. */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { expect } from 'vitest';
import type { Repo } from '../support/repo.ts';

export interface Expected {
  readonly ids: readonly string[];
  /** The tree an undisturbed run ends with. */
  readonly tree: string;
  /** Rejected attempts by item; none where it is not named. */
  readonly rejected?: Readonly<Record<string, number>>;
  /** Where the work is, when it is not what is checked out. */
  readonly branch?: string;
}

/** Nothing lost, nothing twice, nothing charged twice, nothing left running, and the same tree as without a crash. */
export function expectIntact(repo: Repo, { ids, tree, rejected = {}, branch = 'HEAD' }: Expected): void {
  // An attempt that was charged for the third death of its runner is the one that would have been rejected.
  const charged = new Set(verdictsFor(repo, ['runner-died']));
  const found = {
    done: doneItems(repo, branch),
    commits: committedItems(repo, branch),
    accepted: acceptedItems(repo),
    rejected: rejectedItems(repo).filter(id => !charged.has(id)),
    agents: agentsOf(repo),
    tree: repo.git('rev-parse', `${branch}^{tree}`),
    status: repo.git('status', '--porcelain'),
    fsck: repo.git('fsck', '--strict', '--no-progress', '--no-dangling'),
  };
  const wanted = {
    done: [...ids].toSorted(),
    commits: [...ids].toSorted(),
    accepted: [...ids].toSorted(),
    rejected: Object.entries(rejected)
      .flatMap(([id, times]) => (charged.has(id) ? [] : Array.from({ length: times }, () => id)))
      .toSorted(),
    agents: [],
    tree,
    status: '',
    fsck: '',
  };
  const wrong = Object.entries(found).filter(
    ([key, value]) => !isDeepStrictEqual(value, wanted[key as keyof typeof wanted]),
  );
  expect(found, `in ${repo.root}: ${JSON.stringify(Object.fromEntries(wrong))}`).toEqual(wanted);
}

/** Items the plan calls done: the one on the branch, where it is not checked out. */
export const doneItems = (repo: Repo, branch = 'HEAD'): string[] =>
  (branch === 'HEAD'
    ? repo.plan()
    : (JSON.parse(repo.git('show', `${branch}:prd.json`)) as ReturnType<Repo['plan']>)
  ).userStories
    .filter(story => story.passes)
    .map(story => story.id)
    .toSorted();

/** One entry per commit on the branch that names an item. */
export const committedItems = (repo: Repo, branch = 'HEAD'): string[] =>
  repo
    .git('log', branch, '--first-parent', '--format=%(trailers:key=Ralph-Item,valueonly,separator=%x2c)')
    .split('\n')
    .filter(Boolean)
    .toSorted();

/** One entry per time the journals say that an item was kept. */
function acceptedItems(repo: Repo): string[] {
  return repo
    .runs()
    .flatMap(run => repo.journal(run))
    .flatMap(record => {
      if (record.type === 'item.adopted') return [record.item];
      return record.type === 'iteration.finished' && record.verdict === 'accepted' ? [record.item] : [];
    })
    .toSorted();
}

/** Without those that count only how often the runner was killed, or that say nothing against the work. */
const rejectedItems = (repo: Repo): readonly string[] =>
  verdictsFor(repo, undefined, ['runner-died', 'merge']).toSorted();

/** Items that were rejected for one of these reasons, or for any but those left out. */
function verdictsFor(repo: Repo, reasons?: readonly string[], without: readonly string[] = []): string[] {
  return repo
    .runs()
    .flatMap(run => repo.journal(run))
    .flatMap(record => {
      if (record.type !== 'verdict' || record.verdict.type !== 'rejected') return [];
      const { reason } = record.verdict;
      return (reasons?.includes(reason) ?? true) && !without.includes(reason) ? [record.item] : [];
    });
}

/** One that has ended and whom nobody has asked yet how is not alive: not every first process collects orphans. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return execFileSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' }).trim()[0] !== 'Z';
  } catch {
    return false;
  }
}

/** Live processes that carry the environment of an agent of this repository. */
export function agentsOf(repo: Repo): string[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .flatMap(pid => {
      try {
        const state = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ').at(-1)?.[0];
        const marked = readFileSync(`/proc/${pid}/environ`, 'latin1').includes(`RALPH_BRIEF=${repo.root}/`);
        const command = readFileSync(`/proc/${pid}/cmdline`, 'latin1').replaceAll('\0', ' ');
        return marked && state !== 'Z' && state !== 'X' ? [`${pid} ${command}`] : [];
      } catch {
        return [];
      }
    });
}
