/** Several runs of one repository at the same time, each in its own worktree. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { planOf, planText, play, runs } from '../loop/scene.ts';
import { makeRepo, type Repo } from '../support/repo.ts';
import { until } from '../support/until.ts';

/** Works, tells that it is there, and waits for a file outside to come. */
const meets = runs(
  // One command: an agent that speaks to a runner that is gone ends by itself.
  'touch $OUTSIDE/{{item}}; while ! test -e $OUTSIDE/go; do sleep 0.05; done',
  'echo {{item}} > {{item}}.txt',
);

const three = (): Repo =>
  makeRepo({
    files: {
      'a.json': planText('Alpha', 'A-1', 'A-2'),
      'b.json': planText('Beta', 'B-1', 'B-2'),
      'c.json': planText('Gamma', 'C-1', 'C-2'),
    },
    config: { gates: ['true'] },
    scenario: play({
      'A-1': { ...meets, message: '<lesson kind="gotcha">Migrations run twice on the staging database.</lesson>' },
      'B-1': { ...meets, message: '<lesson kind="fact">Invoices are rounded half up, never half even.</lesson>' },
      'C-1': { ...meets, message: '<lesson kind="pattern">Mail goes through the outbox table.</lesson>' },
      '*': meets,
    }),
  });

const there = (repo: Repo, name: string) => existsSync(join(repo.outside, name));

describe('three runs at once', () => {
  test('finish independently, on branches of their own, and leave one memory', async () => {
    const repo = three();
    const env = { OUTSIDE: repo.outside };
    const started = ['a', 'b', 'c'].map(name => repo.start(['run', '--worktree', `${name}.json`], { env }));
    await until(() => ['A', 'B', 'C'].every(name => there(repo, `${name}-1`)));
    const twice = await repo.ralph(['run', '--worktree', 'b.json'], { env });
    expect(twice.code).toBe(4);
    expect(twice.stderr).toContain('this plan is being worked on already: run ');
    expect(twice.stderr).toMatch(/End it with: ralph stop --run \S+-beta/);
    repo.write('../outside/go', '');
    const ended = await Promise.all(started.map(each => each.ended));
    expect(ended.map(({ code, stderr }) => [code, stderr])).toEqual([0, 0, 0].map(code => [code, '']));
    for (const [name, id] of [
      ['alpha', 'A'],
      ['beta', 'B'],
      ['gamma', 'C'],
    ]) {
      const files = repo.git('ls-tree', '--name-only', `ralph/${name}`).split('\n');
      expect(files.filter(file => /^[ABC]-\d\.txt$/.test(file))).toEqual([`${id}-1.txt`, `${id}-2.txt`]);
    }
    expect(repo.runs()).toHaveLength(3);
    expect(readdirSync(join(repo.root, 'archives')).filter(name => name.startsWith('run-'))).toHaveLength(3);
    const progress = readFileSync(join(repo.root, '.ralph/progress.md'), 'utf8');
    expect(progress.match(/^## Iteration/gm)).toHaveLength(6);
    const lessons = readFileSync(join(repo.root, '.ralph/lessons.md'), 'utf8');
    expect(lessons.match(/^## L-\w+ (gotcha|fact|pattern)$/gm)).toHaveLength(3);
    expect(readdirSync(join(repo.root, '.ralph/locks'))).toEqual([]);
    const text = ended.map(({ stdout }) => stdout).join('\n');
    expect(text).not.toMatch(/put back|restored|taken away|was removed|deleted|edited/);
    expect(repo.git('status', '--porcelain')).toBe('');
    expect(repo.git('symbolic-ref', '--short', 'HEAD')).toBe('main');
  });
});

describe('beside a run in the checkout', () => {
  test('one that is killed is taken up again, and the others do not notice', async () => {
    const repo = makeRepo({
      files: { 'a.json': planText('Alpha', 'A-1'), 'b.json': planText('Beta', 'B-1') },
      plan: planOf('US-1'),
      config: { gates: ['true'] },
      scenario: play({ '*': meets }),
    });
    const env = { OUTSIDE: repo.outside };
    const main = repo.start(['run', 'prd.json'], { env });
    const [a, b] = ['a', 'b'].map(name => repo.start(['run', '--worktree', `${name}.json`], { env }));
    await until(() => ['US', 'A', 'B'].every(name => there(repo, `${name}-1`)));
    const id = (name: string) => repo.runs().find(run => run.endsWith(name)) ?? '';
    process.kill(b?.pid ?? 0, 'SIGKILL');
    await b?.ended;

    const paused = await repo.ralph(['pause', '--plan', 'a.json'], { env });
    expect([paused.code, paused.stdout]).toEqual([
      0,
      `It will pause after the current iteration (${id('alpha')}, pid ${a?.pid})\n`,
    ]);
    await repo.ralph(['resume', '--run', id('alpha')]);
    const status = await repo.ralph(['status', '--run', id('shop')]);
    expect(status.stdout).toContain(`pid ${main.pid}`);
    expect((await repo.ralph(['status', '--run', id('beta')])).stdout).not.toContain('pid ');
    const gone = await repo.ralph(['stop', '--run', id('beta')]);
    expect([gone.code, gone.stderr]).toEqual([1, `ralph: ${id('beta')} is not live\n  See: ralph runs\n`]);

    const again = repo.start(['run', 'b.json'], { env });
    await until(() => repo.journal(id('beta')).filter(({ type }) => type === 'agent.started').length === 2);
    const twice = await repo.ralph(['run', '--worktree', 'prd.json'], { env });
    expect([twice.code, twice.stderr]).toEqual([
      4,
      expect.stringContaining(`another runner works here: pid ${main.pid} `),
    ]);
    repo.write('../outside/go', '');
    const ended = await Promise.all([main.ended, a?.ended, again.ended]);
    expect(ended.map(end => [end?.code, end?.stderr])).toEqual([0, 0, 0].map(code => [code, '']));
    const said = ended.map(end => end?.stdout ?? '');
    expect(said[2]).toContain('what the last runner left behind');
    for (const text of said.slice(0, 2))
      expect(text).not.toMatch(/put back|restored|left behind|taken away|was removed|cut off/);
    expect(repo.git('show', 'ralph/beta:B-1.txt')).toBe('B-1');
    expect(repo.git('show', 'ralph/alpha:A-1.txt')).toBe('A-1');
    expect(repo.git('show', 'ralph/shop:US-1.txt')).toBe('US-1');
  });
});
