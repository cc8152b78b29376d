/** Ten thousand lessons and a thousand archived runs: the brief is no longer, and a start takes hardly longer. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { type Lesson, lessonId } from '../../src/memory/lesson.ts';
import { Memory } from '../../src/memory/memory.ts';
import { runRecord } from '../../src/memory/run-record.ts';
import { item, journalOf, lesson, NOW, type Scene, scene } from './scene.ts';

/** Small numbers from a seed, the same on every machine. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return below => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return Math.floor((state / 2 ** 31) * below);
  };
}

const pick = numbers(7);
const vocabulary = Array.from({ length: 4000 }, () =>
  Array.from({ length: 3 + pick(7) }, () => 'abdefgiklmnoprstuvz'[pick(19)]).join(''),
);
const words = (count: number) =>
  Array.from({ length: count }, () => vocabulary[Math.floor(pick(4000) * (pick(100) / 100))]).join(' ');

function filled({
  lessons,
  runs,
}: {
  readonly lessons: number;
  readonly runs: number;
}): Scene & { readonly known: readonly Lesson[] } {
  const made = scene();
  const known = Array.from({ length: lessons }, (_, n) => {
    const text = `${words(18)} number ${n}.`;
    return lesson(lessonId(text, 8), text);
  });
  made.lessons(known);
  for (let n = 0; n < runs; n++) {
    const run = `2025-01-01-run-${n}`;
    const ids = () => Array.from({ length: Math.min(6, lessons) }, () => known[pick(lessons)]?.id ?? '');
    const iterations = Array.from({ length: 10 }, (_, nth) => ({
      item: `US-${nth}`,
      title: words(6),
      verdict: pick(5) === 0 ? ('rejected' as const) : ('accepted' as const),
      tail: 'Error: x',
      shown: ids(),
    }));
    const record = runRecord({
      records: journalOf({ run, iterations, startedAt: NOW - n }),
      footprint: () => [`src/${vocabulary[pick(4000)]}.ts`],
    });
    const folder = join(made.place.archives, `run-${run}`);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'run.json'), JSON.stringify(record));
  }
  return { ...made, known };
}

/** The least of several: whatever else the machine did, this much it needed. */
const least = (times: readonly number[]): number => Math.min(...times);

function timed(act: () => void): number {
  const start = performance.now();
  act();
  return performance.now() - start;
}

it('recall is as small and nearly as fast among 10,000 lessons and 1,000 runs as among a few', {
  timeout: 300_000,
}, () => {
  const few = filled({ lessons: 40, runs: 1 });
  const many = filled({ lessons: 10_000, runs: 1000 });
  for (const { place } of [few, many]) new Memory(place).close();
  const request = {
    item: item(words(8), { criteria: [words(12), words(12)], body: words(60) }),
    budgetTokens: 400,
    now: NOW,
  };
  const size = ({ place }: Scene) =>
    new Memory(place).recall(request).reduce((sum, { text }) => sum + text.length + 26, 0);
  expect(size(many)).toBeLessThanOrEqual(1600);
  expect(size(few)).toBeGreaterThan(0);

  const start = ({ place }: Scene) =>
    least(Array.from({ length: 9 }, () => timed(() => new Memory(place).recall(request))));
  const memory = new Memory(many.place);
  const again = least(Array.from({ length: 21 }, () => timed(() => memory.recall(request))));
  const [fewMs, manyMs] = [start(few), start(many)];
  const scratch = timed(() => {
    const { place } = many;
    writeFileSync(join(place.folder, 'lessons.index'), '');
    writeFileSync(join(place.folder, 'archives.index'), '');
    new Memory(place).recall(request);
  });
  console.log(
    `recall at a start: ${fewMs.toFixed(1)} ms among few, ${manyMs.toFixed(1)} ms among many, ${again.toFixed(1)} ms later on, ${scratch.toFixed(0)} ms without the indexes`,
  );
  // What the indexes are for; the figures themselves depend on the machine.
  expect(manyMs).toBeLessThan(scratch / 3);
});

it('every one of many lessons is found by its own words', () => {
  const { place, known } = filled({ lessons: 400, runs: 0 });
  const memory = new Memory(place);
  for (const one of known.filter((_, n) => n % 7 === 0)) {
    const found = memory.recall({ item: item(one.text), budgetTokens: 400, now: NOW });
    expect(found[0]?.id).toBe(one.id);
  }
});
