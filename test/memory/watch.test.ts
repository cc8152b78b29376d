import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { watchRun } from '../../src/memory/learn-from-run.ts';
import { describeNews, Memory, type MemoryNews, type Memory as MemoryType } from '../../src/memory/memory.ts';
import { memorySummary, showMemorySummary } from '../../src/memory/memory-summary.ts';
import { readText } from '../../src/util/files.ts';
import { journalOf, lesson, type RunTold, scene } from './scene.ts';

function follow(
  memory: MemoryType,
  told: RunTold,
  footprint?: (iteration: number) => readonly string[],
): readonly MemoryNews[] {
  const watch = watchRun({ memory, ...(footprint ? { footprint } : {}) });
  return journalOf(told).flatMap(record => watch(record, record.at));
}

const line = "Error: Cannot find module './pay'";
const tail = `> vitest\n\n${line}\n\nTests 3 failed | 12 passed`;

describe('a run that is watched', () => {
  it('keeps what an agent said once its item is accepted, and what it said before that', () => {
    const memory = new Memory(scene().place);
    const news = follow(memory, {
      run: '2026-01-08-a',
      iterations: [
        {
          item: 'US-1',
          title: 'Pay by card',
          verdict: 'rejected',
          tail,
          said: ['The card form needs a nonce -> pass it down.'],
        },
        { item: 'US-1', title: 'Pay by card', verdict: 'accepted', said: ['Amounts are kept in cents everywhere.'] },
        { item: 'US-2', verdict: 'rejected', tail: 'expected 1, got 2', said: ['Never proven by anything at all.'] },
      ],
    });
    expect(news.map(({ type, lesson: { text, from } }) => [type, text, from[0]])).toEqual([
      ['born', 'The card form needs a nonce -> pass it down.', 'run 2026-01-08-a, US-1 Pay by card'],
      ['born', 'Amounts are kept in cents everywhere.', 'run 2026-01-08-a, US-1 Pay by card'],
    ]);
  });

  describe('a failure that came again', () => {
    const mended = (item: string) =>
      [
        { item, verdict: 'rejected', tail },
        { item, verdict: 'accepted' },
      ] as const;
    const told = { run: '2026-01-08-a', iterations: [...mended('US-1'), ...mended('US-2'), ...mended('US-3')] };

    it('is a lesson once two items got past it by the same one file', () => {
      const memory = new Memory(scene().place);
      const news = follow(memory, told, n => (n % 2 === 0 ? ['src/a.ts', 'src/index.ts'] : ['src/a.ts']));
      expect(news.map(({ lesson: { kind, text } }) => `${kind}: ${text}`)).toEqual([
        `gotcha: \`npm test\` fails with "${line}" -> change \`src/index.ts\`; that got US-1 and US-2 past it.`,
      ]);
      expect(showMemorySummary(memorySummary(memory)).join('\n')).toContain('(3 failures) -> change `src/index.ts`');
    });

    it.each([
      ['another file each time', (n: number) => (n % 2 === 0 ? ['src/a.ts', `out/${n}.txt`] : ['src/a.ts'])],
      ['several files', (n: number) => (n % 2 === 0 ? ['src/b.ts', 'src/index.ts'] : ['src/a.ts'])],
      ['nobody knows what', () => []],
    ])('is none where it was mended by %s', (_, footprint) => {
      expect(follow(new Memory(scene().place), told, footprint)).toEqual([]);
    });
  });

  it('takes no report, placeholder, comment or heading for a lesson', () => {
    const said = [
      'Pay by card was done in two steps.',
      '[what went wrong and what to do instead]',
      '<!-- the lesson goes here, in one sentence -->',
      '## What I learned in this one',
      'Patterns that I found in the code:',
      'how it goes wrong -> what to do',
    ];
    const iterations = [{ item: 'US-1', title: 'Pay by card', verdict: 'accepted', said }] as const;
    expect(follow(new Memory(scene().place), { run: '2026-01-08-a', iterations })).toEqual([]);
  });

  it('learns nothing twice when its journal is read again after a crash', () => {
    const { place } = scene();
    const told: RunTold = {
      run: '2026-01-08-a',
      iterations: [{ item: 'US-1', verdict: 'accepted', said: ['Amounts are kept in cents.'] }],
    };
    expect(follow(new Memory(place), told)).toHaveLength(1);
    const before = readText(`${place.folder}/lessons.md`);
    expect(follow(new Memory(place), told)).toEqual([]);
    expect(readText(`${place.folder}/lessons.md`)).toBe(before);
  });

  it('retires a harmful lesson by itself and says so, but never the word of a person', () => {
    const { place, lessons } = scene();
    lessons([
      lesson('L-bad000', 'Delete the lockfile first.'),
      lesson('L-0be000', 'Use tabs.', { from: ['person, 2026-01-05'] }),
    ]);
    const memory = new Memory(place);
    const lost = Array.from(
      { length: 6 },
      (_, n) =>
        ({
          item: `US-${n}`,
          verdict: 'rejected',
          tail: 'Error: no lockfile, no tabs',
          shown: ['L-bad000', 'L-0be000'],
        }) as const,
    );
    const won = Array.from({ length: 6 }, (_, n) => ({ item: `US-${n}`, verdict: 'accepted', shown: [] }) as const);
    const news = follow(memory, { run: '2026-01-08-a', iterations: [...won, ...lost] });
    expect(news.map(({ type, lesson: { id, retired } }) => `${type} ${id}: ${retired}`)).toEqual([
      'retired L-bad000: 2026-01-08, 4 of the 4 iterations it was shown to failed in what it is about',
    ]);
    expect(news.map(describeNews)).toEqual([
      'lesson L-bad000 is retired, 4 of the 4 iterations it was shown to failed in what it is about: Delete the lockfile first.',
    ]);
    const again = new Memory(place);
    expect(again.lessons.get('L-bad000')?.retired).toContain('4 of the 4');
    const recalled = again.recall({
      item: { title: 'Delete the lockfile', body: '', criteria: [] },
      budgetTokens: 400,
      now: 0,
    });
    expect(recalled.map(({ id }) => id)).toEqual(['L-0be000']);
  });

  it('charges nobody with a failure of another kind', () => {
    const { place, lessons } = scene();
    lessons([lesson('L-000001', 'Delete the lockfile first.')]);
    const memory = new Memory(place);
    const lost = Array.from(
      { length: 6 },
      (_, n) => ({ item: `US-${n}`, verdict: 'rejected', tail: 'Error: no such table', shown: ['L-000001'] }) as const,
    );
    expect(follow(memory, { run: '2026-01-08-a', iterations: lost })).toEqual([]);
    expect(memory.countsOf('L-000001')).toMatchObject({ shown: 6, lost: 0 });
  });

  it('retires what failed once something that says the opposite helped', () => {
    const { place, lessons } = scene();
    lessons([
      lesson('L-000001', 'Always delete the lockfile before an install.', { from: ['run 2026-01-07-b, US-001'] }),
      lesson('L-000002', 'Never delete the lockfile before an install.'),
    ]);
    const memory = new Memory(place);
    const news = follow(memory, {
      run: '2026-01-08-a',
      iterations: [
        { item: 'US-1', verdict: 'rejected', tail: 'Error: lockfile is gone', shown: ['L-000001'], used: ['L-000001'] },
        { item: 'US-1', verdict: 'accepted', shown: ['L-000002'], used: ['L-000002'] },
      ],
    });
    expect(news.map(({ type, lesson: { id } }) => `${type} ${id}`)).toEqual(['retired L-000001']);
  });

  it('does not count a retry against anybody', () => {
    const { place, lessons } = scene();
    lessons([lesson('L-000001', 'Use tabs.')]);
    const memory = new Memory(place);
    const retries = Array.from({ length: 9 }, () => ({ item: 'US-1', verdict: 'retry', shown: ['L-000001'] }) as const);
    expect(follow(memory, { run: '2026-01-08-a', iterations: retries })).toEqual([]);
    expect(memory.countsOf('L-000001')).toMatchObject({ shown: 9, won: 0, lost: 0 });
  });
});

