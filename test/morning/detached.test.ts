/** A run that began on no branch: its work has a branch of its own and none to be merged into. */
import { expect, test } from 'vitest';
import { planOf, play, works } from '../loop/scene.ts';
import { makeRepo } from '../support/repo.ts';

test('is shown with its size, merged where a branch is named, and discarded back to the commit it began at', async () => {
  const repo = makeRepo({ plan: planOf('US-1'), config: { gates: ['true'] }, scenario: play({ '*': works }) });
  const base = repo.git('rev-parse', 'HEAD');
  repo.git('checkout', '-q', '--detach');
  expect((await repo.run()).code).toBe(0);
  const [run = ''] = repo.runs();
  const review = (await repo.ralph(['review'])).stdout;
  expect(review).toContain('1 commit · 2 files');
  expect(review).toContain(`ralph discard ${run}`);
  expect(review).not.toContain('ralph merge');
  const nowhere = await repo.ralph(['merge', run]);
  expect(nowhere.code).not.toBe(0);
  expect(nowhere.stderr).toContain(`was started on no branch, so there is none to merge it into`);
  const discarded = await repo.ralph(['discard', run]);
  expect(discarded.code, discarded.stderr).toBe(0);
  expect(discarded.stdout).toContain(`Back on ${base.slice(0, 7)}`);
  expect(repo.git('rev-parse', 'HEAD')).toBe(base);
  expect((await repo.ralph(['discard', run, '--undo'])).code).toBe(0);
  const merged = await repo.ralph(['merge', run, '--into', 'main']);
  expect(merged.stdout, merged.stderr).toContain('Merged ralph/shop into main');
});
