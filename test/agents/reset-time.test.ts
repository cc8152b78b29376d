import { expect, it } from 'vitest';
import { resetAfterIn, resetTimeIn } from '../../src/agents/reset-time.ts';

const now = Date.UTC(2026, 10, 15, 19, 30);
const utc = (day: number, hour: number, minute: number) => Date.UTC(2026, 10, day, hour, minute);

it.each([
  ['resets 9:06pm (UTC)', utc(15, 21, 7)],
  ['resets 9pm (UTC)', utc(15, 21, 1)],
  ['resets 12:10am (UTC)', utc(16, 0, 11)],
  ['resets 7:29pm (UTC)', utc(15, 19, 30)],
  ['resets Nov 18, 9:06pm (UTC)', utc(18, 21, 7)],
  ['resets November 18th at 9pm (UTC)', utc(18, 21, 1)],
  ['resets 7:20pm (UTC)', undefined],
  ['resets Dec 24, 9pm (UTC)', undefined],
  ['resets Nov 18, 2031, 9pm (UTC)', undefined],
  ['resets 9:06pm (Mars/Olympus)', undefined],
  ['resets 19:99pm (UTC)', undefined],
  ['resets soon', undefined],
  ['', undefined],
])('%s', (text, expected) => {
  expect(resetTimeIn(text, now)).toBe(expected);
});

it.each([
  ['Try again in ~60 min.', 3_600_000],
  ['try again in 2 hours', 7_200_000],
  ['Try again in 9 days.', undefined],
  ['Try again.', undefined],
])('%s', (text, after) => {
  expect(resetAfterIn(text, now)).toBe(after === undefined ? undefined : now + after);
});

it('a date in January is next year when it is December', () => {
  expect(resetTimeIn('resets Jan 2, 9am (UTC)', Date.UTC(2026, 11, 30))).toBe(Date.UTC(2027, 0, 2, 9, 1));
});
