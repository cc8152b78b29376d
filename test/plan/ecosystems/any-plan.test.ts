/** Whatever stands in such a file: it is read without a throw, and a mark changes its own boxes alone. */
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { kiro } from '../../../src/plan/ecosystems/kiro.ts';
import { openSpec } from '../../../src/plan/ecosystems/openspec.ts';
import { specKit } from '../../../src/plan/ecosystems/spec-kit.ts';
import { taskHeadings } from '../../../src/plan/ecosystems/task-headings.ts';
import type { PlanFormat } from '../../../src/protocol.ts';
import { noFiles, runs } from '../support.ts';
import { texts } from '../texts.ts';

const line = fc.oneof(
  fc
    .tuple(
      fc.constantFrom('', '  ', '    ', '\t'),
      fc.constantFrom('- ', '* ', '1. ', '-'),
      fc.constantFrom('[ ]', '[x]', '[X]', '[-]', '[~]', '[ ]*', '[x]*', '[]'),
      fc.constantFrom(' T001 ', ' T002 [P] [US1] ', ' 1. ', ' 1.1 ', ' 1.2* ', ' 2 ', ' (P) ', ' '),
      fc.stringMatching(/^[a-zäß日"[\]`~ ]{1,12}$/),
    )
    .map(parts => parts.join('')),
  fc.constantFrom(
    '# Plan',
    '## Phase 1: a',
    '## 2. b',
    '### Task 1: c',
    '### Task 2: d',
    '```',
    '<!--',
    '-->',
    '',
    '---',
  ),
  fc.constantFrom('  - detail', '  - _Requirements: 1.1_', 'prose', '(depends on T001)', '    deeper'),
);
const text = fc
  .tuple(fc.array(line, { maxLength: 14 }), fc.constantFrom('\n', '\r\n'), fc.constantFrom('', '\n'))
  .map(([lines, eol, last]) => (lines.join('\n') + last).replaceAll('\n', eol));

const PLANS: readonly (readonly [PlanFormat, string])[] = [
  [specKit, 'r/specs/x/tasks.md'],
  [kiro, 'r/.kiro/specs/x/tasks.md'],
  [openSpec, 'r/openspec/changes/x/tasks.md'],
  [taskHeadings, 'r/docs/plans/x.md'],
];

it.each(PLANS.map(([format, path]) => ({ name: format.name, format, path })))(
  'a mark in any $name plan changes boxes alone, and no other item',
  ({ format, path }) => {
    fc.assert(
      fc.property(text, fc.nat(), (was, pick) => {
        const plan = texts(format).parse(was, path, noFiles);
        const item = plan.items[pick % Math.max(1, plan.items.length)];
        if (plan.error || !item || plan.marks === 'journal' || item.note === 'it has no boxes') return;
        const marked = texts(format).mark(was, { id: item.id, to: 'done' });
        if (!marked.ok) throw new Error(marked.error.message);
        const after = texts(format).parse(marked.value, path, noFiles);
        expect(after.items.find(({ id }) => id === item.id)?.status).toBe('done');
        const rest = ({ items }: typeof plan) =>
          items.filter(({ id }) => id !== item.id).map(({ id, status, title }) => ({ id, status, title }));
        expect(rest(after)).toEqual(rest(plan));
        const bare = (words: string) => words.replace(/\[[ xX~-]?\]/g, '[]');
        expect(bare(marked.value)).toBe(bare(was));
      }),
      { numRuns: Math.min(runs, 300) },
    );
  },
);
