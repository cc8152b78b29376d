/** A plan is read as far as somebody asks: what is known early must be what the whole reading says. */
import fc from 'fast-check';
import { test } from 'vitest';
import { checklist } from '../../src/plan/checklist.ts';
import { prd } from '../../src/plan/prd.ts';
import { sprint } from '../../src/plan/sprint.ts';
import { agrees, runs } from './support.ts';

const names = fc.constantFrom('A-1', 'A-1', 'A-2', 'B-1', '', ' ', 7);
const lifted = fc.constantFrom<unknown[]>('size', 'sze', ['secret:docs/*', 'size:/etc'], [], null, 3);

test('a prd.json', () => {
  const story = fc.record(
    {
      id: names,
      title: fc.string({ maxLength: 6 }),
      passes: fc.constantFrom<unknown[]>(true, false, 'no', null),
      status: fc.constantFrom('todo', 'Done', 'odd', 'blocked'),
      dependsOn: fc.array(names, { maxLength: 2 }),
      allow: lifted,
    },
    { requiredKeys: [] },
  );
  const entry = fc.oneof({ weight: 8, arbitrary: story }, { weight: 1, arbitrary: fc.constantFrom<unknown[]>(1, 'x') });
  fc.assert(
    fc.property(fc.array(entry, { maxLength: 5 }), fc.constantFrom(0, 2), (userStories, space) =>
      agrees(prd, JSON.stringify({ project: 'x', userStories }, undefined, space)),
    ),
    { numRuns: runs },
  );
});

test('a checklist', () => {
  const line = fc.constantFrom(
    '- [ ] A-1: one',
    '- [x] A-1: one again',
    '- [X] **A-2** two [BLOCKED: why]',
    '- [~] three [NEEDS-FIX]',
    '- [ ] [P1] [A-3] four',
    '- [] ~~five~~ (given up)',
    '- [ ] = open',
    '  - [ ] part',
    '  allow: size',
    '  allow: test-skp:tests/**',
    '  words under it  ',
    '\twith a tab',
    '',
    '## Legend',
    '## Part',
    '```',
    '<<<<<<< ours',
  );
  const eol = fc.constantFrom('\n', '\r\n');
  fc.assert(
    fc.property(fc.array(line, { maxLength: 12 }), eol, (lines, end) => agrees(checklist, lines.join(end))),
    { numRuns: runs },
  );
});

test('a sprint', () => {
  const phase = fc.record(
    {
      id: fc.constantFrom('plan', 'plan', 'build it', 'a/b'),
      status: fc.constantFrom('pending', 'completed', 'in-progress', 'blocked', 'odd'),
      prompt: fc.constantFrom('one line', '|\n      Two\n\n      lines', '|-\n      Stripped', "'it''s'", 'Words # no'),
      allow: fc.constantFrom('size', 'sze', '[size]', '[]'),
    },
    { requiredKeys: ['id'] },
  );
  const text = (phases: readonly Partial<Record<string, string>>[]) =>
    phases.map(fields => {
      const lines = Object.entries(fields).map(
        ([key, value], index) => `${index === 0 ? '  - ' : '    '}${key}: ${value}`,
      );
      return `${lines.join('\n')}\n`;
    });
  fc.assert(
    fc.property(fc.array(phase, { maxLength: 5 }), fc.constantFrom('', 'status: completed\n'), (phases, head) =>
      agrees(sprint, `sprint-id: s\n${head}current:\n  phase: 0\nphases:\n${text(phases).join('')}`),
    ),
    { numRuns: runs },
  );
});

test('a prd.json whose stories are as large as they like', () => {
  const lines = Array.from({ length: 300 }, () => '\n"'.repeat(300));
  const many = Object.fromEntries(lines.map((words, index) => [`field ${index}`, words]));
  agrees(
    prd,
    JSON.stringify([
      { id: 'A-1', steps: lines },
      { id: 'A-2', ...many },
      { id: 'A-3', notes: { deep: [{}] } },
    ]),
  );
});
