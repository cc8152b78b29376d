/** Every run of a repository at a glance. */
import { rmSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { runsText } from '../../src/morning/all-runs.ts';
import { planOf, play, works } from '../loop/scene.ts';
import { makeRepo } from '../support/repo.ts';

describe('ralph runs', () => {
  test('lists each with its state, the newest first, and the totals', async () => {
    const repo = makeRepo({
      plan: planOf('US-1', 'US-2'),
      config: { gates: ['true'] },
      scenario: play({ '*': works }),
    });
    expect((await repo.ralph(['runs'])).stdout).toContain('no run here yet');
    const listed = async () => {
      const { runs, totals } = JSON.parse((await repo.ralph(['runs', '--json'])).stdout) as {
        runs: { plan: string; state: string; done: number; total: number }[];
        totals: unknown;
      };
      return { rows: runs.map(({ plan, state, done, total }) => [plan, state, done, total]), totals };
    };
    await repo.run(['--once']);
    expect((await listed()).rows).toEqual([['prd.json', 'stopped', 1, 2]]);
    await repo.run();
    expect((await listed()).rows).toEqual([['prd.json', 'complete', 2, 2]]);
    const [first = ''] = repo.runs();
    await repo.ralph(['merge', first]);
    repo.git('switch', '-q', 'main');
    repo.write('other.json', `${JSON.stringify({ ...planOf('US-3'), project: 'Other' })}\n`);
    repo.git('add', 'other.json');
    repo.git('commit', '-qm', 'Another plan');
    await repo.run(['other.json']);
    const other = repo.runs().find(run => run !== first) ?? '';
    await repo.ralph(['discard', other]);
    const { rows, totals } = await listed();
    expect(rows.map(([plan, state]) => [plan, state])).toEqual([
      ['other.json', 'discarded'],
      ['prd.json', 'merged'],
    ]);
    expect(totals).toMatchObject({ runs: 2, live: 0, done: 3, total: 3 });
    const text = (await repo.ralph(['runs'])).stdout;
    expect(text).toContain(`2 of 2`);
    // The scripted agent reports no cost, which is not the same as none.
    expect(text).not.toContain('$');
    expect(text).toContain('2 runs, 3 of 3 items done');
    expect(text).toContain(first);
  });

  test('counts what is on one branch once, and asks about it once', async () => {
    const repo = makeRepo({
      plan: planOf('US-1', 'US-2'),
      config: { gates: ['true'] },
      scenario: play({ '*': { steps: [{ append: { path: '{{item}}.txt', text: 'more\n' } }] } }),
    });
    expect((await repo.run()).code).toBe(0);
    const [first = ''] = repo.runs();
    expect((await repo.ralph(['reset', 'US-2'])).code).toBe(0);
    expect((await repo.run()).code).toBe(0);
    const [second = ''] = repo.runs();
    expect(second).not.toBe(first);
    // Its plan is not that of the branch of the runs.
    repo.git('switch', '-q', 'main');
    const text = (await repo.ralph(['runs'])).stdout;
    expect(text).toMatch(/^complete +2 of 2/);
    expect(text).toMatch(/^continued +1 of 2/m);
    expect(text).toContain('2 runs, 2 of 2 items done');
    const review = (await repo.ralph(['review'])).stdout;
    expect(review).toContain('2 runs, 2 items done, 1 to merge or discard');
    expect(review).toContain(`${second} went on with its branch.`);
    expect(review.match(/ralph merge/g)).toHaveLength(1);
    for (const command of ['merge', 'discard']) {
      const refused = await repo.ralph([command, first]);
      expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining(`ralph ${command} ${second}`)]);
    }
    expect((await repo.ralph(['discard', second])).code).toBe(0);
    expect((await repo.run()).code).toBe(0);
    // The branch is there again, but not with the work of these.
    const after = (await repo.ralph(['review'])).stdout;
    expect(after).toContain('Discarded.');
    expect(after.match(/ralph merge/g)).toHaveLength(1);
  });

  test('a branch of which all was taken back is not merged', async () => {
    const repo = makeRepo({ plan: planOf('US-1'), config: { gates: ['true'] }, scenario: play({ '*': works }) });
    expect((await repo.run()).code).toBe(0);
    expect((await repo.ralph(['revert', 'US-1'])).code).toBe(0);
    expect((await repo.ralph(['runs'])).stdout).toMatch(/^stopped +0 of 1/);
    expect((await repo.ralph(['review'])).stdout).toContain('It was complete; 1 item is open now.');
  });

  test('a worktree that was deleted takes none of the items with it', async () => {
    const repo = makeRepo({
      plan: planOf('US-1', 'US-2'),
      config: { gates: ['true'] },
      scenario: play({ '*': works }),
    });
    expect((await repo.run(['--worktree', '--once'])).code).toBe(1);
    const [run = ''] = repo.runs();
    rmSync(`${repo.root}/.ralph/worktrees/${run}`, { recursive: true });
    expect((await repo.ralph(['runs'])).stdout).toMatch(/^stopped +1 of 2/);
    expect((await repo.ralph(['status', '--run', run])).stdout).toContain('1 of 2 done');
    expect((await repo.ralph(['review'])).stdout).toMatch(/1 of 2 done · 1 left[^]*next +ralph run prd\.json/);
  });

  test('fits eighty columns with long names', () => {
    const row = {
      run: '2026-01-08-a-plan-of-some-length',
      plan: `plans/${'long/'.repeat(20)}prd.json`,
      branch: `ralph/${'long-'.repeat(20)}`,
      state: 'discarded' as const,
      done: 100,
      total: 250,
      costUsd: 123.45,
      lastAt: 0,
    };
    const broken = { ...row, state: 'unreadable' as const, why: 'a reason '.repeat(20) };
    const lines = runsText([row, broken], Date.now()).split('\n');
    expect(lines.filter(line => line.length > 80)).toEqual([]);
  });
});
