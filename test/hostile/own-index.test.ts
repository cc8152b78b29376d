/** Without a sandbox an agent can write to the runner's own index, which would then say that files hold something else than they do. */
import { expect, test } from 'vitest';
import { doneIn, planOf, play, runs } from '../loop/scene.ts';
import { makeRepo } from '../support/repo.ts';

const OWN =
  'GIT_INDEX_FILE=$(ls $TOP/.ralph/runs/*-shop/workers/${PWD##*.}/index $TOP/.ralph/runs/*-shop/index 2> /dev/null | head -1)';
const FORGE = '$(echo bad | git hash-object -w --stdin),value.txt';

test.concurrent.each([
  [
    'by a file that is not to be looked at',
    [],
    `git update-index --cacheinfo 100644,${FORGE}; git update-index --skip-worktree value.txt`,
  ],
  [
    'by a file that is assumed to be unchanged',
    [],
    `git update-index --cacheinfo 100644,${FORGE}; git update-index --assume-unchanged value.txt`,
  ],
  [
    'in the checkout of a worker',
    ['--parallel', '2'],
    `git update-index --cacheinfo 100644,${FORGE}; git update-index --skip-worktree value.txt`,
  ],
  ['with something that is no index', [], 'echo x > $GIT_INDEX_FILE'],
  ['with a folder', [], 'rm $GIT_INDEX_FILE; mkdir -p $GIT_INDEX_FILE/x'],
])('the index of a run that is replaced %s is made again', async (_, flags, command) => {
  const repo = makeRepo({
    files: { 'value.txt': 'good\n' },
    plan: planOf('US-1', 'US-2'),
    config: { gates: ['grep -qx good value.txt'] },
    scenario: play({
      '*': runs(
        'echo x > {{item}}.txt',
        `TOP=$(dirname $(git rev-parse --path-format=absolute --git-common-dir)); export ${OWN}; test {{item}} != US-1 || { ${command}; }`,
      ),
    }),
  });
  const { code, stdout } = await repo.run(['--no-sandbox', ...flags]);
  expect(code, stdout).toBe(0);
  expect(stdout).toContain('the index of this run was changed by another program; it was made again');
  expect(repo.git('show', 'ralph/shop:value.txt')).toBe('good');
  if (flags.length === 0) expect(doneIn(repo)).toEqual(['US-1', 'US-2']);
});

test.concurrent.each([[[]], [['--parallel', '2']]])(
  'an index that nobody wrote to is not made again %j',
  async flags => {
    const repo = makeRepo({
      plan: planOf('US-1', 'US-2', 'US-3', 'US-4'),
      config: { gates: ['true'], review: 'each' },
      scenario: play({ '*': runs('echo x > {{item}}.txt') }),
    });
    const { stdout } = await repo.run(['--no-sandbox', ...flags]);
    expect(stdout).not.toContain('made again');
  },
);

test.concurrent.each([
  ['a ref in the way of refs', 'RUN=$(ls .ralph/runs | head -1); git update-ref refs/ralph/$RUN/US-1 HEAD'],
  ['a file where branches belong', 'git pack-refs --all; rm -rf .git/refs/heads; echo x > .git/refs/heads'],
  ['a file that is none in the way of refs', 'rm -rf .git/refs/ralph; echo x > .git/refs/ralph'],
  ['a folder in the place of the lock of the index', 'mkdir -p .git/index.lock/x'],
])('%s does not end the run', async (_, command) => {
  const repo = makeRepo({
    plan: planOf('US-1', 'US-2'),
    config: { gates: ['! test -e US-1.txt'], limits: { attempts: 1 } },
    scenario: play({ '*': runs('echo x > {{item}}.txt', command) }),
  });
  const { code, stdout } = await repo.run(['--no-sandbox']);
  expect(code, stdout).toBe(3);
  expect(doneIn(repo)).toEqual(['US-2']);
  expect(repo.git('for-each-ref', '--format=%(refname)', 'refs/ralph')).toMatch(/US-1\/1/);
});

test.concurrent.each(['$(echo .ralph/runs/*-shop)/index', '$(echo .ralph/runs/*-shop)/index.lock'])(
  'a folder in the place of %s does not keep the next run from starting',
  async path => {
    const kill = 'kill -9 $(sed \'s/.*"pid":\\([0-9]*\\).*/\\1/\' .ralph/lock); sleep 20';
    const plant = `P=${path}; rm -f $P; mkdir -p $P/x`;
    const repo = makeRepo({
      plan: planOf('US-1'),
      config: { gates: ['true'] },
      scenario: play({
        '*': runs('echo x > US-1.txt', `test -f ../outside/once || { touch ../outside/once; ${plant}; ${kill}; }`),
      }),
    });
    expect((await repo.ralph(['run', '--no-sandbox'])).signal).toBe('SIGKILL');
    const { code, stdout, stderr } = await repo.run(['--no-sandbox']);
    expect(code, stdout + stderr).toBe(0);
    expect(doneIn(repo)).toEqual(['US-1']);
  },
);
