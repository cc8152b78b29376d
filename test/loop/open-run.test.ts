/** Without a name, a command means the run that is open here. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { paste, stepsIn } from '../support/paste.ts';
import { makeRepo, type Repo } from '../support/repo.ts';
import { type Entry, planOf, play, recordsOf, story, verdictsIn, works } from './scene.ts';

const text = (value: unknown): string => `${JSON.stringify(value, undefined, 2)}\n`;
const named = (project: string, ...stories: readonly (string | Entry)[]) => text({ ...planOf(...stories), project });

/** What an agent can do to its runner, once. */
const KILL_RUNNER = `test -e ../outside/once && exit; touch ../outside/once; kill -9 "$(sed 's/.*"pid":\\([0-9]*\\).*/\\1/' .ralph/lock)"; sleep 30`;

const blocks = { ...works, claim: { blocked: 'no key' } };

/** Two plans: the configured one, and one whose name has to be quoted. */
const shop = (scenario: unknown = play({ '*': works })) =>
  makeRepo({
    plan: planOf('A-1', 'A-2'),
    files: { 'other plan.json': named('Other', 'B-1', 'B 2'), 'third.json': named('Third', 'C-1', 'C-2') },
    config: { plan: 'prd.json', gates: ['true'] },
    scenario,
  });

const doneIn = (repo: Repo, file: string): readonly string[] =>
  (JSON.parse(repo.read(file)) as ReturnType<typeof planOf>).userStories
    .filter(({ passes }) => passes === true)
    .map(({ id }) => String(id));

const started = (repo: Repo): readonly string[] =>
  repo
    .runs()
    .flatMap(run => repo.journal(run).flatMap(record => (record.type === 'run.started' ? record.plan.path : [])));

test('a start that was killed before its run began leaves nothing that the next one has to go around', async () => {
  const repo = shop();
  const run = `${new Date().toISOString().slice(0, 10)}-shop`;
  repo.write(`.ralph/runs/${run}/branch`, 'ralph/shop');
  repo.git('worktree', 'add', '-q', '-b', 'ralph/shop', `.ralph/worktrees/${run}`);
  const { code, stdout, stderr } = await repo.run(['--worktree']);
  expect(code, stdout + stderr).toBe(0);
  expect(repo.runs()).toEqual([run]);
  expect(readdirSync(join(repo.root, '.ralph/worktrees'))).toEqual([run]);
});

