import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { checklist } from '../../src/plan/checklist.ts';
import { prd } from '../../src/plan/prd.ts';
import { convertPlan } from '../../src/planning/convert-plan.ts';
import { importMarkdown } from '../../src/planning/import-markdown.ts';
import { writePrd } from '../../src/planning/write-prd.ts';
import { texts } from '../plan/texts.ts';

const numRuns = Number(process.env.RALPH_PROPERTY_RUNS ?? 500);
const files = { read: () => undefined, isFolder: () => false, list: () => [] };

/** Lines of every kind, each with a word of its own in place of `@`. */
const LINE = fc.constantFrom(
  '# @',
  '## @',
  '### US-001: @',
  '### US-002: @ (P1)',
  '### 3. @',
  '## Story: @',
  '#### Acceptance Criteria',
  '#### Notes @',
  '**US-007: @**',
  '**Acceptance criteria:**',
  'Acceptance criteria: @',
  '**Priority:** @',
  'Priority: high',
  '**Depends on:** @',
  'Depends on: US-001 @',
  '**Depends on:**',
  '**Verify:** `@`',
  'verify: @',
  'Status: @',
  'Description: @',
  'ID: @',
  'Title: @',
  '- [ ] @',
  '- [x] @',
  '  - [ ] @',
  '  - @',
  '- @',
  '1. @',
  '    @',
  '  @',
  '@',
  '',
  '',
  '---',
  '```',
  '<!-- @',
  '@ -->',
  '> @',
  '| @ |',
  '===',
);

const DOCUMENT = fc
  .array(LINE, { maxLength: 30 })
  .map(lines => lines.map((line, index) => line.replace('@', `word${index}w`)).join('\n'));

it('every word of a document is in the plan or in the list of what is not carried', () => {
  fc.assert(
    fc.property(DOCUMENT, text => {
      const imported = importMarkdown(text);
      if (imported.items.length === 0) return;
      const plan = writePrd(imported);
      const lost = new Set<number>();
      for (const { line, endLine = line } of imported.notCarried) {
        for (let at = line ?? 0; at <= (endLine ?? 0); at++) lost.add(at);
      }
      const silent = text
        .split('\n')
        .map((line, index) => ({ line: index + 1, word: /word\d+w/.exec(line)?.[0] }))
        .filter(({ line, word }) => word !== undefined && !lost.has(line) && !plan.includes(word));
      expect(silent).toEqual([]);
    }),
    { numRuns },
  );
});

it('what is imported parses without an error and reads as it was meant', () => {
  fc.assert(
    fc.property(DOCUMENT, text => {
      const imported = importMarkdown(text);
      if (imported.items.length === 0) return;
      const { items, problems } = texts(prd).parse(writePrd(imported), 'prd.json', files);
      expect(problems.filter(({ level }) => level === 'error')).toEqual([]);
      expect(items.map(({ id, title, status }) => ({ id, title, status }))).toEqual(
        imported.items.map(({ id, title, status }) => ({ id, title, status })),
      );
    }),
    { numRuns },
  );
});

const WORDS = fc.stringMatching(/^[a-z][a-z `*_[\]()#>~-]{0,20}[a-z]$/);
const STORY = fc.record({
  title: WORDS,
  description: fc
    .array(fc.oneof(WORDS, fc.constantFrom('', '- [ ] x', '```', 'verify: y', '# z', '<!-- c', '> q')), {
      maxLength: 5,
    })
    .map(lines => lines.join('\n')),
  acceptanceCriteria: fc.array(WORDS, { maxLength: 3 }),
  verify: fc.array(fc.stringMatching(/^[a-z][a-z -]{0,10}[a-z]$/), { maxLength: 2 }),
  passes: fc.boolean(),
});

it('a prd without losses comes back from a checklist with the same items', () => {
  let clean = 0;
  fc.assert(
    fc.property(fc.array(STORY, { minLength: 1, maxLength: 5 }), stories => {
      const text = JSON.stringify({
        project: 'Shop',
        userStories: stories.map((story, index) => ({ id: `US-${index + 1}`, ...story })),
      });
      const document = prd.parse(text, 'prd.json', files);
      const { plan } = document;
      const converted = convertPlan(
        {
          document,
          plan,
          format: prd,
          path: 'prd.json',
          decoded: { text, encoding: 'utf8' },
          bytes: Buffer.from(text),
        },
        'checklist',
      );
      if (!converted.ok) throw new Error(converted.error.message);
      const back = texts(checklist).parse(converted.value.text, 'PROGRESS.md', files).items;
      expect(back).toHaveLength(plan.items.length);
      if (converted.value.lost.length > 0) return;
      clean += 1;
      const facts = (items: typeof back) =>
        items.map(({ id, title, status, criteria, verify }) => ({ id, title, status, criteria, verify }));
      expect(facts(back)).toEqual(facts(plan.items));
    }),
    { numRuns },
  );
  // The property must not hold because everything was lossy.
  expect(clean).toBeGreaterThan(numRuns / 20);
});

it('neither reader throws, whatever the text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 200 }), text => {
      importMarkdown(text);
    }),
    { numRuns },
  );
});
