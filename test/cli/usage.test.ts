import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { commands } from '../../src/cli/commands.ts';
import { ralph } from '../support/cli.ts';
import { makeRepo } from '../support/repo.ts';

const home = mkdtempSync(join(tmpdir(), 'ralph-cli-'));
afterAll(() => rmSync(home, { recursive: true, force: true }));
const call = (...args: string[]) => ralph(args, { cwd: home, home });

describe('bad usage ends with 2 and the nearest name', () => {
  it.each([
    [['rnu'], 'there is no command "rnu"', 'Did you mean: ralph run'],
    [['--versoin'], 'there is no flag --versoin', 'Did you mean: ralph --version'],
    [['steer', ' '], 'a note has to say something', 'For example: ralph steer'],
    [['--nothing'], 'there is no flag --nothing', 'See: ralph --help'],
    [['convert', 'prd.json', '--to', 'groups'], 'cannot write the format "groups"', 'It is prd or checklist.'],
    [['run', '--max-iteration', '5'], 'ralph run has no flag --max-iteration', 'Did you mean --max-iterations?'],
    [['run', '--maxiter', '3'], 'ralph run has no flag --maxiter', 'Did you mean --max-iterations?'],
    [['run', '--max-iter=3'], 'ralph run has no flag --max-iter', 'Did you mean --max-iterations?'],
    [['run', '--iterations', '3'], 'ralph run has no flag --iterations', 'Did you mean --max-iterations?'],
    [['run', '--maxiters', '3'], 'ralph run has no flag --maxiters', 'Did you mean --max-iterations?'],
    [['run', '--max_cost', '3'], 'ralph run has no flag --max_cost', 'Did you mean --max-cost?'],
    [['run', '--idleTimeout', '3m'], 'ralph run has no flag --idleTimeout', 'Did you mean --idle-timeout?'],
    [['run', '--pararell', '2'], 'ralph run has no flag --pararell', 'Did you mean --parallel?'],
    [['run', '--dry'], 'ralph run has no flag --dry', 'Did you mean --dry-run?'],
    [['run', '-once'], 'ralph run has no flag -once', 'Did you mean --once?'],
    [['run', '--colour'], 'ralph run has no flag --colour', 'See: ralph run --help'],
    [['run', '--max-iterations', 'five'], '--max-iterations expects a whole number of at least 1, not "five"'],
    [['run', '--max-iterations', '0'], '--max-iterations expects a whole number of at least 1'],
    [['run', '--timeout', '4'], '--timeout expects a duration such as 90s, 45m or 4h, not "4"'],
    [['run', '--max-cost', '-1'], '--max-cost expects a number above 0'],
    [['run', '--agent'], '--agent expects a value'],
    [['run', '--once=yes'], '--once expects no value'],
    [['doctor', 'a.json', 'b.json'], 'unexpected argument "b.json"'],
    [['done'], 'ralph done needs <item>'],
    [['steer'], 'ralph steer needs <text>'],
    [['logs', 'x'], 'an iteration is a number, not "x"'],
    [['help', 'rum'], 'there is no command "rum"', 'Did you mean: ralph run'],
  ])('%j', async (args, ...said) => {
    const { code, stdout, stderr } = await call(...args);
    expect(code).toBe(2);
    expect(stdout).toBe('');
    for (const words of said) expect(stderr).toContain(words);
  });
});

