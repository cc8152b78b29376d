import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { FailureClass } from '../../src/protocol.ts';
import { backOffDelay, react } from '../../src/retry/wait.ts';

const RUNS = Number(process.env.RALPH_PROPERTY_RUNS ?? 500);
const now = 1_800_000_000_000;
const reactTo = (name: FailureClass, more: { retries?: number; resetAt?: number; random?: number } = {}) =>
  react({
    failure: { class: name, message: 'x', ...(more.resetAt === undefined ? {} : { resetAt: more.resetAt }) },
    retries: more.retries ?? 0,
    now,
    random: more.random ?? 0.5,
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
        fc.integer({ min: -3600_000, max: 7 * 86_400_000 }),
        fc.double({ min: 0, max: 0.999, noNaN: true }),
        (away, random) => {
          const reaction = reactTo('rate-limit', { resetAt: now + away, random });
          if (reaction.type !== 'wait') throw new Error(reaction.type);
          expect(reaction.until).toBeGreaterThanOrEqual(Math.max(now, now + away));
          expect(reaction.until).toBeLessThanOrEqual(Math.max(now, now + away) + 60_000);
        },
      ),
      { numRuns: RUNS },
    );
  });

  it('does not believe a reset more than eight days away', () => {
    const reaction = reactTo('rate-limit', { resetAt: now + 30 * 86_400_000 });
    expect(reaction.type === 'wait' && reaction.until - now).toBeLessThan(11 * 60_000);
  });

  it('backs off exponentially, capped at ten minutes, with jitter', () => {
    const full = [0, 1, 2, 3, 10, 1000].map(retries => backOffDelay(retries, 1));
    expect(full).toEqual([5_000, 10_000, 20_000, 40_000, 600_000, 600_000]);
    expect(backOffDelay(3, 0)).toBe(20_000);
  });

  it('gives up after a bounded number of tries', () => {
    const tries = Array.from({ length: 100 }, (_, retries) => reactTo('overload', { retries }).type);
    expect(tries.indexOf('give-up')).toBeGreaterThan(5);
    expect(tries.slice(tries.indexOf('give-up')).every(type => type === 'give-up')).toBe(true);
  });
});
