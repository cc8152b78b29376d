/** What somebody took away by hand: a worktree's folder, a branch, a remote. One sentence, a next step that works, nothing lost. */
import { chmodSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { planOf, play, works } from '../loop/scene.ts';
import { makeRepo, type Repo } from '../support/repo.ts';

/** A plan that was finished in a worktree. No copy: git keeps where its worktrees are. */
async function finished(): Promise<Repo> {
  const repo = makeRepo({ plan: planOf('US-1', 'US-2'), config: { gates: ['true'] }, scenario: play({ '*': works }) });
  expect((await repo.run(['--worktree'])).code).toBe(0);
  return repo;
}

async function withoutFolder(): Promise<Repo> {
  const repo = await finished();
  rmSync(join(repo.root, '.ralph/worktrees', repo.runs()[0] ?? ''), { recursive: true });
  return repo;
}

test('a worktree that was removed with the merge is made again, and nothing is said to be lost', async () => {
  const repo = makeRepo({ plan: planOf('US-1', 'US-2'), config: { gates: ['true'] }, scenario: play({ '*': works }) });
  expect((await repo.run(['--worktree', '--once'])).code).toBe(1);
  expect((await repo.ralph(['merge'])).code).toBe(0);
  const { code, stdout } = await repo.run();
  expect([code, stdout]).toEqual([0, expect.stringMatching(/worktree of this run had been removed; .* commit \w+$/m)]);
});

describe.concurrent('taken away by hand', () => {
  test("a worktree's folder: work is taken back without it, and the next run makes it again and goes on", async () => {
    const repo = await withoutFolder();
    const reverted = await repo.ralph(['revert', 'US-2']);
    expect(reverted, reverted.stderr).toMatchObject({ code: 0 });
    const again = await repo.run();
    expect(again, again.stderr).toMatchObject({ code: 0 });
    expect(again.stdout).toContain('the worktree of this run was gone; it was made again');
    expect(repo.runs()).toHaveLength(1);
    expect(repo.git('ls-tree', '--name-only', 'ralph/shop').match(/US-\d\.txt/g)).toEqual(['US-1.txt', 'US-2.txt']);
    expect(repo.git('symbolic-ref', '--short', 'HEAD')).toBe('main');
  });

  test("a worktree's folder, and its branch checked out by a person: refused, because the run would move it under them", async () => {
    const repo = makeRepo({
      plan: planOf('US-1', 'US-2'),
      config: { gates: ['true'] },
      scenario: play({ '*': works }),
    });
    expect((await repo.run(['--worktree', '--once'])).code).toBe(1);
    rmSync(join(repo.root, '.ralph/worktrees', repo.runs()[0] ?? ''), { recursive: true });
    repo.git('worktree', 'prune');
    repo.git('switch', '-q', 'ralph/shop');
    const refused = await repo.run();
    expect(refused.code).toBe(4);
    expect(refused.stderr).toContain(`ralph/shop is checked out at ${repo.root}, so the run cannot have it`);
    expect(refused.stderr).toContain(`git -C ${repo.root} switch --detach && ralph run`);
    expect(repo.git('status', '--porcelain')).toBe('');
    repo.git('switch', '-q', '--detach');
    expect((await repo.run()).code).toBe(0);
  });

  test("a worktree's folder: merged and discarded all the same, and git is told", async () => {
    const merged = await withoutFolder();
    expect((await merged.ralph(['merge'])).stdout).toContain('Merged ralph/shop into main');
    expect(merged.git('worktree', 'list').split('\n')).toHaveLength(1);
    const discarded = await withoutFolder();
    const [run = ''] = discarded.runs();
    expect((await discarded.ralph(['discard', run])).code).toBe(0);
    expect(discarded.git('worktree', 'list').split('\n')).toHaveLength(1);
    const refused = await discarded.ralph(['merge']);
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining(`ralph discard ${run} --undo`) });
  });

  test('the remote: nothing is pushed, and the words of the request can still be had', async () => {
    const repo = await finished();
    repo.git('remote', 'add', 'origin', join(repo.outside, 'nowhere.git'));
    repo.write('../outside/bin/gh', '#!/bin/sh\nexit 1\n');
    chmodSync(join(repo.outside, 'bin/gh'), 0o755);
    const env = { PATH: `${join(repo.outside, 'bin')}:${process.env.PATH}` };
    const { code, stderr } = await repo.ralph(['pr'], { env });
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(
        /^ralph: origin \(.*\) cannot be reached, so nothing was pushed\n {2}Try: git ls-remote origin\. /,
      ),
    ]);
    expect((await repo.ralph(['pr', '--print'])).stdout).toContain('Shop: 2 items');
  });

  test('the branch, checked out elsewhere: the run says where, and how to go on', async () => {
    const repo = makeRepo({
      plan: planOf('US-1', 'US-2'),
      config: { gates: ['true'] },
      scenario: play({ '*': works }),
    });
    expect((await repo.run(['--once'])).code).toBe(1);
    repo.git('switch', '-q', 'main');
    const elsewhere = join(repo.outside, 'elsewhere');
    repo.git('worktree', 'add', '-q', elsewhere, 'ralph/shop');
    const { code, stderr } = await repo.run();
    expect(code).toBe(4);
    expect(stderr).toContain(`ralph/shop is checked out at ${elsewhere}, so it cannot be checked out here`);
    repo.git('worktree', 'remove', elsewhere);
    expect((await repo.run()).code).toBe(0);
  });
});
