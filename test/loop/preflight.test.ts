/** What is refused before anything is started, with a code, a sentence and a way on. */
import { execSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ralph } from '../support/cli.ts';
import { paste } from '../support/paste.ts';
import { makeRepo, type Repo } from '../support/repo.ts';
import { agentsIn, doneIn, GIT, planOf, play, recordsOf, works } from './scene.ts';

const shop = (config: Readonly<Record<string, unknown>> = {}, files: Readonly<Record<string, string>> = {}) =>
  makeRepo({ files, plan: planOf('US-1'), config: { gates: ['true'], ...config }, scenario: play({ '*': works }) });

async function expectRefused(
  repo: Repo,
  { exit, said, args = ['run'] }: { exit: 2 | 4; said: readonly (string | RegExp)[]; args?: readonly string[] },
) {
  const before = repo.git('for-each-ref') + repo.git('symbolic-ref', 'HEAD');
  const { code, stderr } = await repo.ralph(args);
  expect(code, stderr).toBe(exit);
  for (const words of said) expect(stderr).toMatch(words);
  expect(agentsIn(repo)).toBe(0);
  expect(repo.git('for-each-ref') + repo.git('symbolic-ref', 'HEAD')).toBe(before);
}

describe.concurrent('pre-flight refuses', () => {
  test('a repository whose gates are red, with the end of their output', async () => {
    const repo = shop({ gates: ['echo two tests fail; exit 9'] });
    await expectRefused(repo, {
      exit: 4,
      said: ['red before the first item', 'exited 9', 'two tests fail', '--allow-red'],
    });
    expect(repo.runs()).toEqual([]);
  });

  test('a dirty tree, with the commands to get out of it', async () => {
    const repo = shop();
    repo.write('mine.txt', 'unsaved\n');
    repo.write('README.md', 'edited\n');
    await expectRefused(repo, {
      exit: 4,
      said: ['README.md', 'mine.txt', 'git stash --include-untracked', 'git commit', 'ralph run --worktree'],
    });
    expect(repo.read('mine.txt')).toBe('unsaved\n');
    expect(repo.read('README.md')).toBe('edited\n');
    repo.git('config', 'user.name', 'A Person');
    repo.git('config', 'user.email', 'person@example.org');
    const { stderr } = await repo.run();
    for (const line of stderr.split('\n').filter(each => /^ {2,}git /.test(each))) {
      repo.write('mine.txt', 'unsaved\n');
      expect(await paste(repo, line), line).toMatchObject({ code: 0 });
    }
    expect(repo.git('status', '--porcelain')).toBe('');
  });

  test('a folder that is no repository', async () => {
    const repo = shop();
    rmSync(join(repo.root, '.git'), { recursive: true });
    const { code, stderr } = await repo.run();
    expect(code).toBe(4);
    expect(stderr).toMatch(/not inside a git repository[\s\S]*git init/);
  });

  test('a repository without a commit', async () => {
    const repo = shop();
    rmSync(join(repo.root, '.git'), { recursive: true });
    repo.git('init', '-q', '-b', 'main');
    await expectRefused(repo, { exit: 4, said: [/no commit yet[\s\S]*git commit/] });
  });

  test('a branch that is not born yet', async () => {
    const repo = shop();
    repo.git('checkout', '-q', '--orphan', 'fresh');
    await expectRefused(repo, { exit: 4, said: ['no commit yet'] });
  });

  test('a merge that is half done', async () => {
    const repo = shop();
    execSync(
      `git checkout -qb side && echo a > both && git add -A && ${GIT} commit -qm a && git checkout -q main && echo b > both && git add -A && ${GIT} commit -qm b && ${GIT} merge -q side || true`,
      { cwd: repo.root, stdio: 'ignore' },
    );
    await expectRefused(repo, { exit: 4, said: ['a merge is half done', 'git merge --abort'] });
  });

  test('an agent that is not there', async () => {
    const repo = makeRepo({ plan: planOf('US-1'), config: { gates: ['true'], agent: { command: ['no-such-agent'] } } });
    await expectRefused(repo, { exit: 4, said: ['no-such-agent', 'not found'] });
  });

  test('an agent that lacks only its run bit, with what sets it', async () => {
    const repo = makeRepo({
      plan: planOf('US-1'),
      files: { 'my agent.sh': '#!/bin/sh\n' },
      config: { gates: ['true'], agent: { command: ['./my agent.sh'] } },
    });
    const path = join(repo.root, 'my agent.sh');
    await expectRefused(repo, { exit: 4, said: ['is not executable', `chmod +x '${path}'`] });
  });

  test('a branch with a field that there is not', async () => {
    const repo = makeRepo({
      plan: planOf('US-1'),
      config: { gates: ['true'], branch: 'work/{nam}' },
      scenario: play({ '*': works }),
    });
    await expectRefused(repo, { exit: 2, said: ['has the unknown field {nam}', '{name} and {run}'] });
  });

  test('an agent nobody knows, with the nearest name', async () => {
    await expectRefused(shop(), {
      exit: 2,
      said: ['claud', 'Did you mean "claude"'],
      args: ['run', '--agent', 'claud'],
    });
  });

  test.for([
    { name: 'is empty', text: '', said: /prd\.json/ },
    { name: 'holds no items', text: '{"userStories": []}', said: /prd\.json/ },
    { name: 'does not parse', text: '{"userStories": [}', said: /prd\.json:1:18/ },
    { name: 'carries conflict markers', text: '<<<<<<< HEAD\n{}\n=======\n{}\n>>>>>>> side\n', said: /conflict/ },
  ])('a plan that $name', async ({ text, said }) => {
    const repo = makeRepo({ plan: text, config: { gates: ['true'] }, scenario: play({ '*': works }) });
    await expectRefused(repo, { exit: 2, said: [said] });
  });

  test('a plan that is not there, with the nearest name', async () => {
    await expectRefused(shop(), { exit: 2, said: ['prd.json'], args: ['run', 'prd.jsn'] });
  });

  test('an item that is not in the plan', async () => {
    await expectRefused(shop(), { exit: 2, said: ['US-7'], args: ['run', '--only', 'US-7'] });
  });

  test('a second runner while the first one works', async () => {
    const repo = makeRepo({
      plan: planOf('US-1'),
      config: { gates: ['true'] },
      scenario: play({ '*': { steps: [{ say: 'working' }, { hang: true }] } }),
    });
    const first = repo.start(['run']);
    try {
      await expect.poll(() => (repo.runs().length > 0 ? agentsIn(repo) : 0), { timeout: 120_000 }).toBe(1);
      const second = await repo.run();
      expect(second.code).toBe(4);
      expect(second.stderr).toContain(`pid ${first.pid}`);
      expect(second.stderr).toContain('ralph stop');
    } finally {
      first.child.kill('SIGTERM');
    }
    expect((await first.ended).code).toBe(143);
  });
});

