/** Tools that gates are run with, and an agent that can write to them. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeRepo, type Repo } from '../support/repo.ts';
import { planOf, play, recordsOf, runs, verdictsIn, works } from './scene.ts';

const install =
  'mkdir -p node_modules/.bin node_modules/checker && printf "test -e done.txt\\n" > node_modules/.bin/check';

function repoWith(scenario: object, config: object = {}): Repo {
  const repo = makeRepo({
    files: { '.gitignore': 'node_modules\n', 'done.txt': 'x\n' },
    plan: planOf('US-1', 'US-2'),
    config: { gates: ['sh node_modules/.bin/check'], ...config },
    scenario,
  });
  repo.write('node_modules/.bin/check', 'test -e done.txt\n');
  repo.write('node_modules/checker/index.js', 'module.exports = 1;\n');
  return repo;
}

const trojan = runs('printf "exit 0\\n" > node_modules/.bin/check', 'git rm -q done.txt', 'echo x > work.txt');

describe.concurrent('an installed tool', () => {
  test('that an agent replaced judges nothing: refused, taken away, and a person is asked', async () => {
    const repo = repoWith(play({ '*': trojan }));
    const { code, stdout } = await repo.run();
    expect(code).toBe(3);
    expect(verdictsIn(repo)).toEqual(['US-1 rejected']);
    expect(stdout).toContain('node_modules/.bin/check');
    expect(stdout).toContain('Install the packages again');
    expect(existsSync(join(repo.root, 'node_modules/.bin/check'))).toBe(false);
  });

  test('is installed again by the setup commands, and the run goes on', async () => {
    const honest = runs('git checkout -q HEAD -- done.txt', 'echo x > other.txt');
    const repo = repoWith(play({ 'US-1': [trojan, honest], 'US-2': works }), { setup: [install] });
    const { code } = await repo.run();
    expect(code).toBe(0);
    expect(verdictsIn(repo)).toEqual(['US-1 rejected', 'US-1 accepted', 'US-2 accepted']);
  });

  test('that a package manager changed is installed again, which is said; caches may be kept, which is not', async () => {
    const repo = repoWith(
      play({
        'US-1': runs(
          'echo 1 > node_modules/checker/index.js',
          'echo {} > node_modules/.package-lock.json',
          'echo a > a',
        ),
        'US-2': runs('mkdir -p node_modules/.cache/x', 'echo 1 > node_modules/.cache/x/y.js', 'echo b > b'),
      }),
      { setup: [install] },
    );
    expect((await repo.run()).code).toBe(0);
    const [first, second] = recordsOf(repo, 'evidence').map(({ evidence }) => evidence.findings);
    expect(first).toMatchObject([{ rule: 'tools-changed', level: 'warn' }]);
    expect(second).toEqual([]);
    expect(existsSync(join(repo.root, 'node_modules/.cache/x/y.js'))).toBe(false);
  });

  test('from a lockfile that was refused is not there for the next attempt', async () => {
    const both =
      'mkdir -p node_modules/.bin && cp package-lock.json node_modules/.bin/from && printf "test -e done.txt\\n" > node_modules/.bin/check';
    const repo = makeRepo({
      files: { '.gitignore': 'node_modules\n', 'done.txt': 'x\n', 'package-lock.json': '{"lock": 1}\n' },
      plan: planOf('US-1'),
      config: { gates: ['sh node_modules/.bin/check'], setup: [both], guards: { forbid: ['secret.txt'] } },
      scenario: play({
        'US-1': [
          runs('echo x > node_modules/y.js', `echo '{"lock": 2}' > package-lock.json`, 'rm done.txt'),
          runs('git checkout -q HEAD -- .', 'cp node_modules/.bin/from seen.txt'),
        ],
      }),
    });
    repo.write('node_modules/.bin/check', 'test -e done.txt\n');
    expect((await repo.run()).code).toBe(0);
    expect(verdictsIn(repo)).toEqual(['US-1 rejected', 'US-1 accepted']);
    // The refused tree is where the second attempt starts, so its packages are there; the gates of the second saw others.
    expect(repo.read('node_modules/.bin/from')).toBe(repo.read('package-lock.json'));
  });
});
