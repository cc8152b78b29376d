/** `.ralph` was deleted, and the branch of its run was not: what is done there must not be done again. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { doneIn, planOf, play, verdictsIn, works } from '../loop/scene.ts';
import { paste } from '../support/paste.ts';
import { makeRepo, type Repo } from '../support/repo.ts';

async function forgotten(...flags: readonly string[]): Promise<Repo> {
  const scenario = play({ '*': works });
  const repo = makeRepo({ plan: planOf('US-1', 'US-2'), config: { gates: ['true'] }, scenario });
  expect((await repo.run(['--no-sandbox', '--once', ...flags])).code).toBe(1);
  rmSync(join(repo.root, '.ralph'), { recursive: true });
  if (flags.length === 0) repo.git('switch', '-q', 'main');
  return repo;
}

test.concurrent.each([
  ['in the checkout', []],
  ['in a worktree', ['--worktree']],
])('a run %s whose journal is gone is not started over', async (_, flags) => {
  const repo = await forgotten(...flags);
  const { code, stderr } = await repo.run(['--no-sandbox']);
  expect(code).toBe(4);
  expect(stderr).toContain(
    'ralph/shop has the work of a run of which .ralph knows nothing (US-1 done there and not here)',
  );
  const goOn = /To go on with it: (.+)/.exec(stderr)?.[1] ?? 'false';
  const went = await paste(repo, goOn.replace('ralph run', 'ralph run --no-sandbox'));
  expect(went.code, went.stdout).toBe(0);
  expect(doneIn(repo)).toEqual(['US-1', 'US-2']);
  expect(verdictsIn(repo)).toEqual(['US-2 accepted']);
});

test.concurrent('and may be started anew, beside the old branch', async () => {
  const repo = await forgotten();
  const { stderr } = await repo.run(['--no-sandbox']);
  const anew = /To start anew beside it: (.+)/.exec(stderr)?.[1] ?? 'false';
  expect((await paste(repo, anew)).code).toBe(0);
  expect((await repo.run(['--no-sandbox'])).code).toBe(0);
  expect(verdictsIn(repo)).toEqual(['US-1 accepted', 'US-2 accepted']);
  expect(repo.git('show', 'ralph/shop-old:US-1.txt')).toBe('US-1');
});
