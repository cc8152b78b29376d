/** Long plans are marked after a glance: whatever stands in them, the glance says what the whole reading says. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { checklist } from '../../src/plan/checklist.ts';
import { glanceAtTasks } from '../../src/plan/checklist-glance.ts';
import { prd } from '../../src/plan/prd.ts';
import { glanceAtStories } from '../../src/plan/prd-glance.ts';
import { glanceAtSprint } from '../../src/plan/sprint/glance.ts';
import { sprint } from '../../src/plan/sprint.ts';
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
      'a long title that goes on and on until it has to be cut \u{1d4b3}',
      '\u{1d4b3}'.repeat(41),
      'two  spaces\tand **more** `than` that',
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
  const nameless = text.replaceAll(/US-\d+: /g, '');
  expect(glanceAtTasks(nameless)?.ids.slice(0, 3)).toEqual(['say-hello', 'say-hello-2', 'say-hello-3']);
  agrees(checklist, nameless);
});

const state = fc.constantFrom('pending', 'completed', 'in-progress', 'blocked', 'skipped', 'odd');
const prompt = fc.constantFrom<(string | undefined)[]>(
  'Words',
  "Words, it's plain",
  "'quoted: so'",
  '|\n  Two\n\n    lines',
  '|-\n  - id: plan\n    status: done\n  phases:',
  undefined,
);
const extra = fc.constantFrom(
  [],
  [],
  ["started-at: '2026-01-01T00:00:00.000Z'"],
  ["started-at: '2026-01-01T00:00:00.000Z'", 'completed-at: "2026-01-02T00:00:00.000Z"'],
  ['error: "why"', 'retry-count: 1'],
);
const [phaseNames, stepNames, partNames] = ['one two', 'step-0 step-1 step-2', 'plan build qa'].map(names =>
  fc.constantFrom(...names.split(' ')),
) as [fc.Arbitrary<string>, fc.Arbitrary<string>, fc.Arbitrary<string>];

/** Lines of an entry of a list, the prompt before or after its state. */
const entry = (names: fc.Arbitrary<string>): fc.Arbitrary<readonly string[]> =>
  fc.tuple(names, state, extra, prompt, fc.boolean()).map(([name, word, more, words, isFirst]) => {
    const told = words === undefined ? [] : `prompt: ${words}`.split('\n');
    const own = [`status: ${word}`, ...more];
    return [`id: ${name}`, ...(isFirst ? [...told, ...own] : [...own, ...told])];
  });
const indented = (lines: readonly string[]) => lines.map(line => line && `  ${line}`);
const listed = (entries: readonly (readonly string[])[]) =>
  entries.flatMap(([first = '', ...rest]) => indented([`- ${first}`, ...indented(rest)]));
/** Mostly of different names. */
const some = (entries: fc.Arbitrary<readonly string[]>, minLength: number, maxLength: number) =>
  fc.oneof(
    { weight: 4, arbitrary: fc.uniqueArray(entries, { minLength, maxLength, selector: ([first]) => first }) },
    { weight: 1, arbitrary: fc.array(entries, { minLength, maxLength }) },
  );
/** With parts of its own, or without. */
const withParts = (
  own: fc.Arbitrary<readonly string[]>,
  key: string,
  parts: fc.Arbitrary<readonly string[]>,
): fc.Arbitrary<readonly string[]> =>
  fc
    .tuple(own, some(parts, 0, 3))
    .map(([lines, entries]) => (entries.length === 0 ? lines : [...lines, `${key}:`, ...listed(entries)]));
const phases = fc.oneof(
  {
    weight: 4,
    arbitrary: withParts(entry(phaseNames), 'steps', withParts(entry(stepNames), 'phases', entry(partNames))),
  },
  { weight: 1, arbitrary: entry(phaseNames) },
);
const progress = fc
  .tuple(
    some(phases, 1, 2),
    fc.constantFrom(
      'status: in-progress\n',
      'status: completed\n',
      'status: not-started\n',
      '# words\nnote: |\n  phases:\n',
    ),
    fc.constantFrom(0, 0, 1),
    fc.constantFrom<(number | null)[]>(0, 1, null),
    fc.constantFrom(
      'stats:\n  started-at: null\n  total-phases: 2\n  completed-phases: 0\n  completed-steps: 0\n',
      'stats:\n  total-phases: 9\n  completed-phases: 1\nsprint-id: t\n',
      'current-task: plan\n',
      '# the end\n',
      '',
    ),
  )
  .map(
    ([entries, head, phase, step, tail]) =>
      `sprint-id: s\n${head}phases:\n${listed(entries).join('\n')}\ncurrent:\n  phase: ${phase}\n  step: ${step}\n  sub-phase: ${step}\n${tail}`,
  );

test('a sprint, and whatever it is changed to', () => {
  const pieces = [
    ' ',
    '  ',
    '\n',
    '\t',
    '\r',
    ':',
    ': ',
    ' #',
    '- ',
    "'",
    '"',
    '|',
    '\nallow: sze\n',
    'null',
    '    phases:\n',
  ];
  fc.assert(
    fc.property(fc.oneof(progress, changed(progress, pieces)), text => agrees(sprint, text)),
    { numRuns: runs },
  );
});

test('a sprint as the compiler writes it is seen at a glance', () => {
  const names = ['plan', 'build', 'qa'];
  const parts = names.map(
    name => `          - id: ${name}\n            status: pending\n            prompt: |\n              Do it\n`,
  );
  const steps = Array.from(
    { length: 9 },
    (_, index) =>
      `      - id: step-${index}\n        prompt: |\n          Words\n        status: pending\n        phases:\n${parts.join('')}`,
  );
  const text = `# Compiled\nsprint-id: s\nstatus: not-started\nphases:\n  - id: start\n    status: pending\n    prompt: Begin\n  - id: development\n    status: pending\n    steps:\n${steps.join('')}current:\n  phase: 0\n  step: null\n  sub-phase: null\n`;
  const ids = ['start', ...steps.flatMap((_, index) => names.map(name => `development/step-${index}/${name}`))];
  expect(glanceAtSprint(text)?.ids()).toEqual(ids);
  agrees(sprint, text);
});
