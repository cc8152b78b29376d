import { expect, it } from 'vitest';
import { type Lesson, lessonId } from '../../src/memory/lesson.ts';
import { lesson } from '../memory/scene.ts';
import { learn } from './learner.ts';
import { PLANS, traps } from './traps.ts';

const falls = (course: readonly number[]) => course.every((value, n) => n === 0 || value <= (course[n - 1] ?? value));

it('takes fewer iterations per item from plan to plan, in spite of what every story says', () => {
  const { course, blocked } = learn({ plans: PLANS });
  console.log('boilerplate', course.join(', '));
  expect(blocked).toEqual([]);
  expect(falls(course), course.join(', ')).toBe(true);
  expect(course.at(-1)).toBeLessThanOrEqual(1.1);
});

it('finds lessons that have other words for the same thing', () => {
  const { course } = learn({ plans: PLANS, words: 'synonyms' });
  console.log('synonyms', course.join(', '));
  expect(course.at(-1)).toBeLessThanOrEqual(1.5);
});

const NOUNS =
  'parser kernel shader packet router ledger sensor canvas widget socket buffer tensor mesh codec vault'.split(' ');
const VERBS = 'compile flush rotate align decode sample clamp merge split trace retry batch'.split(' ');
const AREAS = 'invoices orders refunds customers coupons subscriptions payments users tests pages'.split(' ');

/** What nobody needs here, with words in it that are in every story. */
const noise = (count: number): readonly Lesson[] =>
  Array.from({ length: count }, (_, n) => {
    const [a, b] = [NOUNS[n % NOUNS.length], NOUNS[(n * 7 + 3) % NOUNS.length]];
    const text = `The ${a} of ${AREAS[n % AREAS.length]} has to ${VERBS[n % VERBS.length]} its ${b} in step ${n} before the tests pass.`;
    return lesson(lessonId(text, 8), text);
  });

it('is not led astray by 5,000 unrelated lessons', () => {
  const { course } = learn({ plans: 3, planted: noise(5000) });
  console.log('noise', course.join(', '));
  expect(course[2]).toBeLessThanOrEqual(1.2);
});

it('retires what does harm and what says the opposite of what helps, and no item is blocked by it', () => {
  const [migration, webhook, email] = traps as [(typeof traps)[0], (typeof traps)[0], (typeof traps)[0]];
  const newer = { from: ['run 2026-01-07-later, US-001'] };
  const opposite = 'A webhook handler does not need the raw body: parsing it first is fine with the signature.';
  const harmful = new Map([
    [opposite, 'signature does not match the raw body'],
    ['Email templates for a webhook, a migration or a cache: delete the lockfile.', 'lockfile is missing'],
  ]);
  const planted = [
    ...[migration, webhook, email].map(trap => lesson(lessonId(trap.lesson), trap.lesson)),
    ...[...harmful.keys()].map(text => lesson(lessonId(text), text, newer)),
  ];
  const { course, blocked, memory } = learn({ plans: 3, planted, harmful });
  console.log('harm', course.join(', '));
  expect(blocked).toEqual([]);
  for (const text of harmful.keys()) expect(memory.lessons.get(lessonId(text))?.retired, text).toBeDefined();
  for (const { lesson: text } of [migration, webhook, email])
    expect(memory.lessons.get(lessonId(text))?.retired, text).toBeUndefined();
  expect(course[2]).toBeLessThanOrEqual(1.2);
});
