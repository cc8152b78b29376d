/** `kill -9` of a runner with three workers at any moment, again and again, until the plan is done all the same. */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { makeRepo, type Repo } from '../support/repo.ts';
import { type Expected, expectIntact } from './oracle.ts';
import { twelveItems } from './twelve-items.ts';

const KILLS = Number(process.env.RALPH_KILLS ?? (process.env.RALPH_SOAK ? 500 : 8));
const MAX_RESTARTS = 100;
const BRANCH = 'ralph/twelve';

test(`${KILLS} random kills of three workers: every item once, every commit green, nothing left, nothing of the person's touched`, async () => {
  const calm = makeRepo(twelveItems);
  const before = checkoutOf(calm);
  const began = Date.now();
  const { code, stderr, stdout } = await calm.ralph(['run', '--json']);
  const runMs = Date.now() - began;
  expect({ code, stderr }, stdout.slice(-2000)).toEqual({ code: 0, stderr: '' });
  const tree = calm.git('rev-parse', `${BRANCH}^{tree}`);
  const expected = { ids: twelveItems.ids, tree, rejected: { 'item-04': 1 }, branch: BRANCH };
  expectSound(calm, expected, before);

  let kills = 0;
  let runs = 0;
  while (kills < KILLS) {
    const repo = makeRepo(twelveItems);
    const was = checkoutOf(repo);
    kills += await disturb(repo, runMs);
    expectSound(repo, expected, was);
    runs += 1;
    if (!process.env.RALPH_TEST_KEEP) repo.remove();
  }
  console.log(`random kills of three workers: ${kills} kills in ${runs} runs`);
}, 3_600_000);

async function disturb(repo: Repo, runMs: number): Promise<number> {
  let kills = 0;
  for (let starts = 0; starts < MAX_RESTARTS; starts++) {
    const running = repo.start(['run', '--json']);
    const ended = await Promise.race([running.ended, sleep(delay(runMs), 'still running' as const)]);
    if (ended === 'still running') {
      running.child.kill('SIGKILL');
      if ((await running.ended).signal === 'SIGKILL') kills += 1;
    }
    const { code, stderr, stdout } = await running.ended;
    if (code === null) continue;
    expect({ code, stderr, last: code === 0 ? '' : stdout.slice(-2000) }, `in ${repo.root}`).toEqual({
      code: 0,
      stderr: '',
      last: '',
    });
    return kills;
  }
  return expect.fail(`still not done after ${MAX_RESTARTS} starts, in ${repo.root}`);
}

const delay = (runMs: number): number => Math.random() * (Math.random() < 0.5 ? runMs : runMs / 3);

function expectSound(repo: Repo, expected: Expected, before: string): void {
  expectIntact(repo, expected);
  const [run = ''] = repo.runs();
  const found = {
    checkout: checkoutOf(repo),
    red: redCommits(repo),
    worktrees: readdirSync(join(repo.root, '.ralph/worktrees')),
    known: [...repo.git('worktree', 'list', '--porcelain').matchAll(/^worktree .*\/(.+)$/gm)].map(
      ([, name = '']) => name,
    ),
    branches: repo.git('branch', '--format=%(refname:short)').split('\n').toSorted(),
    lock: existsSync(join(repo.root, '.ralph/lock')),
    gates: leftGates(repo),
    together: inOneTree(repo),
  };
  const wanted = {
    checkout: before,
    red: [],
    worktrees: [run],
    known: ['repo', run],
    branches: ['main', BRANCH],
    lock: false,
    gates: [],
    together: [],
  };
  expect(found, `in ${repo.root}`).toEqual(wanted);
}

/** Every file of the person's, with HEAD and the branch it is on. */
function checkoutOf(repo: Repo): string {
  const hash = createHash('sha256').update(repo.git('symbolic-ref', 'HEAD')).update(repo.git('rev-parse', 'HEAD'));
  for (const entry of readdirSync(repo.root, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (!entry.isFile() || /\/(?:\.git|\.ralph|archives)(?:\/|$)/.test(path.slice(repo.root.length))) continue;
    hash.update(`${path.slice(repo.root.length)}\0`).update(readFileSync(path));
  }
  return hash.digest('hex');
}

/** As the gates see it, commit by commit. */
function redCommits(repo: Repo): readonly string[] {
  return repo
    .git('rev-list', `main..${BRANCH}`)
    .split('\n')
    .filter(commit => {
      const names = new Set(repo.git('ls-tree', '-r', '--name-only', commit).split('\n'));
      const isHalf = names.has('src/a.flag') && names.has('src/b.flag') && !names.has('src/both.txt');
      return isHalf || repo.git('log', '-1', '-S', 'BROKEN', '--format=%h', commit, '--', 'src') !== '';
    });
}

const leftGates = (repo: Repo): readonly string[] =>
  process.platform === 'linux'
    ? readdirSync('/proc').filter(pid => {
        try {
          return readFileSync(`/proc/${pid}/environ`, 'latin1').includes(`RALPH_GATE_IN=${repo.root}`);
        } catch {
          return false;
        }
      })
    : [];

/** Iterations that began while their worker had another one open. */
function inOneTree(repo: Repo): readonly string[] {
  const open = new Map<number, number>();
  const twice: string[] = [];
  for (const record of repo.journal()) {
    if (!('iteration' in record) || !('worker' in record) || record.worker === undefined) continue;
    const { worker, iteration, type } = record;
    if (type === 'iteration.started') {
      if (open.has(worker)) twice.push(`${open.get(worker)} and ${iteration} of worker ${worker}`);
      open.set(worker, iteration);
    } else if (type === 'iteration.finished' || type === 'iteration.aborted') open.delete(worker);
  }
  return twice;
}
