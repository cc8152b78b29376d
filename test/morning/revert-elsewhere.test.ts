/** Taking an item back where its plan or its branch is not in the checkout of the person. */
import { existsSync, symlinkSync } from 'node:fs';
import { expect, test } from 'vitest';
import { doneIn, planOf, play, story, verdictsIn, works } from '../loop/scene.ts';
import { makeRepo } from '../support/repo.ts';

test('a plan that git does not keep is marked where it lies', async () => {
  const repo = makeRepo({
    files: { '.gitignore': 'prd.json\n' },
    config: { gates: ['true'] },
    scenario: play({ '*': works }),
  });
  repo.write('prd.json', `${JSON.stringify(planOf('US-1', 'US-2'), undefined, 2)}\n`);
  expect((await repo.run()).code).toBe(0);
  expect((await repo.ralph(['revert', 'US-2'])).code).toBe(0);
  expect([doneIn(repo), existsSync(`${repo.root}/US-2.txt`)]).toEqual([['US-1'], false]);
  expect((await repo.run()).code).toBe(0);
  expect([doneIn(repo), existsSync(`${repo.root}/US-2.txt`)]).toEqual([['US-1', 'US-2'], true]);
});

test('a checklist in the worktree of its run is marked there, in its own words', async () => {
  const repo = makeRepo({
    files: { 'PROGRESS.md': '# Shop\n\n- [ ] First thing\n- [ ] Second thing\n' },
    config: { gates: ['true'] },
    scenario: play({ '*': works }),
  });
  expect((await repo.run(['--worktree'])).code).toBe(0);
  const [run = ''] = repo.runs();
  const branch = repo.git('for-each-ref', '--format=%(refname:short)', 'refs/heads/ralph');
  const ids = repo.journal().flatMap(record => (record.type === 'iteration.finished' ? [record.item] : []));
  const reverted = await repo.ralph(['revert', ids[0] ?? '', '--run', run]);
  expect(reverted).toMatchObject({ code: 0, stderr: '' });
  const worktree = `.ralph/worktrees/${run}`;
  expect(repo.read(`${worktree}/PROGRESS.md`)).toBe('# Shop\n\n- [ ] First thing\n- [x] Second thing\n');
  expect(repo.git('-C', worktree, 'status', '--porcelain')).toBe('');
  expect(repo.git('show', '--name-only', '--format=', branch).split('\n')).toEqual(
    ['PROGRESS.md', `${ids[0]}.txt`].toSorted(),
  );
  expect(repo.git('status', '--porcelain')).toBe('');
});

test.each(['plans/real.json', '../outside/real.json'])('a plan behind a link to %s stays behind it', async to => {
  const repo = makeRepo({ config: { gates: ['true'] }, scenario: play({ '*': works }) });
  repo.write(to, `${JSON.stringify(planOf('US-1', 'US-2'), undefined, 2)}\n`);
  symlinkSync(to, `${repo.root}/prd.json`);
  repo.git('add', '-A');
  repo.git('commit', '-qm', 'Plan');
  expect((await repo.run(['prd.json'])).code).toBe(0);
  const inTree = to.startsWith('..') ? [] : [to];
  expect((await repo.ralph(['revert', 'US-2'])).code).toBe(0);
  expect(repo.git('show', '--name-only', '--format=', 'HEAD').split('\n')).toEqual(['US-2.txt', ...inTree]);
  expect([doneIn(repo), repo.git('status', '--porcelain')]).toEqual([['US-1'], '']);
});

test.each([
  ['moved forward', ['merge']],
  ['squashed', ['merge', '--squash']],
])(
  'after a merge (%s), the run goes on where the item was reverted: it is never done without its work',
  async (_, merge) => {
    const repo = makeRepo({
      plan: planOf('US-1', 'US-2'),
      config: { gates: ['true'] },
      scenario: play({ '*': works }),
    });
    expect((await repo.run()).code).toBe(0);
    repo.git('switch', '-q', 'main');
    expect((await repo.ralph(merge)).code).toBe(0);
    expect((await repo.ralph(['revert', 'US-1'])).stdout).toContain('To have it done again: ralph run');
    expect(repo.git('ls-tree', '--name-only', 'ralph/shop')).not.toContain('US-1.txt');
    const again = await repo.run();
    expect(again, again.stderr).toMatchObject({ code: 0 });
    expect(repo.runs()).toHaveLength(1);
    expect(repo.git('ls-tree', '--name-only', 'ralph/shop').match(/US-\d\.txt/g)).toEqual(['US-1.txt', 'US-2.txt']);
    expect((await repo.run()).stdout).toContain('Complete: every item is done');
    expect(verdictsIn(repo)).toEqual(['US-1 accepted', 'US-2 accepted', 'US-1 accepted']);
  },
);

test('an item that only the branch of a second run has is done again from main', async () => {
  const repo = makeRepo({ plan: planOf('US-1', 'US-2'), config: { gates: ['true'] }, scenario: play({ '*': works }) });
  expect((await repo.run()).code).toBe(0);
  const userStories = [...repo.plan().userStories, story('US-3')];
  repo.write('prd.json', `${JSON.stringify({ ...planOf(), userStories })}\n`);
  repo.git('commit', '-qam', 'One more');
  expect((await repo.run()).code).toBe(0);
  repo.git('switch', '-q', 'main');
  expect((await repo.ralph(['revert', 'US-3'])).stdout).toContain('To have it done again: ralph run\n');
  const open = (await repo.ralph(['items', '--json'])).stdout;
  expect(JSON.parse(open).items).toContainEqual(expect.objectContaining({ id: 'US-3', status: 'pending' }));
  const planned = await repo.ralph(['run', '--dry-run', '--json']);
  expect(JSON.parse(planned.stdout).order.map(({ id }: { id: string }) => id)).toEqual(['US-3']);
  expect(await repo.run()).toMatchObject({ code: 0 });
  expect(verdictsIn(repo)).toEqual(['US-3 accepted', 'US-3 accepted']);
});
