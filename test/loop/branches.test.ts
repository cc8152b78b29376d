/** Where the work goes, and what of the person's stays untouched. */
import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeRepo } from '../support/repo.ts';
import { agentsIn, doneIn, planOf, play, recordsOf, runs, story, verdictsIn, works } from './scene.ts';

const shop = (branch: string, config: Readonly<Record<string, unknown>> = {}) =>
  makeRepo({
    branch,
    plan: planOf('US-1', 'US-2'),
    config: { gates: ['true'], ...config },
    scenario: play({ '*': works }),
  });

describe.concurrent('the branch', () => {
  test.for(['main', 'master', 'develop', 'release/1.2'])(
    'of a run on protected %s is a new one, and %s is untouched',
    async branch => {
      const repo = shop(branch);
      const head = repo.git('rev-parse', branch);
      expect((await repo.run()).code).toBe(0);
      expect(repo.git('symbolic-ref', '--short', 'HEAD')).toBe('ralph/shop');
      expect(repo.git('rev-parse', branch)).toBe(head);
      expect(repo.git('rev-list', '--count', `${branch}..ralph/shop`)).toBe('2');
    },
  );

  test('that a person works on is the one a run works on', async () => {
    const repo = shop('feature/till');
    expect((await repo.run()).code).toBe(0);
    expect(repo.git('branch', '--format=%(refname:short)')).toBe('feature/till');
    expect(repo.git('rev-list', '--count', 'HEAD')).toBe('3');
  });

  test('can be named', async () => {
    const repo = shop('feature/till');
    expect((await repo.run(['--branch', 'night/shift'])).code).toBe(0);
    expect(repo.git('symbolic-ref', '--short', 'HEAD')).toBe('night/shift');
    expect(repo.git('rev-list', '--count', 'feature/till')).toBe('1');
  });

  test('of an earlier run that went another way is left alone: the new one gets a number', async () => {
    const repo = shop('main');
    repo.git('branch', 'ralph/shop', 'main');
    repo.write('more.txt', 'more\n');
    repo.git('add', '-A');
    repo.git('commit', '-qm', 'More');
    const old = repo.git('rev-parse', 'ralph/shop');
    expect((await repo.run()).code).toBe(0);
    expect(repo.git('symbolic-ref', '--short', 'HEAD')).toBe('ralph/shop-2');
    expect(repo.git('rev-parse', 'ralph/shop')).toBe(old);
  });

  test('with a name git does not take is refused before anything runs', async () => {
    const repo = shop('main');
    const { code, stderr } = await repo.run(['--branch', 'bad..name']);
    expect([2, 4]).toContain(code);
    expect(stderr).toMatch(/bad\.\.name/);
    expect(agentsIn(repo)).toBe(0);
  });
});

describe.concurrent('a worktree of its own', () => {
  test('leaves a dirty tree as it is, byte for byte, and the branch checked out', async () => {
    const repo = shop('main');
    repo.write('README.md', 'in the middle of something\n');
    repo.write('mine.txt', 'unsaved\n');
    repo.git('add', 'mine.txt');
    repo.write('mine.txt', 'unsaved, and more\n');
    const [before, staged] = [digest(repo.root), repo.git('diff', '--cached')];
    const { code, stderr } = await repo.run(['--worktree']);
    expect(code, stderr).toBe(0);
    expect(digest(repo.root)).toBe(before);
    expect(repo.git('diff', '--cached')).toBe(staged);
    expect(repo.git('symbolic-ref', '--short', 'HEAD')).toBe('main');
    expect(repo.git('rev-list', '--count', 'main..ralph/shop')).toBe('2');
    expect(repo.git('show', 'ralph/shop:prd.json').match(/"passes": true/g)).toHaveLength(2);
    expect(repo.git('show', 'ralph/shop:README.md')).toBe('# A repository');
  });

  test('is set up once, found again, and continued', async () => {
    const repo = shop('main', { setup: ['echo set up >> ../../../../outside/setup.log'] });
    expect((await repo.run(['--worktree', '--once'])).code).toBe(1);
    const again = await repo.run(['--worktree']);
    expect(again.code, again.stderr).toBe(0);
    expect(repo.read('../outside/setup.log')).toBe('set up\n');
    expect(verdictsIn(repo)).toEqual(['US-1 accepted', 'US-2 accepted']);
  });

  test('is taken away again when its setup fails', async () => {
    const repo = shop('main', { setup: ['echo no such package; exit 1'] });
    const { code, stderr } = await repo.run(['--worktree']);
    expect(code).toBe(4);
    expect(stderr).toContain('no such package');
    expect(repo.git('worktree', 'list', '--porcelain').match(/^worktree /gm)).toHaveLength(1);
    expect(repo.git('branch', '--format=%(refname:short)')).toBe('main');
  });

  test('sees a plan that is not committed', async () => {
    const repo = makeRepo({ config: { gates: ['true'] }, scenario: play({ '*': works }) });
    repo.write('prd.json', JSON.stringify(planOf('US-1')));
    const { code, stderr } = await repo.run(['--worktree']);
    expect(code, stderr).toBe(0);
    expect(repo.git('show', 'ralph/shop:US-1.txt')).toBe('US-1');
  });
});

