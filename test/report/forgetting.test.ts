import { describe, expect, it } from 'vitest';
import { forgetting, showForgetting } from '../../src/report/forgetting.ts';

const attempt = (
  iteration: number,
  over: { readonly input?: number; readonly cached?: number; readonly costUsd?: number } = {},
) => ({
  iteration,
  usage: { inputTokens: over.input ?? 1000, cachedTokens: over.cached ?? 0, outputTokens: 100 },
  costUsd: over.costUsd ?? 0,
});

describe('the cost of forgetting', () => {
  it('is every brief and output before, carried along once per iteration', () => {
    const attempts = [attempt(1), attempt(2, { cached: 500 }), attempt(3)];
    expect(forgetting({ attempts, briefTokens: () => 40 })).toEqual({
      iterations: [
        { iteration: 1, fresh: 1000, carried: 0 },
        { iteration: 2, fresh: 1500, carried: 140 },
        { iteration: 3, fresh: 1000, carried: 280 },
      ],
      fresh: 3500,
      growing: 3920,
    });
  });

  it("is told in money at the run's own price of a token, where there is one", () => {
    const priced = forgetting({ attempts: [attempt(1, { costUsd: 0.11 }), attempt(2, { costUsd: 0.11 })] });
    expect(priced?.freshUsd).toBeCloseTo(0.22);
    expect(priced?.growingUsd).toBeCloseTo(0.23);
    expect(showForgetting(priced ?? { iterations: [], fresh: 0, growing: 0 }).at(-1)).toBe(
      'In all 2.0k against at least 2.1k, $0.22 against about $0.23.',
    );
  });

  it('is not told of one iteration, or of agents that report no tokens', () => {
    expect(forgetting({ attempts: [attempt(1)] })).toBeUndefined();
    expect(forgetting({ attempts: [attempt(1, { input: 0 }), attempt(2, { input: 0 })] })).toBeUndefined();
  });

  it('grows with the square of a long run, and its plot does not grow with it', () => {
    const long = forgetting({ attempts: Array.from({ length: 500 }, (_, n) => attempt(n + 1)) });
    const longer = forgetting({ attempts: Array.from({ length: 1000 }, (_, n) => attempt(n + 1)) });
    const extra = (told: typeof long) => (told?.growing ?? 0) - (told?.fresh ?? 0);
    expect(extra(longer) / extra(long)).toBeCloseTo(4, 1);
    const lines = showForgetting(longer ?? { iterations: [], fresh: 0, growing: 0 });
    expect(lines.length).toBeLessThan(24);
    expect(lines.find(line => line.trim().startsWith('1-'))).toContain('1-63');
    expect(Math.max(...lines.slice(3, -3).map(line => line.length))).toBeLessThan(80);
  });
});
