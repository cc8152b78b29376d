/** An item that only the plan of the run's worktree has: named from the checkout, where the plan lacks it. */
import { expect, test } from 'vitest';
import { doneIn, planOf, play, story, works } from '../loop/scene.ts';
import { makeRepo } from '../support/repo.ts';

const stuck = { claim: { blocked: 'no key' } };

test('what is printed about it can be pasted, for one item and for all', async () => {
  const repo = makeRepo({
    plan: planOf('US-1', 'US-2'),
    config: { gates: ['true'] },
    scenario: play({ 'US-1': works, 'US-2': [stuck, stuck, works] }),
  });
  expect((await repo.run(['--worktree'])).code).toBe(3);
  repo.write('prd.json', `${JSON.stringify(planOf('US-1'))}\n`);
  repo.git('commit', '-qam', 'Another story instead');
  expect(await repo.ralph(['unblock', 'US-2'])).toMatchObject({ code: 0, stdout: 'US-2 is pending.\n' });
  expect((await repo.run()).code).toBe(3);
  expect(await repo.ralph(['unblock', '--all'])).toMatchObject({ code: 0, stdout: 'US-2 is pending.\n' });
  expect((await repo.run(['--only', 'US-2'])).code).toBe(0);
  expect(repo.git('ls-tree', '--name-only', 'ralph/shop')).toContain('US-2.txt');
  expect(doneIn(repo)).toEqual([]);
  expect(await repo.ralph(['skip', 'US-9'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('no item "US-9"'),
  });
});

test('a run in a worktree that goes on where the work is leaves the plan in the checkout as the person has it', async () => {
  const repo = makeRepo({ plan: planOf('US-1'), config: { gates: ['true'] }, scenario: play({ '*': works }) });
  repo.git('switch', '-q', '-c', 'feature');
  expect((await repo.run()).code).toBe(0);
  repo.git('switch', '-q', 'main');
  const mine = `${JSON.stringify(planOf('US-1', 'US-2'))}\n`;
  repo.write('prd.json', mine);
  expect((await repo.run(['--worktree'])).code).toBe(0);
  expect(repo.git('ls-tree', '--name-only', 'feature').match(/US-\d\.txt/g)).toEqual(['US-1.txt', 'US-2.txt']);
  // US-1 is not on main, so it is not marked there either.
  expect(repo.read('prd.json')).toBe(mine);
});

test('an item that is blocked in the run can be unblocked, whatever the plan in the checkout says of it', async () => {
  const repo = makeRepo({ plan: planOf('US-1'), config: { gates: ['true'] }, scenario: play({ 'US-1': stuck }) });
  expect((await repo.run(['--worktree'])).code).toBe(3);
  repo.write('prd.json', `${JSON.stringify(planOf(story('US-1', { passes: true })))}\n`);
  expect(await repo.ralph(['unblock', 'US-1'])).toMatchObject({ code: 0, stdout: 'US-1 is pending.\n' });
});
