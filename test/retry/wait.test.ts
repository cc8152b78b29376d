import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { FailureClass } from '../../src/protocol.ts';
import { backOffDelay, react } from '../../src/retry/wait.ts';

const RUNS = Number(process.env.RALPH_PROPERTY_RUNS ?? 500);
const now = 1_800_000_000_000;
const waitMs = 30_000;
const reactTo = (
  name: FailureClass,
  more: { retries?: number; resetAt?: number; random?: number; troubleMs?: number } = {},
) =>
  react({
    failure: { class: name, message: 'x', ...(more.resetAt === undefined ? {} : { resetAt: more.resetAt }) },
    retries: more.retries ?? 0,
    troubleMs: more.troubleMs ?? 0,
    now,
    random: more.random ?? 0.5,
    waitMs,
  });

describe('a reaction to trouble', () => {
  it('is by class', () => {
    expect(reactTo('logic').type).toBe('attempt');
    expect(reactTo('validation').type).toBe('refuse');
    expect(reactTo('setup').type).toBe('give-up');
    expect(reactTo('auth').type).toBe('give-up');
    for (const name of ['network', 'overload', 'timeout', 'rate-limit'] as const)
      expect(reactTo(name).type).toBe('wait');
  });

  it('never comes back before an announced reset, and soon after it', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 7 * 86_400_000 }),
        fc.double({ min: 0, max: 0.999, noNaN: true }),
        (away, random) => {
          const reaction = reactTo('rate-limit', { resetAt: now + away, random });
          if (reaction.type !== 'wait') throw new Error(reaction.type);
          expect(reaction.until).toBeGreaterThanOrEqual(now + away);
          expect(reaction.until).toBeLessThanOrEqual(now + away + 60_000);
          expect(reaction.announced).toBe(true);
        },
      ),
      { numRuns: RUNS },
    );
  });

  it('does not come back at once for a reset that is over, and later each time it is told of one', () => {
    const waits = [0, 1, 2, 3, 4, 5, 100].map(retries => {
      const reaction = reactTo('rate-limit', { resetAt: now - 1000, retries, random: 0 });
      return reaction.type === 'wait' && !reaction.announced && (reaction.until - now) / 60_000;
    });
    expect(waits).toEqual([0.5, 1, 2, 5, 10, 30, 30]);
  });

  it('does not come back at once for a limit that comes back, however soon it is to end', () => {
    const waits = [0, 1, 2].map(retries => {
      const reaction = reactTo('rate-limit', { resetAt: now + 10, retries, random: 0 });
      return reaction.type === 'wait' && reaction.until - now;
    });
    expect(waits).toEqual([10, 30_000, 60_000]);
  });

  it('does not believe a reset more than eight days away', () => {
    const reaction = reactTo('rate-limit', { resetAt: now + 30 * 86_400_000 });
    expect(reaction.type === 'wait' && reaction.until - now).toBeLessThan(11 * 60_000);
  });

  it('backs off exponentially, capped at ten minutes, with jitter', () => {
    const full = [0, 1, 2, 3, 10, 1000].map(retries => backOffDelay({ retries, random: 1, waitMs }));
    expect(full).toEqual([5_000, 10_000, 20_000, 40_000, 600_000, 600_000]);
    expect(backOffDelay({ retries: 3, random: 0, waitMs })).toBe(20_000);
  });

  it('gives up after a day of trouble without an announced end, or hundreds of tries', () => {
    let [retries, troubleMs] = [0, 0];
    for (;;) {
      const reaction = reactTo('overload', { retries, troubleMs });
      if (reaction.type === 'give-up') break;
      if (reaction.type === 'wait') troubleMs += reaction.until - now;
      retries += 1;
    }
    expect(troubleMs / 3_600_000).toBeCloseTo(24, 0);
    expect(retries).toBeLessThan(300);
    expect(reactTo('rate-limit', { retries: 400, resetAt: now + 3_600_000 }).type).toBe('give-up');
    expect(reactTo('rate-limit', { retries: 20, resetAt: now + 3_600_000, troubleMs }).type).toBe('give-up');
  });
});
