/** Agents that delete the folder that they work in. */
import { expect, test } from 'vitest';
import { planOf, play, runs, verdictsIn, works } from '../loop/scene.ts';
import { makeRepo } from '../support/repo.ts';

test('what an agent put in the place of its folder is kept', async () => {
  const anew = 'P="$PWD"; cd /; rm -rf "$P"; mkdir "$P"; echo anew > "$P/anew.txt"';
  const repo = makeRepo({
    plan: planOf('US-1'),
    files: { 'kept.txt': 'kept\n' },
    config: { gates: ['true'] },
    scenario: play({ 'US-1': [runs(anew), works] }),
  });
  const { code, stdout } = await repo.run(['--no-sandbox', '--worktree']);
  expect(code, stdout).toBe(0);
  expect(verdictsIn(repo)).toEqual(['US-1 rejected', 'US-1 accepted']);
  expect(repo.git('ls-tree', '--name-only', 'ralph/shop').split('\n')).toContain('kept.txt');
  const ref = /was there instead is under (refs\/\S+)/.exec(stdout)?.[1] ?? '';
  expect(repo.git('show', `${ref}:anew.txt`)).toBe('anew');
});
