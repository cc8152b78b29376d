/**
 * One night: three plans of three formats in sequence, two usage limits, a runner that is killed, a full disk, and a flag
 * that is wrong until breakfast. One command starts it, one goes on, and in the end everything was done exactly once.
 */
import { afterAll, expect, test } from 'vitest';
import type { Recorded } from '../../src/events.ts';
import { makeRepo } from '../support/repo.ts';
import { makeDisk, makeNight } from './scene.ts';

const disk = makeDisk(48);
afterAll(disk.remove);

const ITEMS = {
  'prd.json': ['US-1', 'US-2', 'US-3'],
  'PROGRESS.md': ['B-1', 'B-2', 'B-3'],
  'sprints/login': ['prepare', 'development/step-0/implement', 'development/out/implement'],
} as const;

/** The night as it is typed in the evening: it stops at the first plan that needs somebody. */
const NIGHT = 'ralph run prd.json && ralph run PROGRESS.md && ralph run sprints/login --effort maximal';

/** The morning after: the run that is open, by no name, and then what the night did not come to. */
const GO_ON = 'ralph run && ralph run PROGRESS.md && ralph run sprints/login --effort maximal';
const GO_ON_LAST = 'ralph run && ralph run sprints/login --effort maximal';

function repoOfThree() {
  const before = process.env.TMPDIR;
  process.env.TMPDIR = disk.folder;
  try {
    return makeRepo({
      plan: {
        project: 'Till',
        userStories: ITEMS['prd.json'].map(id => ({ id, title: `Story ${id}`, passes: false })),
      },
      files: {
        'PROGRESS.md': `# Menu\n\n${ITEMS['PROGRESS.md'].map(id => `- [ ] ${id}: Dish ${id}\n`).join('')}`,
        'sprints/login/SPRINT.yaml':
          'workflow: build\nsprint-id: login\nsteps:\n  - Log in\n  - id: out\n    prompt: Log out\n',
        '.claude/workflows/build.yaml':
          'phases:\n  - id: prepare\n    prompt: Prepare\n  - id: development\n    for-each: step\n    workflow: step\n',
        '.claude/workflows/step.yaml': 'phases:\n  - id: implement\n    prompt: "{{step.prompt}}"\n',
        '.gitignore': '.ralph/\narchives/\n',
      },
      config: {
        agent: 'claude',
        gates: ['test ! -e broken'],
        // As many iterations as each plan has items: a wait or a crash that counted would show.
        limits: { iterations: 3, attempts: 1, wait: '200ms' },
      },
    });
  } finally {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
  }
}

test('a night of incidents ends with everything done exactly once', async () => {
  const repo = repoOfThree();
  const night = makeNight(repo, {
    'US-1': ['limit'],
    'US-2': ['kill-runner'],
    'US-3': ['limit'],
    'B-2': disk.small ? ['fill-disk'] : [],
  });
  const doneIn = (path: string, mark: RegExp) => {
    const branch = startOf(repo.journal(runOf(path))).branch;
    return repo.git('show', `${branch}:${path}`).match(mark)?.length ?? 0;
  };
  const runOf = (path: string) => repo.runs().find(run => startOf(repo.journal(run)).plan.path.startsWith(path)) ?? '';

  // The evening: one command. The runner is killed in the second item.
  const evening = await night.sh(NIGHT);
  expect(evening.code, evening.stdout + evening.stderr).toBe(137);
  expect(evening.stdout).toContain('waiting');

  // One command goes on: the run that died, then the next plan, in which the disk gets full.
  const second = await night.sh(GO_ON);
  expect(doneIn('prd.json', /"passes": true/g), second.stdout + second.stderr).toBe(3);
  if (disk.small) {
    expect(second.code, second.stdout).not.toBe(0);
    expect(second.stdout + second.stderr).toMatch(/no space left|ENOSPC|disk/i);
    night.freeDisk();
  } else console.warn('no file system of its own could be mounted: the full disk is left out of this night');

  // With room again one command finishes that plan; the last one has a flag that its agent refuses.
  const third = disk.small ? await night.sh(GO_ON_LAST) : second;
  expect(doneIn('PROGRESS.md', /- \[x\]/g), third.stdout + third.stderr).toBe(3);
  expect(third.code, third.stdout + third.stderr).toBe(4);
  expect(third.stdout + third.stderr).toContain("argument 'maximal' is invalid");
  for (const record of repo.journal(runOf('sprints/login'))) {
    expect(record).not.toMatchObject({ type: 'item.marked', to: 'blocked' });
    expect(record).not.toMatchObject({ type: 'iteration.finished', verdict: 'blocked' });
  }

  // Breakfast: without the flag that was wrong, one command goes on.
  const breakfast = await night.sh('ralph run');
  expect(breakfast.code, breakfast.stdout + breakfast.stderr).toBe(0);

  // Each plan: one run that says complete, a branch of its own, each item committed once.
  const runs = repo.runs().map(run => repo.journal(run));
  expect(runs.map(records => records.at(-1))).toEqual(
    Array.from({ length: 3 }, () => expect.objectContaining({ type: 'run.finished', reason: 'complete' }) as unknown),
  );
  const branches = new Map(runs.map(records => [startOf(records).plan.name, startOf(records).branch]));
  expect(new Set(branches.values()).size).toBe(3);
  const planNames = Object.keys(ITEMS);
  for (const records of runs) {
    const { plan, branch, run } = startOf(records);
    const items = ITEMS[planNames.find(name => plan.path.startsWith(name)) as keyof typeof ITEMS];
    const committed = repo
      .git(
        'log',
        '--format=%(trailers:key=Ralph-Run,valueonly,separator=)|%(trailers:key=Ralph-Item,valueonly,separator=)',
        `main..${branch}`,
      )
      .split('\n')
      .filter(line => line.startsWith(`${run}|`) && !line.endsWith('|'))
      .map(line => line.slice(run.length + 1));
    expect(committed.toSorted()).toEqual([...items].toSorted());
    const accepted = records.filter(record => record.type === 'iteration.finished' && record.verdict === 'accepted');
    expect(accepted).toHaveLength(items.length);
    for (const record of records) if (record.type === 'iteration.started') expect(record.attempt).toBe(1);
  }

  // Limits cost a call and nothing else; the killed agent's work is done again, and nobody is left of it.
  const waits = runs.flat().filter(record => record.type === 'wait.started');
  expect(waits).toHaveLength(2);
  expect(night.calls()).toMatchObject({ 'US-1': 2, 'US-2': 2, 'US-3': 2, 'B-1': 1, 'B-3': 1, prepare: 1 });
  expect(night.agentsLeft()).toEqual([]);
  expect(repo.git('fsck', '--full', '--no-dangling')).toBe('');
  expect(repo.git('status', '--porcelain')).toBe('');
});

function startOf(records: readonly Recorded[]): Extract<Recorded, { type: 'run.started' }> {
  const [first] = records;
  if (first?.type !== 'run.started') throw new Error('a journal begins with the start of its run');
  return first;
}
