/** A ref that git could not write is not said to have been moved by somebody. */
import { expect, test } from 'vitest';
import { planOf, play, works } from '../loop/scene.ts';
import { makeRepo } from '../support/repo.ts';

test('git says why the branch of a run could not be made', async () => {
  const repo = makeRepo({ plan: planOf('US-1'), config: { gates: ['true'] }, scenario: play({ '*': works }) });
  // No reflog can be where a folder with something in it is.
  repo.write('.git/logs/refs/heads/ralph/shop/file', '');
  const { code, stderr, stdout } = await repo.run();
  expect(code, stdout + stderr).toBe(4);
  expect(stderr).toContain('git update-ref failed');
  expect(stderr).not.toContain('Another program moved');
});
