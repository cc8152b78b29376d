/** Several workers and what the plan and the config say: marks for what may go together, money, set-up. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeRepo, type Repo } from '../support/repo.ts';
import { planOf, play, recordsOf, runs, works } from './scene.ts';

/** The most agents that worked at once, and what each worked beside. */
function together(repo: Repo): ReadonlyMap<string, readonly string[]> {
  const open = new Set<string>();
  const met = new Map<string, Set<string>>();
  for (const record of repo.journal()) {
    if (record.type === 'iteration.started') open.add(record.item);
    if (record.type === 'iteration.finished' || record.type === 'iteration.aborted') open.delete(record.item);
    for (const item of open) met.set(item, new Set([...(met.get(item) ?? []), ...open].filter(id => id !== item)));
  }
  return new Map([...met].map(([item, others]) => [item, [...others].toSorted()]));
}

/** The most agents at once, and the most iterations that one worker had open. */
function mostAtOnce(repo: Repo): { readonly agents: number; readonly ofOneWorker: number } {
  const agents = new Set<number>();
  const open = new Map<number, Set<number>>();
  const most = { agents: 0, ofOneWorker: 0 };
  for (const record of repo.journal()) {
    if (!('iteration' in record) || !('worker' in record)) continue;
    const { iteration, worker = 0 } = record;
    const its = open.get(worker) ?? new Set();
    open.set(worker, its);
    if (record.type === 'iteration.started') its.add(iteration);
    if (record.type === 'agent.started') agents.add(iteration);
    if (record.type === 'agent.finished') agents.delete(iteration);
    if (record.type === 'iteration.finished' || record.type === 'iteration.aborted') its.delete(iteration);
    most.agents = Math.max(most.agents, agents.size);
    most.ofOneWorker = Math.max(most.ofOneWorker, its.size);
  }
  return most;
}

/** Waits, with a bound, until so many agents have come. */
const meet = (here: string, count: number) =>
  `touch ${here}/$RALPH_ITEM; n=0; while test $(ls ${here} | wc -l) -lt ${count} && test $n -lt 1500; do sleep 0.02; n=$((n+1)); done`;

