/** What a person does to branches while a run is at work is not taken for the agent's. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { planOf, play, runs } from '../loop/scene.ts';
import { makeRepo } from '../support/repo.ts';
import { until } from '../support/until.ts';

const plan = (project: string, id: string) => `${JSON.stringify({ ...planOf(id), project })}\n`;
const quick = runs('echo {{item}} > {{item}}.txt');

test('merge and discard beside a live run hold, on main and beside it', async () => {
  const repo = makeRepo({
    files: {
      'a.json': plan('Alpha', 'A-1'),
      'b.json': plan('Beta', 'B-1'),
      'c.json': plan('Gamma', 'C-1'),
      'd.json': plan('Delta', 'D-1'),
    },
    config: { gates: ['true'] },
    scenario: play({
      'A-1': runs('touch $OUTSIDE/A-1', 'while ! test -e $OUTSIDE/go; do sleep 0.05; done', 'echo A > A-1.txt'),
      '*': quick,
    }),
  });
  const env = { OUTSIDE: repo.outside };
  const done = await repo.ralph(['run', 'b.json', 'c.json', 'd.json', '--quiet'], { env });
  expect([done.code, done.stderr]).toEqual([0, '']);
  const live = repo.start(['run', '--worktree', 'a.json'], { env });
  await until(() => existsSync(join(repo.outside, 'A-1')));
  expect((await repo.ralph(['merge', 'b.json'])).code).toBe(0);
  expect((await repo.ralph(['discard', 'c.json'])).code).toBe(0);
  repo.git('switch', '-q', '-c', 'mine');
  expect((await repo.ralph(['merge', 'd.json'])).code).toBe(0);
  const merged = repo.git('rev-parse', 'main');
  repo.write('../outside/go', '');
  const ended = await live.ended;
  expect([ended.code, ended.stdout]).toEqual([
    0,
    expect.not.stringMatching(/put back|restored|taken away|was removed/),
  ]);
  expect(repo.git('rev-parse', 'main')).toBe(merged);
  expect(repo.git('ls-tree', '--name-only', 'main').match(/[A-D]-1\.txt/g)).toEqual(['B-1.txt', 'D-1.txt']);
  expect(repo.git('branch', '--list', 'ralph/gamma')).toBe('');
});