describe.concurrent('a plan that was named once', () => {
  test('is done when its run in a worktree was complete, although the checkout does not say so yet', async () => {
    const repo = shop();
    expect((await repo.run(['--worktree'])).code).toBe(0);
    const again = await repo.run(['--worktree']);
    expect({ code: again.code, runs: repo.runs().length }).toEqual({ code: 0, runs: 1 });
    expect(stepsIn(again.stdout)).toContain(`ralph merge ${repo.runs()[0]}`);
    // What is new in the plan since is not done.
    repo.write('prd.json', text(planOf('A-1', 'A-2', 'A-3')));
    expect((await repo.run(['--worktree', '--once'])).stdout).toContain('A-3');
  });

  test('is done when its branch is complete and not merged, although the checkout does not say so yet', async () => {
    const repo = shop();
    expect((await repo.run()).code).toBe(0);
    repo.git('switch', '-q', 'main');
    const again = await repo.run();
    expect({ code: again.code, runs: repo.runs().length }).toEqual({ code: 0, runs: 1 });
    expect(stepsIn(again.stdout)).toContain(`ralph merge ${repo.runs()[0]}`);
    // What is new in the plan since is worked on, and what is done on the branch stays done.
    repo.write('prd.json', text(planOf('A-1', 'A-2', 'A-3')));
    repo.git('commit', '-qam', 'More');
    const more = await repo.run();
    expect(more.code, more.stdout + more.stderr).toBe(0);
    expect(verdictsIn(repo)).toEqual(['A-3 accepted']);
    expect(doneIn(repo, 'prd.json')).toEqual(['A-1', 'A-2', 'A-3']);
    // On the branch that has their work.
    expect(repo.git('branch', '--show-current').trim()).toBe('ralph/shop');
    // Merged, the file counts again: an item that a person opens there is open.
    repo.git('switch', '-q', 'main');
    repo.git('merge', '-q', '-s', 'ort', '-X', 'theirs', 'ralph/shop');
    repo.write('prd.json', repo.read('prd.json').replace('"passes": true', '"passes": false'));
    repo.git('commit', '-qam', 'Again');
    expect((await repo.ralph(['run', '--dry-run'])).stdout).toContain('A-1');
  });

  test('is done by several runs on one branch, and what one of them took back is done again there', async () => {
    const repo = shop();
    expect((await repo.run()).code).toBe(0);
    const marked = repo
      .read('prd.json')
      .replace(/\n {2}\]\n\}\s*$/, ',\n    {"id": "A-3", "title": "A-3", "passes": false}\n  ]\n}\n');
    repo.write('prd.json', marked);
    repo.git('commit', '-qam', 'More');
    expect((await repo.run()).code).toBe(0);
    expect(verdictsIn(repo)).toEqual(['A-3 accepted']);
    expect((await repo.ralph(['revert', 'A-3'])).code).toBe(0);
    repo.git('switch', '-q', 'main');
    // The plan here has never had the third: it is done again where it was taken back.
    const again = await repo.run();
    expect(again.code, again.stderr).toBe(0);
    expect(verdictsIn(repo)).toEqual(['A-3 accepted', 'A-3 accepted']);
    expect(repo.runs()).toHaveLength(2);
    repo.git('switch', '-q', 'main');
    repo.write('prd.json', text(planOf('A-1', 'A-2', 'A-4')));
    repo.git('commit', '-qam', 'Another');
    const more = await repo.run();
    expect(more.code, more.stderr).toBe(0);
    expect(verdictsIn(repo)).toEqual(['A-4 accepted']);
    expect(repo.git('branch', '--show-current').trim()).toBe('ralph/shop');
    expect(more.stdout.replace(/\s+/g, ' ')).toContain(
      'the plan on ralph/shop has A-3, which the plan here lacks; the run uses the plan here',
    );
  });

  test('is not begun elsewhere as if the work on its branch were there', async () => {
    const repo = shop();
    expect((await repo.run()).code).toBe(0);
    const [run = ''] = repo.runs();
    repo.git('switch', '-q', 'main');
    repo.write('prd.json', text(planOf('A-1', 'A-2', 'A-3')));
    repo.write('new.txt', 'Mine\n');
    repo.git('add', '-A');
    repo.git('commit', '-qm', 'More');
    const { code, stderr } = await repo.run();
    expect(code).toBe(4);
    expect(stderr).toContain(
      `what ${run} did is on ralph/shop and not merged, and main has changes that are not there`,
    );
    expect(stderr).toContain(`ralph merge ${run} && ralph run prd.json`);
    expect(repo.runs()).toEqual([run]);
    expect(repo.git('branch', '--show-current').trim()).toBe('main');
  });

  test('takes items that were added to the plan on another branch along', async () => {
    const repo = shop();
    expect((await repo.run(['--once'])).code).toBe(1);
    repo.git('switch', '-q', 'main');
    repo.write('prd.json', text(planOf('A-1', 'A-2', 'A-3')));
    repo.git('commit', '-qam', 'More');
    const on = await repo.run();
    expect(on.code, on.stdout + on.stderr).toBe(0);
    expect(on.stdout.replace(/\s+/g, ' ')).toContain(
      'the plan on main has A-3, which the plan of this run did not have',
    );
    expect(doneIn(repo, 'prd.json')).toEqual(['A-1', 'A-2', 'A-3']);
    expect((await repo.ralph(['merge'])).code).toBe(0);
  });

  test('does not take along what a person took out of its plan, and says what it cannot take', async () => {
    const repo = shop();
    expect((await repo.run(['--once'])).code).toBe(1);
    repo.write('prd.json', text(planOf(story('A-1', { passes: true }), 'A-4')));
    repo.git('commit', '-qam', 'Without A-2');
    repo.git('switch', '-q', 'main');
    repo.write('prd.json', text(planOf('A-1', 'A-2', story('A-3', { allow: ['size:src/**'] }))));
    repo.git('commit', '-qam', 'More');
    const on = await repo.run();
    expect(on.code, on.stdout + on.stderr).toBe(0);
    expect(on.stdout.replace(/\s+/g, ' ')).toContain('the plan on main has A-3, but the plan of this run does not');
    expect(doneIn(repo, 'prd.json')).toEqual(['A-1', 'A-4']);
  });

  test('is what every printed next step goes on with, until it is complete', async () => {
    const repo = shop(play({ '*': works, 'B 2': [blocks, works] }));
    const first = await repo.run(['other plan.json', '--once']);
    expect(first.code).toBe(1);
    expect(stepsIn(first.stdout)).toContain('ralph run');
    const second = await paste(repo, 'ralph run');
    expect(second.code, second.stderr).toBe(3);
    expect(second.stdout).toContain('For the configured plan: ralph run prd.json');
    expect(verdictsIn(repo)).toEqual(['B-1 accepted', 'B 2 blocked']);
    const status = await paste(repo, 'ralph status');
    expect(status.stdout).toContain('other plan.json');
    expect(status.stdout).toContain("next      ralph unblock 'B 2' && ralph run  # once it is solved");
    const steps = stepsIn(second.stdout);
    expect(steps).toEqual([
      expect.stringContaining('git log'),
      'ralph report',
      "ralph unblock 'B 2'",
      'ralph retry \'B 2\' --with "..."',
      'ralph run',
    ]);
    for (const step of steps.slice(0, -1)) {
      const pasted = await paste(repo, step);
      expect(pasted.code, `${step}: ${pasted.stderr}`).toBe(0);
    }
    const last = await paste(repo, steps.at(-1) ?? '');
    expect(last.code, last.stdout + last.stderr).toBe(0);
    expect(doneIn(repo, 'other plan.json')).toEqual(['B-1', 'B 2']);
    expect(started(repo)).toEqual(['other plan.json']);
    // Nothing is open any more: the configured plan is meant.
    expect((await repo.run(['--once'])).code).toBe(1);
    expect(started(repo)).toEqual(['prd.json', 'other plan.json']);
  });

  test('may have an item whose id looks like a flag: the commands about it can be pasted', async () => {
    const repo = makeRepo({
      plan: planOf('-1', '--all'),
      config: { gates: ['true'] },
      scenario: play({ '-1': [blocks, blocks, works], '--all': works }),
    });
    const { code, stdout } = await repo.run();
    expect(code, stdout).toBe(3);
    const steps = stepsIn(stdout);
    expect(steps).toContain('ralph retry --with "..." -- -1');
    for (const step of steps.filter(each => each !== 'ralph run')) {
      const pasted = await paste(repo, step);
      expect(pasted.code, `${step}: ${pasted.stderr}`).toBe(0);
    }
    expect((await repo.run()).code).toBe(3);
    const status = await paste(repo, 'ralph status');
    const next = /^next +(.+?) +#/m.exec(status.stdout)?.[1] ?? '';
    expect(next).toBe('ralph unblock -- -1 && ralph run');
    expect((await paste(repo, next)).code).toBe(0);
  });

  test('is meant even when only a person can help it: no other plan is started in its place', async () => {
    const repo = shop(play({ '*': works, 'B-1': [blocks] }));
    expect((await repo.run(['other plan.json', '--only', 'B-1'])).code).toBe(3);
    const again = await paste(repo, 'ralph run --only B-1');
    expect(again.code, again.stdout).toBe(3);
    expect(again.stdout).toContain('For the configured plan: ralph run prd.json');
    expect(started(repo)).toEqual(['other plan.json']);
  });

  test('gives way to another one that is named, or that the config names since; the newest open one is meant', async () => {
    const repo = shop();
    expect((await repo.run(['other plan.json', '--once'])).code).toBe(1);
    expect((await repo.run(['prd.json', '--once'])).code).toBe(1);
    const both = await repo.ralph(['status']);
    expect(both.stdout).toContain('prd.json');
    expect(both.stderr).toMatch(/2 runs are open here; this is the newest. For another: --run .*-other/);
    const marked = await repo.ralph(['done', 'A-2']);
    expect(marked.stderr).toContain("For another: --plan 'other plan.json'");
    expect((await repo.ralph(['skip', 'B 2', '--plan', 'other plan.json'])).code).toBe(0);
    expect((await repo.ralph(['reset', 'B 2', '--plan', 'other plan.json'])).code).toBe(0);
    repo.git('commit', '-qam', 'Marks');
    repo.write('ralph.json', repo.read('ralph.json').replace('"prd.json"', '"third.json"'));
    const third = await repo.run(['--once']);
    expect(third.code, third.stderr).toBe(1);
    expect(started(repo)[0]).toBe('third.json');
    expect(third.stdout).toContain('the config names another plan now');
  });

  test('is not continued when its file is gone or holds another plan, and that is said', async () => {
    const repo = shop();
    expect((await repo.run(['other plan.json', '--once'])).code).toBe(1);
    repo.write('other plan.json', named('Other', story('B-1', { title: 'Something else' }), 'B-9'));
    const replaced = await repo.ralph(['run', '--dry-run']);
    expect(replaced.stderr).toContain(
      "other plan.json holds another plan now; to run that: ralph run 'other plan.json'",
    );
    expect(replaced.stdout).toContain('plan      prd.json');
    repo.git('rm', '-qf', 'other plan.json');
    repo.git('commit', '-qm', 'Away');
    const gone = await repo.run(['--once']);
    expect(gone.code).toBe(1);
    expect(gone.stdout).toContain('is not continued: its plan other plan.json is not here');
    expect(started(repo)[0]).toBe('prd.json');
  });
});