describe.concurrent('several workers', () => {
  test('take tasks with [P] together and those without one after the other', async () => {
    const repo = makeRepo({
      files: {
        'specs/001-basket/spec.md': '# Basket\n',
        'specs/001-basket/tasks.md': [
          '# Tasks: Basket\n',
          '## Phase 1: Setup\n',
          '- [ ] T001 Create the folder\n',
          '## Phase 2: Tools\n',
          '- [ ] T002 [P] Add the linter',
          '- [ ] T003 [P] Add the formatter\n',
          '## Phase 3: Story\n',
          '- [ ] T004 Write the model',
          '- [ ] T005 Write the service',
          '',
        ].join('\n'),
      },
      config: { gates: ['true'], parallel: 3 },
      scenario: {},
    });
    const here = join(repo.outside, 'here');
    mkdirSync(here);
    // T001 is there when they come.
    const both = runs(meet(here, 3), 'touch $RALPH_ITEM.txt');
    const scenario = play({ T002: both, T003: both, '*': runs(`touch ${here}/$RALPH_ITEM $RALPH_ITEM.txt`) });
    writeFileSync(join(repo.outside, 'scenario.json'), JSON.stringify(scenario));
    const { code, stdout, stderr } = await repo.run(['specs/001-basket/tasks.md']);
    expect(code, stdout + stderr).toBe(0);
    expect(Object.fromEntries(together(repo))).toEqual({
      T001: [],
      T002: ['T003'],
      T003: ['T002'],
      T004: [],
      T005: [],
    });
  });

  test('spend one purse: at the limit all are ended together, and what they did is kept', async () => {
    const repo = makeRepo({
      plan: planOf('US-1', 'US-2', 'US-3', 'US-4'),
      config: { gates: ['true'], parallel: 3, limits: { cost: 10 } },
      scenario: {},
    });
    const here = join(repo.outside, 'here');
    mkdirSync(here);
    const spends = {
      steps: [
        { write: { path: '{{item}}.txt', text: 'kept' } },
        { run: meet(here, 3) },
        { usage: { input: 1, cost: 4 } },
        { sleep: '600s' },
      ],
    };
    writeFileSync(join(repo.outside, 'scenario.json'), JSON.stringify(play({ '*': spends })));
    const { code, stdout, stderr } = await repo.run();
    expect(code, stdout + stderr).toBe(1);
    expect(recordsOf(repo, 'run.finished')).toMatchObject([{ reason: 'cost', why: '$12.00 of $10.00 were spent' }]);
    // Each alone is far from the limit.
    expect(recordsOf(repo, 'iteration.started')).toHaveLength(3);
    for (const { item, ref } of recordsOf(repo, 'iteration.finished')) {
      expect(repo.git('show', `${ref}:${item}.txt`)).toBe('kept');
    }
  });

  test('have each their checkout set up once, and again where another worker changed what is installed', async () => {
    const repo = makeRepo({
      files: { 'package.json': '{"name":"shop"}\n', '.gitignore': 'node_modules/\n' },
      plan: planOf('US-1', 'US-2', 'US-3', 'US-4'),
      config: {
        parallel: 2,
        setup: ['mkdir -p node_modules && cp package.json node_modules/installed && pwd >> $OUTSIDE/set-up'],
        gates: ['cmp package.json node_modules/installed'],
        'gate-env': ['OUTSIDE'],
      },
      scenario: {},
    });
    const here = join(repo.outside, 'here');
    mkdirSync(here);
    const first = runs(
      meet(here, 2),
      'echo \'{"name":"shop","version":"2.0.0"}\' > package.json',
      'cp package.json node_modules/installed',
    );
    const second = runs(meet(here, 2), 'touch $RALPH_ITEM.txt');
    writeFileSync(
      join(repo.outside, 'scenario.json'),
      JSON.stringify(play({ 'US-1': first, 'US-2': second, '*': works })),
    );
    const { code, stdout, stderr } = await repo.run([], { env: { OUTSIDE: repo.outside } });
    expect(code, stdout + stderr).toBe(0);
    expect(repo.git('show', 'ralph/shop:package.json')).toContain('2.0.0');
    const places = readFileSync(join(repo.outside, 'set-up'), 'utf8').trim().split('\n');
    const workers = new Set(places.filter(place => /worktrees\/.+/.test(place)));
    // The run's own worktree and two workers'; the one that did not change the packages again.
    expect(workers.size).toBe(3);
    expect(places.length).toBeGreaterThan(3);
    expect(readdirSync(join(repo.root, '.ralph/worktrees'))).toEqual(repo.runs());
    expect(existsSync(join(repo.root, 'node_modules'))).toBe(false);
  });

  test('get the files that are carried into a worktree, and the folders that are shared with it', async () => {
    const repo = makeRepo({
      files: { '.gitignore': '.env\ntools/\n' },
      plan: planOf('US-1', 'US-2'),
      config: { parallel: 2, share: ['tools'], gates: ['grep -q key .env && test -x tools/check'] },
      scenario: {},
    });
    repo.write('.env', 'key=1\n');
    mkdirSync(join(repo.root, 'tools'));
    writeFileSync(join(repo.root, 'tools/check'), '', { mode: 0o755 });
    const here = join(repo.outside, 'here');
    mkdirSync(here);
    const both = runs(meet(here, 2), 'grep -q key .env', 'touch $RALPH_ITEM.txt');
    writeFileSync(join(repo.outside, 'scenario.json'), JSON.stringify(play({ '*': both })));
    const { code, stdout, stderr } = await repo.run();
    expect(code, stdout + stderr).toBe(0);
    expect(mostAtOnce(repo).agents).toBe(2);
    expect(repo.git('ls-tree', '-r', '--name-only', 'ralph/shop')).not.toMatch(/\.env|tools/);
  });

  test('begin with the next item while the merge line tests, with no more agents at once than were asked for', async () => {
    const forFourth = 'n=0; while test ! -e $OUTSIDE/here/US-4 && test $n -lt 1500; do sleep 0.02; n=$((n+1)); done';
    const repo = makeRepo({
      plan: planOf('US-1', 'US-2', 'US-3', 'US-4'),
      config: {
        parallel: 2,
        // On the merge of the first two it waits for the agent of the fourth, which the third one's waits for as well.
        gates: [`if test -f US-1.txt && test -f US-2.txt; then ${forFourth}; test -e $OUTSIDE/here/US-4; fi`],
        'gate-env': ['OUTSIDE'],
      },
      scenario: {},
    });
    const here = join(repo.outside, 'here');
    mkdirSync(here);
    const together = runs(meet(here, 2), 'touch $RALPH_ITEM.txt');
    const third = runs(forFourth.replaceAll('$OUTSIDE', repo.outside), 'touch $RALPH_ITEM.txt');
    const scenario = play({ 'US-1': together, 'US-2': together, 'US-3': third, '*': runs(meet(here, 1), 'touch 4') });
    writeFileSync(join(repo.outside, 'scenario.json'), JSON.stringify(scenario));
    const { code, stdout, stderr } = await repo.run([], { env: { OUTSIDE: repo.outside } });
    expect(code, stdout + stderr).toBe(0);
    expect(recordsOf(repo, 'verdict').filter(({ verdict }) => verdict.type !== 'accepted')).toEqual([]);
    expect(mostAtOnce(repo)).toEqual({ agents: 2, ofOneWorker: 1 });
    expect(Math.max(...recordsOf(repo, 'iteration.started').map(({ worker = 0 }) => worker))).toBe(3);
    expect(readdirSync(join(repo.root, '.ralph/worktrees'))).toEqual(repo.runs());
  });

  test('leave, with their checkout, when all that is left is taken by others', async () => {
    const repo = makeRepo({
      plan: planOf('US-1', 'US-2'),
      config: { parallel: 2, gates: ['true'] },
      scenario: {},
    });
    const here = join(repo.outside, 'here');
    mkdirSync(here);
    const until = 'n=0; while ls -d ../*.1 && test $n -lt 1500; do sleep 0.02; n=$((n+1)); done; ls .. > found.txt';
    const scenario = play({ 'US-1': runs(meet(here, 2), 'touch 1'), 'US-2': runs(meet(here, 2), until) });
    writeFileSync(join(repo.outside, 'scenario.json'), JSON.stringify(scenario));
    const { code, stdout, stderr } = await repo.run();
    expect(code, stdout + stderr).toBe(0);
    const [run = ''] = repo.runs();
    expect(repo.git('show', 'ralph/shop:found.txt').split('\n')).toEqual([run, `${run}.2`]);
  });

  test('whose checkout cannot be set up end the run with the command that failed', async () => {
    const repo = makeRepo({
      plan: planOf('US-1', 'US-2'),
      // The run's own worktree comes first.
      config: { parallel: 2, setup: ['test ! -e $OUTSIDE/set-up && touch $OUTSIDE/set-up'], gates: ['true'] },
      scenario: play({ '*': works }),
    });
    const { code, stdout, stderr } = await repo.run([], { env: { OUTSIDE: repo.outside } });
    expect(code, stdout).toBe(1);
    expect(stdout + stderr).toContain("a worker's checkout could not be set up: `test ! -e $OUTSIDE/set-up");
    expect(recordsOf(repo, 'iteration.started')).toEqual([]);
  });
});
