/** Plans that wait: for a time, for another run; and looking at all of them at once. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { planText, play, runs } from '../loop/scene.ts';
import { paste } from '../support/paste.ts';
import { makeRepo } from '../support/repo.ts';
import { until } from '../support/until.ts';

const waits = runs(
  'touch $OUTSIDE/{{item}}',
  'while ! test -e $OUTSIDE/go; do sleep 0.05; done',
  'cp .env {{item}}.txt; echo $RALPH_PORT >> {{item}}.txt',
);

describe('the queue', () => {
  test('starts what waits once it is due, in worktrees with what they need; all of it can be seen', async () => {
    const repo = makeRepo({
      files: {
        'a.json': planText('Alpha', 'A-1'),
        'b.json': planText('Beta', 'B-1'),
        'c.json': planText('Gamma', 'C-1'),
        '.gitignore': '.env\n',
      },
      config: { gates: ['test -n "$RALPH_PORT"'] },
      scenario: play({ '*': waits }),
    });
    repo.write('.env', 'SECRET=1\n');
    const env = { OUTSIDE: repo.outside };
    const out = async (...args: string[]) => (await repo.ralph(args, { env })).stdout;
    expect(await out('queue')).toBe('Nothing is queued.\n');
    const a = repo.start(['run', '--worktree', 'a.json'], { env });
    await until(() => existsSync(join(repo.outside, 'A-1')));
    const missing = await repo.ralph(['queue', 'add', 'b.jsn']);
    expect([missing.code, missing.stderr]).toEqual([
      2,
      expect.stringMatching(/no such file[^]*Did you mean .*b\.json/),
    ]);
    expect(await out('queue', 'add', 'b.json', '--after', 'a.json')).toMatch(/^Added as 1; it waits for a\.json\. /);
    const later = repo.start(['run', '--worktree', 'c.json', '--at', '2999-01-01T22:00'], { env });
    await until(
      () => existsSync(join(repo.root, '.ralph/queue.json')) && repo.read('.ralph/queue.json').includes('c.json'),
    );
    expect(await out('runs')).toMatch(
      /^waits {2}b\.json {2}for a\.json {2}\(ralph queue remove 1\)\nwaits {2}c\.json {2}until /,
    );

    const [id = ''] = repo.runs();
    const all = await out('status', '--all');
    expect(all).toMatch(
      new RegExp(
        `^${id} {2}live {2}0 of 1 done, begun .* ago\n {2}a\\.json on ralph/alpha, worktree .*B, ports 42\\d\\d0-42\\d\\d9\n {2}A-1, attempt 1`,
      ),
    );
    expect(all).toContain('waits  b.json  for a.json');
    expect(JSON.parse(await out('status', '--all', '--json'))).toMatchObject({
      runs: [{ run: id, live: true }],
      queue: [{ plan: 'b.json' }, { plan: 'c.json' }],
    });
    expect(await out('logs', '--all')).toMatch(new RegExp(`^${id} \\| .*A-1`, 'm'));

    expect(await out('queue', 'remove', 'c.json')).toBe('c.json was removed from the queue.\n');
    const left = await later.ended;
    expect([left.code, left.stderr]).toEqual([
      1,
      expect.stringContaining('it was removed from the queue; nothing was run'),
    ]);
    const queue = repo.start(['queue', 'run'], { env });
    // Only once it waits: otherwise the run that ends takes up the queue itself.
    let said = '';
    queue.child.stdout?.on('data', (chunk: Buffer) => (said += chunk.toString('utf8')));
    await until(() => said.includes('b.json'));
    repo.write('../outside/go', '');
    expect((await a.ended).code).toBe(0);
    const ended = await queue.ended;
    expect([ended.code, ended.stdout]).toEqual([0, expect.stringMatching(/^b\.json is started \(pid \d+\)/m)]);
    await until(() => repo.runs().length === 2 && repo.journal().some(({ type }) => type === 'run.finished'));
    expect(repo.git('show', 'ralph/alpha:A-1.txt')).toMatch(/^SECRET=1\n42\d\d0$/);
    expect(repo.git('ls-tree', '--name-only', 'ralph/beta')).toContain('A-1.txt\n');
    expect(await out('runs')).toMatch(/\n2 runs, 2 of 2 items done, [\d.]+ \w*B in worktrees\n$/);
  });

  test('is taken up by a run that ends, if nobody waits with it: what is due, one after the other', async () => {
    const repo = makeRepo({
      files: {
        'a.json': planText('Alpha', 'A-1'),
        'b.json': planText('Beta', 'B-1'),
        'sub/c.json': planText('Gamma', 'C-1'),
      },
      config: { gates: ['true'] },
      scenario: play({ '*': runs('echo {{item}} > {{item}}.txt') }),
    });
    await repo.ralph(['queue', 'add', 'b.json', '--after', 'a.json']);
    await repo.ralph(['queue', 'add', 'c.json', '--after', '../b.json'], { cwd: join(repo.root, 'sub') });
    await repo.ralph(['queue', 'add', 'a.json', '--at', '2999-01-01T22:00']);
    const first = await repo.ralph(['run', 'a.json', '--worktree']);
    expect(first.code).toBe(0);
    expect(first.stderr).toContain('b.json waits for a run of a.json\n');
    expect(first.stderr).toContain(
      'what is due when this run ends is started then; to have each started at its time: ralph queue run\n',
    );
    expect(first.stderr).toMatch(/b\.json is started \(pid \d+\)/);
    await until(() => repo.runs().length === 3 && repo.journal().some(({ type }) => type === 'run.finished'));
    expect(repo.git('ls-tree', '--name-only', 'ralph/gamma').match(/[ABC]-1\.txt/g)).toEqual([
      'A-1.txt',
      'B-1.txt',
      'C-1.txt',
    ]);
    expect((await repo.ralph(['queue'])).stdout).toMatch(/^waits {2}a\.json {2}until .*\n$/);
  });

  test('stays where a person ends the run, and is named with what starts it', async () => {
    const repo = makeRepo({
      files: { 'a.json': planText('Alpha', 'A-1'), 'b.json': planText('Beta', 'B-1') },
      config: { gates: ['true'] },
      scenario: play({ '*': runs('touch $OUTSIDE/{{item}}', 'sleep 600') }),
    });
    const a = repo.start(['run', 'a.json', '--worktree'], { env: { OUTSIDE: repo.outside } });
    await until(() => existsSync(join(repo.outside, 'A-1')));
    await repo.ralph(['queue', 'add', 'b.json']);
    a.child.kill('SIGINT');
    const { code, stderr } = await a.ended;
    expect([code, stderr]).toEqual([
      130,
      expect.stringContaining('b.json still waits; start it with: ralph queue run'),
    ]);
    expect((await repo.ralph(['queue'])).stdout).toContain('b.json  to be started');
  });

  test('says that nobody works on what it waits for, and goes on once that is complete', async () => {
    const repo = makeRepo({
      files: { 'a.json': planText('Alpha', 'A-1'), 'b.json': planText('Beta', 'B-1') },
      config: { gates: ['true'] },
      scenario: play({ '*': waits }),
    });
    repo.write('.env', '');
    const env = { OUTSIDE: repo.outside };
    const a = repo.start(['run', 'a.json', '--worktree'], { env });
    await until(() => existsSync(join(repo.outside, 'A-1')));
    await repo.ralph(['queue', 'add', 'b.json', '--after', 'a.json']);
    const queue = repo.start(['queue', 'run'], { env });
    let said = '';
    queue.child.stdout?.on('data', (chunk: Buffer) => (said += chunk.toString('utf8')));
    await until(() => said.includes('b.json waits'));
    a.child.kill('SIGKILL');
    await until(() => said.includes('nobody works'));
    const [, step = ''] = /To go on with it: (.*)\n/.exec(said) ?? [];
    repo.write('../outside/go', '');
    expect((await paste(repo, `OUTSIDE='${repo.outside}' ${step}`)).code).toBe(0);
    const { stdout } = await queue.ended;
    expect(stdout).toMatch(
      /^b\.json waits for a\.json\.\na\.json has work left and nobody works on it, so b\.json waits\. To go on with it: ralph run a\.json\nb\.json is started/,
    );
    await until(() => repo.runs().length === 2 && repo.journal().some(({ type }) => type === 'run.finished'));
  });

  test('what somebody took away from a run is said and made again', async () => {
    const repo = makeRepo({
      files: { 'a.json': planText('Alpha', 'A-1', 'A-2') },
      config: { gates: ['true'] },
      scenario: play({ '*': runs('echo {{item}} > {{item}}.txt') }),
    });
    await repo.ralph(['run', '--worktree', 'a.json', '--once']);
    const [id = ''] = repo.runs();
    repo.git('worktree', 'remove', '--force', `.ralph/worktrees/${id}`);
    repo.git('branch', '-D', 'ralph/alpha');
    const again = await repo.ralph(['run']);
    expect(again.code).toBe(0);
    expect(again.stdout).toMatch(/the branch ralph\/alpha was gone; it was made again at its last commit [0-9a-f]{7}/);
    expect(again.stdout).toContain('the worktree of this run had been removed; it was made again');
    expect(repo.git('ls-tree', '--name-only', 'ralph/alpha').match(/A-\d\.txt/g)).toEqual(['A-1.txt', 'A-2.txt']);
  });
});