test('words are a plan too: the run of them goes on', async () => {
  const repo = makeRepo({ config: { gates: ['true'] }, scenario: play({ '*': [{ ...works, claim: 'none' }, works] }) });
  expect((await repo.run(["make the till's lamp green", '--once'])).code).toBe(1);
  const again = await paste(repo, 'ralph run');
  expect(again.code, again.stdout + again.stderr).toBe(0);
  expect(repo.runs()).toHaveLength(1);
  expect(recordsOf(repo, 'run.resumed')).toHaveLength(1);
});

test('a run that was killed is recovered by the bare command, and by its id', async () => {
  const repo = makeRepo({
    plan: planOf('A-1'),
    files: { 'sprints/x/PROGRESS.yaml': 'sprint-id: x\nstatus: in-progress\nphases:\n  - {id: one, prompt: Do it}\n' },
    config: { plan: 'prd.json', gates: ['true'] },
    scenario: play({ '*': { steps: [{ write: { path: 'half.txt', text: 'half' } }, { run: KILL_RUNNER }] } }),
  });
  const killed = await repo.start(['run', 'sprints/x']).ended;
  expect(killed.signal, killed.stdout + killed.stderr).toBe('SIGKILL');
  const [run = ''] = repo.runs();
  // Another plan does not start on what the dead agent left, and nobody is told to commit that.
  const other = await repo.run(['prd.json']);
  expect(other.code).toBe(4);
  expect(other.stderr).not.toContain('git commit');
  expect(other.stderr).toContain('ralph run sprints/x');
  const { code, stdout, stderr } = await paste(repo, 'ralph run');
  expect(code, stdout + stderr).toBe(0);
  expect(verdictsIn(repo)).toEqual(['one accepted']);
  expect(repo.runs()).toEqual([run]);
  expect((await repo.run([run])).stdout).toContain('Complete');
});

