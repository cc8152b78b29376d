/** A plan that a person went on with while the run marked it: git sees a conflict, an item is an item. */
import { expect, test } from 'vitest';
import { planOf, play, story, works } from '../loop/scene.ts';
import { makeRepo } from '../support/repo.ts';

const config = { gates: ['true'] };
const all = play({ '*': works });
const shown = (plan: unknown) => `${JSON.stringify(plan, undefined, 2)}\n`;

test('items that a person added, reworded or took out on main stay as they are there, with the marks of the run', async () => {
  const repo = makeRepo({ plan: planOf('US-1', 'US-2', 'US-3'), config, scenario: all });
  expect((await repo.run()).code).toBe(0);
  repo.git('switch', '-q', 'main');
  const mine = [story('US-1', { title: 'Reworded' }), story('US-2'), story('US-4'), story('US-5')];
  repo.write('prd.json', shown({ project: 'Shop', userStories: mine }));
  repo.git('commit', '-qam', 'More to do');
  const merged = await repo.ralph(['merge']);
  expect(merged, merged.stderr).toMatchObject({ code: 0 });
  expect(merged.stdout).toContain('The plan prd.json has the items of main and the marks of the run.');
  expect(repo.plan().userStories.map(({ id, title, passes }) => [id, title, passes])).toEqual([
    ['US-1', 'Reworded', true],
    ['US-2', 'Story US-2', true],
    ['US-4', 'Story US-4', false],
    ['US-5', 'Story US-5', false],
  ]);
  expect(repo.git('status', '--porcelain')).toBe('');
  expect((await repo.run()).code).toBe(0);
  expect(repo.git('ls-files').match(/US-\d\.txt/g)).toEqual(
    ['US-1', 'US-2', 'US-3', 'US-4', 'US-5'].map(id => `${id}.txt`),
  );
});

test('a checklist, byte for byte but for the marks', async () => {
  const repo = makeRepo({ files: { 'TODO.md': '# Shop\n\n- [ ] A: first\n- [ ] B: second\n' }, config, scenario: all });
  expect((await repo.run()).code).toBe(0);
  repo.git('switch', '-q', 'main');
  repo.write('TODO.md', '# Shop\n\nNew words.\n\n- [ ] A: first\n- [ ] B: second\n- [ ] C: third\n');
  repo.git('commit', '-qam', 'More to do');
  const merged = await repo.ralph(['merge', '--squash']);
  expect(merged, merged.stderr).toMatchObject({ code: 0 });
  expect(repo.read('TODO.md')).toBe('# Shop\n\nNew words.\n\n- [x] A: first\n- [x] B: second\n- [ ] C: third\n');
});

test('another file that conflicts, or an item with other words on both sides, is for a person', async () => {
  const repo = makeRepo({ files: { 'a.txt': 'a\n' }, plan: planOf('US-1', 'US-2'), config, scenario: all });
  expect((await repo.run()).code).toBe(0);
  const there = repo.plan().userStories.map(each => ({ ...each, title: `${each.title}, there` }));
  repo.write('prd.json', shown({ project: 'Shop', userStories: there }));
  repo.git('commit', '-qam', 'Words on the branch');
  repo.git('switch', '-q', 'main');
  repo.write('prd.json', shown(planOf(story('US-1', { title: 'Here' }), 'US-2')));
  repo.git('commit', '-qam', 'Words on main');
  const before = repo.git('rev-parse', 'main');
  expect(await repo.ralph(['merge'])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('in 1 file: prd.json'),
  });
  expect(repo.git('rev-parse', 'main')).toBe(before);
});

test('an item that was added on both sides is in the plan once, where git sees no conflict', async () => {
  const repo = makeRepo({ plan: planOf('US-1', 'US-2', 'US-3'), config, scenario: all });
  expect((await repo.run()).code).toBe(0);
  const more = () => {
    const { userStories } = repo.plan();
    repo.write('prd.json', shown({ project: 'Shop', userStories: [...userStories, story('US-5')] }));
    repo.git('commit', '-qam', 'One more');
  };
  more();
  repo.git('switch', '-q', 'main');
  more();
  const byGit = repo.git('merge-tree', '--write-tree', 'main', 'ralph/shop');
  expect(repo.git('show', `${byGit}:prd.json`).match(/"id": "US-5"/g)).toHaveLength(2);
  const merged = await repo.ralph(['merge']);
  expect(merged, merged.stderr).toMatchObject({ code: 0 });
  expect(repo.plan().userStories.map(({ id, passes }) => [id, passes])).toEqual([
    ['US-1', true],
    ['US-2', true],
    ['US-3', true],
    ['US-5', false],
  ]);
});
