/** Figures that people compare: each is right, and comes from one place. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { efficiency, figuresOf, showEfficiency } from '../../src/memory/figures.ts';
import { runRecord } from '../../src/memory/run-record.ts';
import { planOf, play, runs, works, writes } from '../loop/scene.ts';
import { makeRepo } from '../support/repo.ts';

const figures = (run: string, startedAt: number, iterations: number) => ({
  run,
  startedAt,
  accepted: 2,
  first: 1,
  items: 2,
  attempted: 2,
  iterations,
  rejected: 0,
  costUsd: 0,
  tokens: 0,
});

describe.concurrent('figures', () => {
  test('a run is compared with earlier ones only', () => {
    const { before, course } = efficiency(figures('first', 1, 4), [figures('second', 2, 2)]);
    expect(before).toBeUndefined();
    expect(course.map(({ run }) => run)).toEqual(['first']);
  });

  test('a blocked item counts as one whose first attempt was not accepted; commits and time are right to the end', async () => {
    const repo = makeRepo({
      plan: planOf('US-1', 'US-2'),
      config: { gates: ['! test -f bad'], limits: { attempts: 1 } },
      scenario: play({ 'US-1': works, 'US-2': writes('bad', 'x\n') }),
    });
    const { code, stdout } = await repo.run();
    expect(code, stdout).toBe(3);
    expect(stdout).toContain('commits   1 (');
    const shown = showEfficiency(efficiency(figuresOf(runRecord({ records: repo.journal() })), []));
    expect(shown.join('\n')).toMatch(/first attempt accepted\s+50 %/);
    const time = async () => /\| Time \| (.*?) \|/.exec((await repo.ralph(['report'])).stdout)?.[1];
    const before = await time();
    expect((await repo.ralph(['done', 'US-2'])).code).toBe(0);
    expect(await time()).toBe(before);
  });

  test('attempts of an item are the same number wherever they are shown', async () => {
    const repo = makeRepo({
      plan: planOf('US-1', 'US-2', 'US-3'),
      config: { gates: ['! test -f bad'] },
      scenario: play({
        'US-1': works,
        'US-2': [writes('bad', 'x\n'), { steps: [], claim: { blocked: 'no key' } }],
        'US-3': { steps: [], claim: { question: 'EUR or CHF?' } },
      }),
    });
    expect((await repo.run()).code).toBe(3);
    const { items } = JSON.parse((await repo.ralph(['items', '--json'])).stdout);
    expect(items.map(({ attempts }: { attempts: number }) => attempts)).toEqual([1, 2, 0]);
    const report = (await repo.ralph(['report'])).stdout;
    expect(report).toContain('asked: EUR or CHF?');
    expect(
      [...report.matchAll(/^\| US-\d .*?\| (?:done|blocked) \| (\d) \| (\d) /gm)].map(([, ...row]) => row),
    ).toEqual([
      ['1', '1'],
      ['2', '2'],
      ['0', '1'],
    ]);
  });

  test('an item that is made open again does not archive the finished run once more', async () => {
    const repo = makeRepo({
      plan: planOf('US-1'),
      config: { gates: ['true'] },
      scenario: play({ 'US-1': runs('echo x >> f.txt') }),
    });
    expect((await repo.run()).code).toBe(0);
    expect((await repo.ralph(['run', '--reset', 'US-1'])).code).toBe(0);
    const archives = readdirSync(join(repo.root, 'archives')).filter(name => name.startsWith('run-'));
    expect(archives).toHaveLength(2);
  });
});