describe.concurrent('pre-flight lets through', () => {
  test('a red repository with --allow-red', async () => {
    const repo = shop({ gates: ['test -f US-1.txt'] });
    expect((await repo.run(['--allow-red'])).code).toBe(0);
    expect(doneIn(repo)).toEqual(['US-1']);
  });

  test('a plan and a config that are not committed yet: they get a commit of their own', async () => {
    const repo = makeRepo({ scenario: play({ '*': works }) });
    repo.git('rm', '-q', '--cached', 'ralph.json');
    repo.git('commit', '-qm', 'No config');
    repo.write('prd.json', JSON.stringify(planOf('US-1')));
    const { code, stderr } = await repo.run();
    expect(code, stderr).toBe(0);
    expect(repo.git('log', '--format=%s', 'main..HEAD')).toBe(
      'feat(US-1): Story US-1\nchore(ralph): take the plan and config as given',
    );
    expect(repo.git('show', '--name-only', '--format=', 'HEAD').split('\n')).toEqual(['US-1.txt', 'prd.json']);
  });

  test('a lock of a runner that is dead', async () => {
    const repo = shop();
    const first = repo.start(['run']);
    await expect.poll(() => repo.runs().length, { timeout: 120_000 }).toBe(1);
    first.child.kill('SIGKILL');
    await first.ended;
    const { code, stderr } = await repo.run();
    expect(code, stderr).toBe(0);
    expect(doneIn(repo)).toEqual(['US-1']);
    expect(recordsOf(repo, 'run.started')).toHaveLength(1);
  });

  test('a call from a folder below the top', async () => {
    const repo = shop({}, { 'deep/down/x.txt': 'x' });
    const { code, stderr } = await ralph(['run'], { cwd: join(repo.root, 'deep/down'), home: repo.home });
    expect(code, stderr).toBe(0);
    expect(repo.git('ls-tree', '--name-only', 'HEAD')).toContain('US-1.txt');
  });
});
