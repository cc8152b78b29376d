/** Long plans are marked after a glance: whatever stands in them, the glance says what the whole reading says. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
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
