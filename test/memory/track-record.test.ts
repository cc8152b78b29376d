import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { noCounts, standing, whyRetired, wilson } from '../../src/memory/track-record.ts';

const runs = Number(process.env.RALPH_PROPERTY_RUNS ?? 500);
const counts = (won: number, lost: number) => ({ ...noCounts, shown: won + lost, won, lost });
const cited = (used: number, lost: number) => ({ ...counts(used, lost), used: used + lost, failed: lost });

describe('a track record', () => {
  it('is a lower bound of cited use: more of the same is worth more', () => {
    expect(standing(cited(14, 0))).toBeGreaterThan(standing(cited(2, 0)));
    expect(standing(cited(20, 2))).toBeGreaterThan(standing(cited(2, 0)));
    expect(standing(cited(1, 0))).toBeGreaterThan(standing(noCounts));
    expect(standing(noCounts)).toBeGreaterThan(standing(cited(0, 1)));
  });

  it('does not grow by being shown', () => {
    expect(standing(counts(50, 0))).toBeLessThan(standing(noCounts));
  });

  it('has bounds around the share, whatever the counts', () => {
    fc.assert(
      fc.property(fc.nat(1000), fc.nat(1000), (won, lost) => {
        const { lower, upper } = wilson({ won, lost });
        const share = won + lost === 0 ? 0.5 : won / (won + lost);
        expect(lower).toBeLessThanOrEqual(share + 1e-9);
        expect(upper).toBeGreaterThanOrEqual(share - 1e-9);
      }),
      { numRuns: runs },
    );
  });
});

describe('a loser', () => {
  it('retires once it lost often enough, and says how often', () => {
    const all = { won: 40, lost: 10 };
    expect(whyRetired(counts(0, 3), all)).toBeUndefined();
    expect(whyRetired(counts(0, 5), all)).toBe('5 of the 5 iterations it was shown to failed in what it is about');
    expect(whyRetired(counts(3, 4), all)).toBeUndefined();
  });

  it('is not blamed where everything fails', () => {
    expect(whyRetired(counts(0, 5), { won: 2, lost: 60 })).toBeUndefined();
  });

  it('is found out although it was shown to every iteration', () => {
    expect(whyRetired(counts(0, 6), { won: 0, lost: 6 })).toBeDefined();
  });
});