describe('help', () => {
  it('names every command', async () => {
    const { code, stdout } = await call('--help');
    expect(code).toBe(0);
    for (const { name } of commands) expect(stdout).toContain(`ralph ${name}`);
    const docs = /docs\/\.\.\., is in (.*)/.exec(stdout)?.[1] ?? '';
    expect(existsSync(join(docs, 'trust.md')), docs).toBe(true);
  });

  it.each(commands.map(command => command.name))('ralph %s --help names every flag', async name => {
    const { code, stdout } = await call(name, '--help');
    expect(code).toBe(0);
    const command = commands.find(candidate => candidate.name === name);
    for (const flag of Object.keys(command?.flags ?? {})) expect(stdout).toContain(`--${flag}`);
  });

  it('--version is a version', async () => {
    expect((await call('--version')).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });
});

describe('outside a repository', () => {
  it.each([['run'], ['doctor']])('ralph %s ends with 4 and says what to do', async name => {
    const { code, stdout, stderr } = await call(name);
    expect(code).toBe(4);
    expect(stdout + stderr).toContain('git init');
  });

  it('a name as short as its slips is not compared', async () => {
    const repo = makeRepo({ plan: [{ id: 1, title: 'a', passes: false }], scenario: { items: {} } });
    for (const id of ['99', '8']) {
      const { code, stderr } = await repo.ralph(['run', '--only', id]);
      expect([code, stderr]).toEqual([2, `ralph: the plan has no item "${id}"\n  \`ralph items\` lists them.\n`]);
    }
  });

  it('an item in the place of a plan, and a plan in another folder, are pointed at', async () => {
    const repo = makeRepo({ plan: [{ id: 'US-1', title: 'a', passes: false }], scenario: { items: {} } });
    expect((await repo.ralph(['run', 'US-1'])).stderr).toContain('It is an item of prd.json: ralph run --only US-1');
    repo.write('docs/plans/PROGRESS.md', '- [ ] a\n');
    repo.git('mv', 'prd.json', 'docs/prd.json');
    const { code, stderr } = await repo.ralph(['run']);
    expect(code).toBe(2);
    expect(stderr).toContain(
      'Is it this one? ralph run docs/prd.json\n  Is it this one? ralph run docs/plans/PROGRESS.md\n',
    );
    repo.write('ralph.yaml', 'plan: nowhere.json\n');
    expect((await repo.ralph(['check'])).stderr).toContain(
      'there is no such file, and the config names it as the plan',
    );
  });

  it('ralph check reads a plan that is named', async () => {
    const { code, stderr } = await call('check', 'missing.json');
    expect(code).toBe(2);
    expect(stderr).toContain('there is no such file');
  });
});

describe('a broken plan', () => {
  it.each([
    ['an empty file', ''],
    ['no items', '{"userStories": []}'],
    ['half a file', '{"userStories": [{"id": "A", "passes": true},'],
    ['conflict markers', '{"userStories": [\n<<<<<<< HEAD\n{"id": "A", "passes": true}\n=======\n>>>>>>> b\n]}'],
  ])('%s is never done: exit 2 with its place, nothing written', async (_, plan) => {
    const repo = makeRepo({ plan, scenario: { items: { '*': [{ steps: [] }] } } });
    const before = repo.git('status', '--porcelain');
    for (const args of [['run'], ['check']]) {
      const { code, stderr } = await repo.ralph(args);
      expect(code).toBe(2);
      expect(stderr).toMatch(/prd\.json:\d+:\d+: /);
    }
    expect(repo.git('status', '--porcelain')).toBe(before);
    expect(repo.read('prd.json')).toBe(plan);
  });
});

it('ralph unblock leaves what is done as it is', async () => {
  const plan = [{ id: 'A', title: 'a', passes: true }];
  const repo = makeRepo({ plan, scenario: { items: {} } });
  const before = repo.read('prd.json');
  const { code, stderr } = await repo.ralph(['unblock', 'A']);
  expect([code, stderr]).toEqual([
    2,
    'ralph: A is done, not blocked; nothing was changed\n  To do it again: ralph reset A\n',
  ]);
  expect(repo.read('prd.json')).toBe(before);
});

it('ralph check --json prints what the contract says', async () => {
  const plan = {
    userStories: [
      { id: 'A', title: 'a', passes: true },
      { id: 'B', title: 'b', priority: 2, passes: false, dependsOn: ['A'] },
    ],
  };
  const repo = makeRepo({ plan, scenario: { items: {} } });
  const { code, stdout } = await repo.ralph(['check', '--json']);
  expect(code).toBe(0);
  const report = JSON.parse(stdout) as Record<string, unknown>;
  expect(Object.keys(report)).toEqual(['format', 'path', 'items', 'next', 'done', 'total', 'problems']);
  expect(report).toMatchObject({ format: 'prd', next: 'B', done: 1, total: 2, problems: [] });
  expect((report.items as unknown[])[1]).toMatchObject({
    id: 'B',
    title: 'b',
    status: 'pending',
    priority: 2,
    dependsOn: ['A'],
  });
});

it.each(['run', 'status --json', 'items', 'logs', 'report', 'check', 'done X', 'retry --all', 'stop', 'audit', 'runs'])(
  'ralph %s exits 4 where there is no repository',
  async words => {
    const { code, stderr } = await call(...words.split(' '));
    expect(code).toBe(4);
    expect(stderr).toMatch(/not inside a git repository\n {2}Run: git init/);
  },
);
