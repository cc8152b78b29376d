/** Gates run on ground that neither a shell nor an agent prepared, and only as often as they must. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { makeRepo, type Repo } from '../support/repo.ts';
import { briefOf, planOf, play, recordsOf, verdictsIn, works, writes } from './scene.ts';

const linesIn = (file: string): number => readFileSync(file, 'utf8').trimEnd().split('\n').length;
const gatesOf = (repo: Repo, iteration: number) =>
  recordsOf(repo, 'evidence').find(record => record.iteration === iteration)?.evidence.gates ?? [];

describe.concurrent('the environment of a gate', () => {
  test('holds no token of the person and no setting that changes a tool, but what gate-env names', async () => {
    const repo = makeRepo({
      plan: planOf('US-1'),
      config: { gates: ['env | sort > ../outside/env.txt'], 'gate-env': ['DATABASE_URL', 'SHOP_*'] },
      scenario: play({ '*': works }),
    });
    const { code } = await repo.ralph(['run'], {
      env: {
        GITHUB_TOKEN: 'ghp_x',
        NODE_OPTIONS: '--no-warnings',
        npm_config_registry: 'http://localhost/',
        NPM_CONFIG__AUTH: 'x',
        DATABASE_URL: 'postgres://test',
        SHOP_ZONE: 'eu',
      },
    });
    expect(code).toBe(0);
    const env = readFileSync(`${repo.outside}/env.txt`, 'utf8');
    expect(env).toMatch(/^PATH=/m);
    expect(env).toMatch(/^npm_config_registry=/m);
    expect(env).toContain('DATABASE_URL=postgres://test');
    expect(env).toContain('SHOP_ZONE=eu');
    expect(env).not.toMatch(/GITHUB_TOKEN|NODE_OPTIONS|NPM_CONFIG__AUTH/);
  });
});

describe.concurrent('a repository that was red before', () => {
  const red = { name: 'lint', run: 'cat lint.txt && ! grep -q BAD lint.txt' };

  test('is not blamed on an item that leaves it as it was', async () => {
    const repo = makeRepo({
      files: { 'lint.txt': 'BAD old\n' },
      plan: planOf('US-1'),
      config: { gates: [red, 'ls'] },
      scenario: play({ '*': works }),
    });
    const { code, stdout } = await repo.run(['--allow-red']);
    expect(code).toBe(0);
    expect(verdictsIn(repo)).toEqual(['US-1 accepted']);
    expect(gatesOf(repo, 1)).toMatchObject([
      { name: 'lint', status: 'red', wasRed: true },
      { name: 'ls', status: 'green' },
    ]);
    expect(stdout).toContain('as before');
  });

  test('is blamed when the same gate fails in another way, or another gate turns red', async () => {
    const repo = makeRepo({
      files: { 'lint.txt': 'BAD old\n' },
      plan: planOf('US-1', 'US-2'),
      config: { gates: [red, { name: 'new', run: '! ls broken.txt' }], limits: { attempts: 1 } },
      scenario: play({ 'US-1': writes('lint.txt', 'BAD old\nBAD new\n'), 'US-2': writes('broken.txt') }),
    });
    const { code } = await repo.run(['--allow-red']);
    expect(code).toBe(3);
    expect(verdictsIn(repo)).toEqual(['US-1 rejected', 'US-2 rejected']);
  });

  test('is not blamed on an item that adds a good test beside a bad one, but on one that adds a bad one', async () => {
    const test = (name: string, value: number) =>
      `require('node:test')('${name}', () => require('node:assert').equal(1, ${value}));\n`;
    const repo = makeRepo({
      files: { 'test/old.test.js': test('old', 2) },
      plan: planOf('US-1', 'US-2'),
      config: { gates: ['node --test'], limits: { attempts: 1 } },
      scenario: play({
        'US-1': writes('test/good.test.js', test('good', 1)),
        'US-2': writes('test/bad.test.js', test('bad', 2)),
      }),
    });
    await repo.run(['--allow-red']);
    expect(verdictsIn(repo)).toEqual(['US-1 accepted', 'US-2 rejected']);
  });

  test('has to stay green once an item made it so', async () => {
    const repo = makeRepo({
      files: { 'lint.txt': 'BAD old\n' },
      plan: planOf('US-1', 'US-2'),
      config: { gates: [red], limits: { attempts: 1 } },
      scenario: play({ 'US-1': writes('lint.txt', 'good\n'), 'US-2': writes('lint.txt', 'BAD old\n') }),
    });
    await repo.run(['--allow-red']);
    expect(verdictsIn(repo)).toEqual(['US-1 accepted', 'US-2 rejected']);
    expect(briefOf(repo, 2)).not.toContain('as before');
  });
});

describe.concurrent('a gate with paths', () => {
  const counted = (paths?: readonly string[]) => ({
    name: 'suite',
    run: 'echo ran >> ../outside/suite.log',
    ...(paths ? { paths } : {}),
  });
  const scenario = play({
    'US-1': writes('docs/a.txt'),
    'US-2': writes('src/a.txt'),
    'US-3': writes('docs/b.txt'),
    'US-4': writes('package.json', '{}\n'),
  });
  const plan = planOf('US-1', 'US-2', 'US-3', { id: 'US-4', title: 'Add a package.json', passes: false });

  test('is run again only when one of them changed, or what decides how things run', async () => {
    const repo = makeRepo({ plan, config: { gates: [counted(['src/**'])] }, scenario });
    const { code } = await repo.run();
    expect(code).toBe(0);
    // The baseline, US-2, US-4.
    expect(linesIn(`${repo.outside}/suite.log`)).toBe(3);
    expect([1, 2, 3, 4].map(iteration => gatesOf(repo, iteration)[0]?.reused ?? false)).toEqual([
      true,
      false,
      true,
      false,
    ]);
  });

  test('without paths it is run on every new tree', async () => {
    const repo = makeRepo({ plan, config: { gates: [counted()] }, scenario });
    await repo.run();
    expect(linesIn(`${repo.outside}/suite.log`)).toBe(5);
  });
});

describe.concurrent('what the gates stand on', () => {
  const manifest = (test: string, more: object = {}) =>
    `${JSON.stringify({ name: 'shop', scripts: { test, start: 'node .' }, ...more }, undefined, 2)}\n`;
  const files = { 'package.json': manifest('test -e done.txt'), 'scripts/check.sh': 'test -e done.txt\n' };

  test('is put back when an agent changes it unasked, and the edit changes nothing', async () => {
    const repo = makeRepo({
      files,
      plan: planOf('US-1'),
      config: { gates: ['npm test --silent', 'sh scripts/check.sh'], baseline: 'any', limits: { attempts: 2 } },
      scenario: play({
        'US-1': [
          {
            steps: [
              { write: { path: 'package.json', text: manifest('test -e README.md') } },
              { write: { path: 'scripts/check.sh', text: 'test -e README.md\n' } },
              { write: { path: 'work.txt', text: 'x\n' } },
              { write: { path: 'vitest.config.ts', text: 'export default {}\n' } },
            ],
          },
          { steps: [{ write: { path: 'done.txt', text: 'x\n' } }] },
        ],
      }),
    });
    const { code } = await repo.run(['--allow-red']);
    expect(code).toBe(0);
    // Red as before is not blamed; but the edits are gone, and kept where they can be looked at.
    expect(repo.read('package.json')).toBe(files['package.json']);
    expect(repo.read('scripts/check.sh')).toBe(files['scripts/check.sh']);
    expect(repo.git('ls-files')).not.toContain('vitest.config.ts');
    expect(repo.git('ls-files')).toContain('work.txt');
    const findings = recordsOf(repo, 'evidence')[0]?.evidence.findings ?? [];
    expect(findings.filter(({ rule }) => rule === 'gate-ground').map(({ path }) => path)).toEqual([
      'package.json',
      'scripts/check.sh',
      'vitest.config.ts',
    ]);
    const ref = `refs/ralph/${repo.runs()[0]}/US-1/1-i1-as-made`;
    expect(repo.git('show', `${ref}:scripts/check.sh`)).toBe('test -e README.md');
  });

  test('a false done that rests on such an edit is refused, and the next brief says what happened', async () => {
    const repo = makeRepo({
      files: { ...files, 'done.txt': 'x\n' },
      plan: planOf('US-1'),
      config: { gates: ['npm test --silent'], limits: { attempts: 2 } },
      scenario: play({
        'US-1': {
          steps: [
            { write: { path: 'package.json', text: manifest('test -e README.md') } },
            { run: 'git rm -q done.txt' },
          ],
        },
      }),
    });
    expect((await repo.run()).code).toBe(3);
    expect(verdictsIn(repo)).toEqual(['US-1 rejected', 'US-1 rejected']);
    expect(briefOf(repo, 2)).toContain('changed the script test in package.json');
  });

  test('is the agent’s to change where the item names it, and other scripts always are', async () => {
    const edited = manifest('test -e done.txt', {}).replace('node .', 'node --watch .');
    const repo = makeRepo({
      files: { ...files, 'done.txt': 'x\n' },
      plan: planOf({ id: 'US-1', title: 'Let package.json test less', passes: false }, 'US-2'),
      config: { gates: ['npm test --silent'] },
      scenario: play({
        'US-1': writes('package.json', manifest('test -e done.txt && true')),
        'US-2': writes('package.json', edited.replace('done.txt', 'done.txt && true')),
      }),
    });
    expect((await repo.run()).code).toBe(0);
    expect(repo.read('package.json')).toContain('test -e done.txt && true');
    expect(repo.read('package.json')).toContain('node --watch .');
  });
});
