/** Every run of a repository at a glance. */
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
