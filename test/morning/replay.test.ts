/** What a run claims, checked again: at each commit, in a clean checkout. */
import { rmSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { planOf, play, story, works } from '../loop/scene.ts';
import { makeRepo } from '../support/repo.ts';

interface Shown {
  readonly items: readonly { readonly item: string; readonly reproduced: boolean; readonly why: string }[];
}

test('ralph audit --replay repeats every claim and marks those that do not hold', async () => {
  // The second item's check depends on a file outside the repository, which nobody will find again.
  const plan = planOf('US-1', story('US-2', { verify: ['test -e US-2.txt && test -e ../repo/luck'] }));
  const repo = makeRepo({
    plan,
    files: { '.gitignore': 'luck\n' },
    config: { setup: ['touch ready'], gates: ['test -e README.md'] },
    scenario: play({ '*': works }),
  });
  writeFileSync(`${repo.root}/luck`, '');
  expect((await repo.run()).code).toBe(0);
  const [run = ''] = repo.runs();
  repo.git('switch', '-q', 'main');
  repo.write('README.md', '# Mine\n');
  const mine = () => [repo.git('status', '--porcelain'), repo.git('for-each-ref'), repo.git('worktree', 'list')];
  const before = mine();

  const replayed = await repo.ralph(['audit', '--replay', run, '--json']);
  expect(replayed.code).toBe(1);
  const { items } = JSON.parse(replayed.stdout) as Shown;
  expect(items.map(({ item, reproduced }) => [item, reproduced])).toEqual([
    ['US-1', true],
    ['US-2', false],
  ]);
  expect(items[1]?.why).toContain('verify: test -e US-2.txt');
  expect(mine()).toEqual(before);

  // What a person has taken back is no claim any more.
  repo.git('checkout', '-q', 'README.md');
  expect((await repo.ralph(['revert', 'US-2', '--run', run])).code).toBe(0);
  rmSync(`${repo.root}/luck`);
  const again = await repo.ralph(['audit', '--replay', 'ralph/shop']);
  expect(again).toMatchObject({ code: 0, stdout: expect.stringContaining('1 of 1 accepted item on ralph/shop') });
  expect(again.stdout).toMatch(/✓ [0-9a-f]{7} {2}US-1 {2}test -e README\.md/);
  expect((await repo.ralph(['audit', '--replay', 'none'])).code).toBe(2);
  expect((await repo.ralph(['audit', '--replay', run, '--sarif'])).code).toBe(2);
});