describe('a broken lessons file', () => {
  it.each([
    ['conflict markers', '# Lessons\n\n<<<<<<< ours\n## L-000001 fact\n=======\n>>>>>>> theirs\n', 'merge-conflict'],
    ['bytes that are no text', Buffer.from([0x23, 0xff, 0xfe, 0x00, 0x80, 0x0a]).toString('latin1'), 'not valid'],
  ])('with %s is named and left alone', (_, text, message) => {
    const { place } = scene();
    const file = `${place.folder}/lessons.md`;
    const bytes = Buffer.from(text, 'latin1');
    writeFileSync(file, bytes);
    const memory = new Memory(place);
    expect(memory.problems[0]).toMatchObject({ file });
    expect(memory.problems[0]?.message).toContain(message);
    follow(memory, {
      run: '2026-01-08-a',
      iterations: [{ item: 'US-1', verdict: 'accepted', said: ['Amounts are kept in cents.'] }],
    });
    memory.close();
    expect(readFileSync(file)).toEqual(bytes);
  });
});

it('a lessons file that cannot be written is a problem that is told, and the run goes on', () => {
  const { place, write } = scene();
  write('.ralph/lessons.md/in-the-way', '');
  const memory = new Memory(place);
  const told = [{ item: 'US-1', verdict: 'accepted', said: ['Amounts are kept in cents.'] }] as const;
  expect(follow(memory, { run: '2026-01-08-a', iterations: told })).toHaveLength(1);
  expect(memory.problems.map(({ reason }) => reason)).toEqual(['lessons-not-written']);
  memory.close();
});

describe('an edit of a person', () => {
  it('between two writes of the runner survives', () => {
    const { place, write } = scene();
    const memory = new Memory(place);
    memory.learn([{ kind: 'fact', text: 'Amounts are kept in cents.' }], 'run 2026-01-08-a, US-1');
    const file = `${place.folder}/lessons.md`;
    write('.ralph/lessons.md', `${readText(file)}\n## gotcha\n\nThe mail server is slow.\n`);
    memory.learn([{ kind: 'fact', text: 'Tests are in vitest, beside the code.' }], 'run 2026-01-08-a, US-2');
    memory.close();
    expect([...new Memory(place).lessons.all()].map(({ text }) => text)).toEqual([
      'Amounts are kept in cents.',
      'The mail server is slow.',
      'Tests are in vitest, beside the code.',
    ]);
  });

  it('that deletes a lesson from notes is final', () => {
    const { place, write } = scene();
    write('progress.txt', '## Codebase Patterns\n- Amounts are kept in cents\n');
    const memory = new Memory(place);
    expect(memory.takeIn('2026-01-08')).toHaveLength(1);
    memory.close();
    write('.ralph/lessons.md', '# Lessons\n');
    write('progress.txt', '## Codebase Patterns\n- Amounts are kept in cents\n- Dates are stored in UTC\n');
    expect(new Memory(place).takeIn('2026-01-09').map(({ lesson: { text } }) => text)).toEqual([
      'Dates are stored in UTC',
    ]);
  });
});
