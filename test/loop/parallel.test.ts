/** Several items at once: each in a checkout of its own, all on one branch, every commit of it green. */
import { expect, test } from 'vitest';
import { twelveItems } from '../crash/twelve-items.ts';
import { makeRepo } from '../support/repo.ts';
import { recordsOf } from './scene.ts';

test('twelve items on three workers', async () => {
  const repo = makeRepo(twelveItems);
  const { code, stdout, stderr } = await repo.ralph(['run']);
  console.log(stdout, stderr, repo.root);
  expect(code, stdout + stderr).toBe(0);
  console.log(repo.git('log', '--oneline', '--all', '--graph'));
  expect(recordsOf(repo, 'run.finished')).toHaveLength(1);
}, 60_000);
