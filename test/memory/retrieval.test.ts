/** Recall on a labelled set: does an item get a lesson that helps it, and is what it gets worth reading? */
import { expect, it } from 'vitest';
import { lessonId } from '../../src/memory/lesson.ts';
import { Memory } from '../../src/memory/memory.ts';
import { judge, type Labelled, labelled } from './labelled/labelled.ts';
import { lesson, NOW, scene } from './scene.ts';

/** With the lessons of other sets in the same repository, as many as there are. */
function found(set: Labelled, others: readonly Labelled[] = []) {
  const { place, lessons } = scene();
  const topics = new Map<string, string>();
  for (const [n, { lessons: own }] of [set, ...others].entries())
    for (const { topic, text } of own) topics.set(lessonId(text), n === 0 ? topic : `${n} ${topic}`);
  lessons([set, ...others].flatMap(({ lessons: own }) => own.map(({ text }) => lesson(lessonId(text), text))));
  const memory = new Memory(place);
  return judge(set, query =>
    memory
      .recall({ item: query, plan: query.plan, budgetTokens: 400, now: NOW })
      .map(({ id }) => topics.get(id) ?? ''),
  );
}

it('is what it was tuned to on the set it was tuned on', () => {
  const { hit, precision } = found(labelled('tuning'));
  expect(hit).toBeGreaterThanOrEqual(0.85);
  expect(precision).toBeGreaterThanOrEqual(0.5);
});
