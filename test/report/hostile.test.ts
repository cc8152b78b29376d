import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Recorded } from '../../src/events.ts';
import { jsonReporter } from '../../src/report/json.ts';
import { lineReporter } from '../../src/report/lines.ts';
import { liveReporter } from '../../src/report/live.ts';
import { reportMarkdown } from '../../src/report/markdown.ts';
import { statusText } from '../../src/report/status-text.ts';
import { summaryText } from '../../src/report/summary.ts';
import { displayWidth, fit } from '../../src/report/width.ts';
import { fold } from '../../src/state.ts';
import { items, journalOf, START, scenario, type Told } from './scenario.ts';
import { Terminal } from './terminal.ts';

const runs = { numRuns: Number(process.env.RALPH_PROPERTY_RUNS ?? 500) };

/** Fields that carry words of the agent, the plan or the file system. */
const WORDS = new Set(
  'item title why name command path message detail text run branch agent ref commit rule tail base signal'.split(' '),
);

const piece = fc.oneof(
  fc.constantFrom(
    '\u001b[31m',
    '\u001b[2J',
    '\u001b]0;t\u0007',
    '\u001b]52;c;eA==\u001b\\',
    '\u001b',
    '\u009b31m',
    '\u009d',
  ),
  fc.constantFrom(
    '\r',
    '\n',
    '\t',
    '\b',
    '\u0000',
    '\u007f',
    '\u202e',
    '\u2028',
    '| x |',
    '```',
    '<b>',
    '請',
    '🚀',
    '\ud83d',
  ),
  fc.string({ unit: 'binary', maxLength: 20 }),
);
const hostile = fc.array(piece, { maxLength: 12 }).map(parts => parts.join(''));

const poison = (value: unknown, words: string, key = ''): unknown => {
  if (typeof value === 'string') return WORDS.has(key) || key === 'edits' || key === 'gates' ? value + words : value;
  if (Array.isArray(value)) return value.map(entry => poison(entry, words, key));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, poison(field, words, name)]));
};
const poisoned = (words: string) =>
  scenario.map(([at, event]) => [at, poison(event, words)]) as unknown as readonly Told[];
const poisonedItems = (words: string) =>
  items.map(item => ({ ...item, id: item.id + words, title: item.title + words }));

/** Anything a terminal could obey, and anything that hides or turns text. */
const HARMFUL = /[^\P{Cc}\n]|[\u2028\u2029\u202a-\u202e\u2066-\u2069]|\p{Cs}/u;

describe('whatever agents, titles and paths contain', { timeout: 600_000 }, () => {
  test('plain lines hold no control code and stay one line each', () => {
    fc.assert(
      fc.property(hostile, words => {
        const out: string[] = [];
        const sink = lineReporter({ write: text => out.push(text), color: false });
        for (const [at, event] of poisoned(words)) sink(event, START + at * 1000);
        expect(out.join('')).not.toMatch(HARMFUL);
        const calm: string[] = [];
        const calmSink = lineReporter({ write: text => calm.push(text), color: false });
        for (const [at, event] of scenario) calmSink(event, START + at * 1000);
        expect(out.join('').split('\n')).toHaveLength(calm.join('').split('\n').length);
      }),
      runs,
    );
  });

  test('the live view sends nothing but its own cursor moves', () => {
    fc.assert(
      fc.property(hostile, fc.integer({ min: 2, max: 140 }), (words, columns) => {
        // The model refuses any sequence it does not know.
        const terminal = new Terminal({ columns, rows: 400 });
        let seconds = 0;
        const clock = { now: () => START + seconds * 1000, monotonic: () => seconds * 1000 };
        const live = liveReporter({ stream: terminal, clock, color: true });
        for (const [at, event] of poisoned(words)) {
          seconds = Math.max(at, seconds + 1);
          live.sink(event, START + at * 1000);
        }
        live.close();
        expect(terminal.screen()).not.toMatch(HARMFUL);
        expect(terminal.screen()).not.toContain('spent  ');
      }),
      runs,
    );
  });

  test('summary, status and report hold no control code', () => {
    fc.assert(
      fc.property(hostile, words => {
        const records: readonly Recorded[] = journalOf(poisoned(words));
        const input = { state: fold(records), items: poisonedItems(words), records };
        const texts = [
          summaryText({ ...input, color: false, mergeInto: `main${words}` }),
          statusText({ ...input, color: false, now: START, owner: { pid: 1, command: words, since: START } }),
          statusText({ ...input, color: false, now: START, owner: undefined }),
          reportMarkdown(input),
        ];
        // Only the tail of a gate keeps its own tabs, in a code block.
        for (const text of texts) expect(text.replaceAll('\t', '')).not.toMatch(HARMFUL);
      }),
      runs,
    );
  });

  test('each JSON event is one line that reads back', () => {
    fc.assert(
      fc.property(hostile, words => {
        for (const [at, event] of poisoned(words)) {
          let out = '';
          jsonReporter({ write: text => (out += text) })(event, at);
          expect(out.slice(0, -1)).not.toMatch(/[^\P{Cc}]/u);
          expect(JSON.parse(out)).toMatchObject({ at, type: event.type });
        }
      }),
      runs,
    );
  });

  test('a fitted text never takes more columns than there are', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), fc.integer({ min: 0, max: 40 }), (words, columns) => {
        expect(displayWidth(fit(words, columns))).toBeLessThanOrEqual(columns);
      }),
      runs,
    );
  });
});