describe.concurrent('a run that is started from a hook', () => {
  test('works in its own repository: neither the agent nor the gates are led into another', async () => {
    const other = makeRepo({ files: { 'theirs.txt': 'theirs\n' } });
    const repo = makeRepo({
      plan: planOf('US-1'),
      config: { gates: ['test "$(git rev-parse --show-toplevel)" = "$PWD"'] },
      scenario: play({ '*': runs('git rev-parse --show-toplevel > where.txt', 'git add -A') }),
    });
    const before = other.git('status', '--porcelain');
    const env = {
      GIT_DIR: join(other.root, '.git'),
      GIT_WORK_TREE: other.root,
      GIT_INDEX_FILE: join(other.root, '.git/index'),
    };
    const { code, stdout, stderr } = await repo.run([], { env });
    expect(code, stdout + stderr).toBe(0);
    expect(repo.read('where.txt').trim()).toBe(repo.root);
    expect(other.git('status', '--porcelain')).toBe(before);
  });
});

describe.concurrent('a smaller run', () => {
  test('with --once makes one iteration and exits 1 with work left', async () => {
    const repo = shop('main');
    expect((await repo.run(['--once'])).code).toBe(1);
    expect(agentsIn(repo)).toBe(1);
    expect(doneIn(repo)).toEqual(['US-1']);
  });

  test('with --once that does the last item is complete', async () => {
    const repo = makeRepo({ plan: planOf('US-1'), config: { gates: ['true'] }, scenario: play({ '*': works }) });
    expect((await repo.run(['--once'])).code).toBe(0);
  });

  test('with --only does that item and no other', async () => {
    const repo = shop('main');
    const { code } = await repo.run(['--only', 'US-2']);
    expect(code).toBe(1);
    expect(doneIn(repo)).toEqual(['US-2']);
    expect(recordsOf(repo, 'iteration.started').map(({ item }) => item)).toEqual(['US-2']);
  });

  test('takes the lowest priority number first, and dependencies before that', async () => {
    const repo = makeRepo({
      plan: planOf(
        story('US-1', { priority: 3 }),
        story('US-2', { priority: 1, dependsOn: ['US-3'] }),
        story('US-3', { priority: 2 }),
      ),
      config: { gates: ['true'] },
      scenario: play({ '*': works }),
    });
    expect((await repo.run()).code).toBe(0);
    expect(recordsOf(repo, 'iteration.started').map(({ item }) => item)).toEqual(['US-3', 'US-2', 'US-1']);
  });

  test('leaves ignored files of the person alone, also when an attempt is thrown away', async () => {
    const repo = makeRepo({
      files: { '.gitignore': 'secret.env\ncache/\n' },
      plan: planOf('US-1'),
      config: { gates: ['true'], guards: { forbid: ['bad/**'] } },
      scenario: play({ 'US-1': [runs('mkdir bad && echo x > bad/x'), works] }),
    });
    repo.write('secret.env', 'KEY=1\n');
    repo.write('cache/a', 'a\n');
    expect((await repo.run()).code).toBe(0);
    expect(repo.read('secret.env')).toBe('KEY=1\n');
    expect(repo.read('cache/a')).toBe('a\n');
  });
});

/** Names, kinds and bytes of everything in a folder but what git and ralph keep for themselves. */
function digest(folder: string): string {
  const hash = createHash('sha256');
  const visit = (path: string): void => {
    for (const name of readdirSync(join(folder, path)).toSorted()) {
      if (path === '' && ['.git', '.ralph', 'archives'].includes(name)) continue;
      const file = join(path, name);
      const stat = lstatSync(join(folder, file));
      hash.update(`${file} ${stat.mode}\n`);
      if (stat.isDirectory()) visit(file);
      else hash.update(stat.isSymbolicLink() ? readlinkSync(join(folder, file)) : readFileSync(join(folder, file)));
    }
  };
  visit('');
  return hash.digest('hex');
}
