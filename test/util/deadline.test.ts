import { describe, expect, it } from 'vitest';
import { usageLimitMeans } from '../../src/start/usage-limit.ts';
import { deadlineAt } from '../../src/util/deadline.ts';

const at = (text: string) => new Date(text).getTime();

describe('a deadline', () => {
  it.each([
    ['07:00', '2026-01-08T22:15', '2026-01-09T07:00'],
    ['07:00', '2026-01-08T03:00', '2026-01-08T07:00'],
    ['7:00', '2026-01-08T07:00', '2026-01-09T07:00'],
    ['00:00', '2026-12-31T23:59', '2027-01-01T00:00'],
    ['2026-01-08T07:30', '2026-01-08T22:15', '2026-01-08T07:30'],
    ['2026-01-08 07:30:15', '2026-01-01T00:00', '2026-01-08T07:30:15'],
    ['2026-01-08T07:30Z', '2026-01-01T00:00', '2026-01-08T07:30Z'],
  ])('%s seen at %s is %s', (text, now, moment) => {
    expect(deadlineAt(text, at(now))).toBe(at(moment));
  });

  it.each(['', 'soon', '24:00', '7', '07:60', '7h', '2026-13-40T07:00', '2026-01-08', '__proto__'])(
    'is not "%s"',
    text => {
      expect(deadlineAt(text, 0)).toBeUndefined();
    },
  );

  it('decides what a usage limit of five hours means', () => {
    const now = at('2026-01-08T22:00');
    expect(usageLimitMeans(undefined, now)).toContain('would wait until 03:00 and continue; with --deadline 07:00');
    expect(usageLimitMeans('02:00', now)).toContain('would stop immediately, because 03:00 is past the deadline 02:00');
    expect(usageLimitMeans('07:00', now)).toContain('would wait until 03:00 and continue until the deadline 07:00');
  });
});
