/** After a mark only what it changed is read again: the plan must be the one that a fresh reading gives. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { checklist } from '../../src/plan/checklist.ts';
import { prd } from '../../src/plan/prd.ts';
import type { Mark, PlanFiles, PlanFormat } from '../../src/protocol.ts';

const RUNS = Number(process.env.RALPH_PROPERTY_RUNS ?? 300);
const noFiles: PlanFiles = { read: () => undefined, isFolder: () => false, list: () => [] };

/** Marks one after the other; each document must be the one that a fresh reading of its text gives. */
function markAll(format: PlanFormat, text: string, marks: readonly Mark[]): void {
  let now = format.parse(text, 'plan', noFiles);
  for (const mark of marks) {
    // Its items were asked for, as in a run: what a mark leaves alone is carried over.
    expect(now.plan.ids).toHaveLength(now.plan.items.length);
    const marked = now.mark(mark);
    if (!marked.ok) continue;
    now = marked.value;
    const fresh = format.parse(now.text, 'plan', noFiles);
    expect(now.plan).toEqual(fresh.plan);
    // What is written next goes to the same place.
    const item = { id: 'A-9', title: 'more', body: '', criteria: [] };
    const [more, anew] = [now.append(item), fresh.append(item)];
    expect(more.ok && more.value.text).toEqual(anew.ok && anew.value.text);
  }
}

const ids = ['A-1', 'A-2', 'A-3', 'A-4'];
const marks = fc.array(
  fc.record({
    id: fc.constantFrom(...ids),
    to: fc.constantFrom<Mark['to'][]>('done', 'done', 'pending', 'blocked', 'skipped'),
  }),
  { maxLength: 8 },
);

const fields = fc.record(
  {
    title: fc.string({ maxLength: 8 }),
    description: fc.string({ maxLength: 8 }),
    passes: fc.constantFrom<unknown[]>(true, false, false, 'no', null),
    status: fc.constantFrom('open', 'done', 'blocked', 'odd'),
    priority: fc.constantFrom<unknown[]>(1, 2, 'high', 'odd'),
    dependsOn: fc.subarray(ids),
    blockedReason: fc.constant('because'),
  },
  { requiredKeys: ['title', 'passes'] },
);

test('a prd.json', () => {
  fc.assert(
    fc.property(
      fc.array(fields, { minLength: 1, maxLength: 4 }),
      marks,
      fc.constantFrom(0, 2),
      (stories, wanted, space) => {
        const userStories = stories.map((story, index) => ({ id: ids[index], ...story }));
        markAll(prd, JSON.stringify({ project: 'x', userStories }, undefined, space), wanted);
      },
    ),
    { numRuns: RUNS },
  );
});

const boxes = fc.array(
  fc.tuple(
    fc.constantFrom('[ ]', '[ ]', '[x]', '[X]', '[~]', '[-]', '[]'),
    fc.constantFrom('words', 'words [BLOCKED: why]', '~~words~~', 'words [NEEDS-FIX]', '**words**'),
    fc.constantFrom('', '\n  more\n  - [ ] part', '\n  verify: `true`', '\n\n## Part'),
  ),
  { minLength: 1, maxLength: 4 },
);

test('a checklist', () => {
  fc.assert(
    fc.property(boxes, marks, (tasks, wanted) => {
      const lines = tasks.map(([box, words, under], index) => `- ${box} ${ids[index] ?? ''}: ${words}${under}\n`);
      markAll(checklist, `# Plan\n\n${lines.join('')}`, wanted);
    }),
    { numRuns: RUNS },
  );
});
