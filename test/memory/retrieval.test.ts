/** Recall on a labelled set: does an item get a lesson that helps it, and is what it gets worth reading? */
import { expect, it } from 'vitest';
import { lessonId } from '../../src/memory/lesson.ts';
import { Memory } from '../../src/memory/memory.ts';
import { judge, type Labelled, labelled } from './labelled/labelled.ts';
import { lesson, NOW, scene } from './scene.ts';

/** With the lessons of other sets in the same repository; a topic is the same in all of them. */
function found(set: Labelled, others: readonly Labelled[] = []) {
  const { place, lessons } = scene();
  const topics = new Map<string, string>();
  const all = [set, ...others].flatMap(each => each.lessons);
  for (const { topic, text } of all) topics.set(lessonId(text), topic);
  lessons(all.map(({ text }) => lesson(lessonId(text), text)));
  const memory = new Memory(place);
  return judge(set, query =>
    memory.recall({ item: query, plan: query.plan, budgetTokens: 400, now: NOW }).map(({ id }) => topics.get(id) ?? ''),
  );
}

it.each(['tuning', 'held-out'] as const)('is right often enough on the %s set', name => {
  const set = labelled(name);
  const { hit, precision } = found(set);
  console.log(
    name,
    `${set.lessons.length} lessons, ${set.queries.length} queries, hit ${hit.toFixed(3)}, precision ${precision.toFixed(3)}`,
  );
  expect(hit).toBeGreaterThanOrEqual(0.85);
  expect(precision).toBeGreaterThanOrEqual(0.5);
});

it('is right often enough with the lessons of both sets in one repository', () => {
  const [tuning, heldOut] = [labelled('tuning'), labelled('held-out')];
  const both = [found(tuning, [heldOut]), found(heldOut, [tuning])];
  const mean = (of: (each: (typeof both)[number]) => number) =>
    both.reduce((sum, each) => sum + of(each), 0) / both.length;
  for (const [n, { hit, precision }] of both.entries())
    console.log(['tuning', 'held-out'][n], 'among both', `hit ${hit.toFixed(3)}, precision ${precision.toFixed(3)}`);
  const hit = mean(each => each.hit);
  const precision =
    both.reduce((sum, each) => sum + each.precision * each.shown, 0) / both.reduce((sum, { shown }) => sum + shown, 0);
  console.log('all 60 queries, 300 lessons', `hit ${hit.toFixed(3)}, precision ${precision.toFixed(3)}`);
  expect(hit).toBeGreaterThanOrEqual(0.85);
  expect(precision).toBeGreaterThanOrEqual(0.5);
});