test('a number is no plan: whoever means iterations is told the flag', async () => {
  const repo = shop();
  const { code, stderr } = await repo.ralph(['run', '10']);
  expect(code).toBe(2);
  expect(stderr).toContain('ralph run --max-iterations 10');
  expect(repo.runs()).toEqual([]);
  const dry = await repo.ralph(['run', '--reset', 'A-2', '--dry-run']);
  expect(dry.stdout).toContain('   1  A-2');
  expect(dry.stdout).not.toContain('A-1');
});

test('flags about the place of a new run are named where a run goes on, and so is a missing context file', async () => {
  const repo = makeRepo({
    plan: planOf('A-1', 'A-2'),
    config: { gates: ['true'], context: ['docs/none.md'] },
    scenario: play({ '*': works }),
  });
  const missing = 'docs/none.md does not exist; briefs are written without it';
  expect((await repo.ralph(['doctor'])).stdout).toContain(missing);
  const first = await repo.run(['--once']);
  expect(first.stdout).toContain(missing);
  expect(first.stdout).not.toContain('is ignored');
  const { code, stdout } = await repo.run(['--branch', 'main', '--worktree']);
  expect(code).toBe(0);
  expect(stdout).toContain('--branch main is ignored: this run continues on ralph/shop');
  expect(stdout).toContain('--worktree is ignored: this run started in your checkout');
});
