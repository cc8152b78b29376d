/** Work that is green and that no agent claims: kept, asked about once, and then accepted as settled. */
import { describe, expect, test } from 'vitest';
import { makeRepo } from '../support/repo.ts';
import { agentsIn, briefOf, doneIn, planOf, play, recordsOf, verdictsIn, works, writes } from './scene.ts';

const silent = (more: object = {}) => ({ ...works, claim: 'none', message: 'Added what was asked for.', ...more });

describe.concurrent('green work that nobody claims', () => {
  test('settles when a second session leaves it as it is, and is named so everywhere', async () => {
    const repo = makeRepo({
      plan: planOf('US-1', 'US-2', 'US-3'),
      config: { gates: ['true'], limits: { attempts: 1 } },
      scenario: play({ '*': silent() }),
    });
    const { code, stdout } = await repo.run();
    expect(code, stdout).toBe(0);
    expect(doneIn(repo)).toEqual(['US-1', 'US-2', 'US-3']);
    expect(agentsIn(repo)).toBe(6);
    expect(verdictsIn(repo).slice(0, 2)).toEqual(['US-1 rejected', 'US-1 accepted']);
    expect(briefOf(repo, 2)).toContain('The work may be finished already');
    expect(recordsOf(repo, 'verdict')[1]?.verdict).toMatchObject({ type: 'accepted', settled: true });
    expect(stdout).toContain('accepted without a claim (settled)');
    expect(stdout).toContain('3 settled');
    expect(repo.git('log', '-1', '--format=%(trailers:key=Ralph-Claim)')).toBe('Ralph-Claim: none (settled)');
    const report = (await repo.ralph(['report'])).stdout;
    expect(report).toContain('**Accepted without a claim (settled)**: US-2');
    expect(report).toMatch(/\| US-3 Story US-3 \| done \(settled\) \|/);
    const status = JSON.parse((await repo.ralph(['status', '--json'])).stdout) as {
      items: readonly { readonly settled: boolean }[];
    };
    expect(status.items.map(({ settled }) => settled)).toEqual([true, true, true]);
    expect((await repo.ralph(['status'])).stdout).toContain('3 settled');
  });

  test('is not taken for finished where the session asks, changes more, or changed nothing at all', async () => {
    const repo = makeRepo({
      plan: planOf('asks', 'goes-on', 'idle'),
      config: { gates: ['true'], limits: { attempts: 2 } },
      scenario: play({
        asks: [silent(), { steps: [], claim: 'none', message: 'It is there.\n\nShall I remove the old one as well?' }],
        'goes-on': [silent(), writes('more.txt', 'more\n', { claim: 'none' })],
        idle: { steps: [], claim: 'none', message: 'All is well.' },
      }),
    });
    const { code, stdout } = await repo.run();
    expect(code, stdout).toBe(3);
    expect(doneIn(repo)).toEqual([]);
    expect(recordsOf(repo, 'item.marked').map(({ item }) => item)).toEqual(['asks', 'goes-on', 'idle']);
  });

  test.each([
    [['run', '--claims', 'required'], {}],
    [['run'], { claims: 'required' }],
  ])('is never accepted with claims: required (%j)', async (args, config) => {
    const repo = makeRepo({
      plan: planOf('US-1'),
      config: { gates: ['true'], limits: { attempts: 2 }, ...config },
      scenario: play({ '*': silent() }),
    });
    expect((await repo.ralph(args)).code).toBe(3);
    expect(verdictsIn(repo)).toEqual(['US-1 rejected', 'US-1 rejected']);
  });

  test('says which words --claims takes', async () => {
    const repo = makeRepo({ plan: planOf('US-1'), scenario: play({ '*': works }) });
    const { code, stderr } = await repo.run(['--claims', 'never']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('settle')]);
  });
});
