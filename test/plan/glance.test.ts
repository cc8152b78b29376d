/** Long plans are marked after a glance: whatever stands in them, the glance says what the whole reading says. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { checklist } from '../../src/plan/checklist.ts';
import { glanceAtTasks } from '../../src/plan/checklist-glance.ts';
import { prd } from '../../src/plan/prd.ts';
import { glanceAtStories } from '../../src/plan/prd-glance.ts';
import { agrees, runs } from './support.ts';

/** Texts like this one, with some characters taken out and others put in. */
const changed = (text: fc.Arbitrary<string>, pieces: readonly string[]): fc.Arbitrary<string> =>
  fc
    .tuple(
      text,
      fc.array(fc.record({ at: fc.nat(), gone: fc.nat({ max: 3 }), put: fc.constantFrom('', ...pieces) }), {
        maxLength: 3,
      }),
    )
    .map(([whole, changes]) =>
      changes.reduce((now, { at, gone, put }) => {
        const start = at % (now.length + 1);
        return now.slice(0, start) + put + now.slice(start + gone);
      }, whole),
    );

const story = fc.record(
  {
    id: fc.constantFrom('A-1', 'A-2', 'A-3', 'A-4', 'A-5', 'A-6', 'A-1#2'),
    title: fc.constantFrom('Words', 'a "quote"', '{"id": "A-1"}', 'ü\n\u0001', ''),
    passes: fc.boolean(),
    status: fc.constantFrom('todo', 'Done', 'blocked'),
    priority: fc.constantFrom<unknown[]>(1, -2.5e10, 'high', null),
    acceptanceCriteria: fc.array(fc.constantFrom('one', 'two [x]', 3), { maxLength: 2 }),
    blockedReason: fc.constantFrom('', 'why'),
    parts: fc.constantFrom<unknown[]>({ id: 'A-1' }, [{ id: 'A-2' }], [[]]),
    allow: fc.constantFrom('size', 'sze'),
  },
  { requiredKeys: ['id', 'title', 'passes'] },
);
const plainStory = story.map(({ parts: _, allow: __, ...plain }) => plain);
const stories = fc.oneof(
  fc.uniqueArray(plainStory, { minLength: 1, maxLength: 4, selector: ({ id }) => id }),
  fc.array(story, { maxLength: 4 }),
);
const file = fc
  .tuple(
    stories,
    fc.constantFrom<((list: unknown) => unknown)[]>(
      list => list,
      list => ({ project: 'x', userStories: list }),
      list => ({ tasks: list, branchName: 'ralph/y', metadata: { tasks: [1] } }),
      list => ({ prd: { title: 'z', stories: list } }),
      list => ({ features: ['words'], userStories: list, items: [] }),
      list => ({ features: list, more: { userStories: list } }),
      list => ({ features: [{ name: 'group', tasks: list }] }),
    ),
    fc.constantFrom<(string | number)[]>(0, 2, '\t'),
  )
  .map(([list, around, space]) => JSON.stringify(around(list), undefined, space));

test('a prd.json, and whatever it is changed to', () => {
  const pieces = [
    '"',
    '\\',
    '{',
    '}',
    '[',
    ']',
    ',',
    ':',
    '0',
    ' ',
    '\n',
    '"id": "A-1"',
    ',"allow": "x"',
    '\\u0069',
    '\u00a0',
  ];
  fc.assert(
    fc.property(changed(file, pieces), text => agrees(prd, text)),
    { numRuns: runs },
  );
});

test('a prd.json as programs write it is seen at a glance', () => {
  const userStories = Array.from({ length: 120 }, (_, index) => ({
    id: `US-${index}`,
    title: `Say "hello" ${index}`,
    acceptanceCriteria: ['one', 'two'],
    priority: index,
    passes: index % 2 === 0,
    notes: '',
  }));
  const text = JSON.stringify({ project: 'x', userStories }, undefined, 2);
  expect(glanceAtStories(text)?.ids()).toEqual(userStories.map(({ id }) => id));
  expect(glanceAtStories(JSON.stringify(userStories))?.ids()).toHaveLength(120);
  agrees(prd, text);
});

test('words of many megabytes are no reason to throw', () => {
  const long = JSON.stringify([{ id: 'A-1', title: 'x'.repeat(2 ** 25), passes: false }]);
  expect(prd.parse(long, 'prd.json', { read: () => undefined, isFolder: () => false, list: () => [] }).ids).toEqual([
    'A-1',
  ]);
});

const task = fc
  .tuple(
    fc.constantFrom('- [ ] ', '- [x] ', '* [X] ', '- [ ] ', '- [~] ', '1. [ ] ', '  - [ ] '),
    fc.constantFrom('A-1: ', 'A-2: ', 'B-C-3: ', 'FIX-4: ', 'UTF-8: ', 'A-1-5: ', 'A-6 ', '', `${'A'.repeat(90)}-1: `),
    fc.constantFrom(
      'words',
      'an array[] of them',
      '`a[x]`',
      'two [x`y`] [`z`x]',
      'done [BLOCKED: why]',
      '~~gone~~',
      'a < b',
    ),
    fc.constantFrom(
      '',
      '\n  more words',
      '\n  - part',
      '\n  - [ ] part',
      '\n  allow: sze',
      '\n  verify: npm test',
      '\n\n      code',
    ),
  )
  .map(parts => parts.join(''));
const plainTask = fc
  .tuple(
    fc.constantFrom('- [ ] ', '- [x] ', '- [X] '),
    fc.nat({ max: 9 }),
    fc.constantFrom('words', 'more [NEEDS-FIX]'),
  )
  .map(([box, number, words]) => `${box}A-${number}: ${words}\n  - part of it`);
const tasks = fc.oneof(
  fc.array(plainTask, { minLength: 1, maxLength: 6 }),
  fc.array(fc.oneof({ weight: 4, arbitrary: plainTask }, { weight: 1, arbitrary: task }), { maxLength: 6 }),
);
const list = fc
  .tuple(fc.constantFrom('', '# Plan\n\n', 'Words\n=====\n', '## Legend\n', '---\na: b\n---\n', '```\n'), tasks)
  .map(([head, lines]) => `${head}${lines.join('\n')}\n`);

test('a checklist, and whatever it is changed to', () => {
  const pieces = [
    '`',
    '[',
    ']',
    '- [ ] ',
    '[x] ',
    '[]',
    '\n',
    ' ',
    '\t',
    '\r',
    '<!--',
    '```',
    '# Key\n',
    '>',
    '-',
    '\n<<<<<<< a\n',
    '\u00a0',
  ];
  fc.assert(
    fc.property(changed(list, pieces), text => agrees(checklist, text)),
    { numRuns: runs },
  );
});

test('a checklist as programs write it is seen at a glance', () => {
  const lines = Array.from(
    { length: 60 },
    (_, index) => `- [${index % 3 ? ' ' : 'x'}] US-${index}: Say < hello\n  - part\n`,
  );
  const text = `# Plan\n\n${lines.join('')}`;
  expect(glanceAtTasks(text)?.ids).toEqual(lines.map((_, index) => `US-${index}`));
  agrees(checklist, text);
});
