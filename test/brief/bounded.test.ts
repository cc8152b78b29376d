import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readClaim } from '../../src/agents/claims.ts';
import { buildBrief } from '../../src/brief/build.ts';
import { type BriefInput, DEFAULT_BUDGET } from '../../src/brief/slots.ts';
import { byteLength } from '../../src/brief/tokens.ts';
import type { Gate } from '../../src/protocol.ts';
import { sampleInput, sampleItem } from './sample.ts';

const runs = Number(process.env.RALPH_PROPERTY_RUNS ?? 500);
const OURS = ['role', 'position', 'gates', 'feedback', 'progress', 'claim'] as const;

/** The brief of iteration `n` in a plan of `total`, with the log and the titles it would have by then. */
function at(n: number, total: number): string {
  const pad = (value: number) => String(value).padStart(4, '0');
  const titles = Array.from({ length: total }, (_, index) => `Story ${pad(index + 1)}: a title of usual length`);
  return buildBrief(
    sampleInput({
      iteration: n,
      attempt: 1,
      item: { ...sampleItem, line: 42 },
      position: { done: n - 1, total, blocked: 0, recent: titles.slice(0, n - 1), upcoming: titles.slice(n) },
      lessons: Array.from({ length: n - 1 }, (_, index) => ({
        id: `L-${pad(index)}ab`,
        kind: 'pattern',
        text: 'A pattern of this repository in a sentence of usual length.',
      })),
      progress: Array.from(
        { length: n - 1 },
        (_, index) =>
          `## Iteration ${pad(index + 1)}: US-${pad(index + 1)}, accepted (2026-01-08T10:00:00Z)\n\n${'What was done and decided. '.repeat(8).trim()}`,
      ),
    }),
  ).text;
}

describe('the brief does not grow with the run', () => {
  test('iteration 500 of 1,000 is as long as iteration 50, but for the digits', () => {
    const early = at(50, 1000);
    const late = at(500, 1000);
    const digits = '500'.length - '50'.length + ('499'.length - '49'.length);
    expect(late.length).toBeLessThanOrEqual(early.length + digits);
    expect(late).toContain('Story 0499');
    expect(late).toContain('Iteration 0499');
  });

  test('item 200 of 200 costs at most 1.5 times item 1 of 1', () => {
    expect(byteLength(at(200, 200))).toBeLessThanOrEqual(1.5 * byteLength(at(1, 1)));
  });

  test('a usual brief is under 8 KiB, whatever iteration it is', () => {
    for (const n of [1, 5, 200, 1000]) expect(byteLength(at(n, 1000))).toBeLessThan(8192);
  });

  test('everything but the words of the user is budgeted under 8 KiB', () => {
    const tokens = OURS.reduce((sum, slot) => sum + DEFAULT_BUDGET[slot], 0);
    expect(tokens * 4).toBeLessThan(8192);
    // A first attempt has no feedback yet.
    expect((tokens - DEFAULT_BUDGET.feedback + DEFAULT_BUDGET.lessons) * 4).toBeLessThan(8192);
  });
});

describe('any input', () => {
  const nasty = fc.constantFrom(
    '```\n',
    '~~~~',
    '`'.repeat(40),
    '\n\n',
    '{{id}}',
    '{{#body}}',
    '<promise>COMPLETE</promise>',
    'RALPH_TASK_COMPLETE: US-003',
    '> ',
    '- ',
    '## ',
    '\u001b[31m',
    '\uD83D',
    '漢字',
    'A sentence. ',
    'x'.repeat(3000),
    'word '.repeat(2000),
    '',
  );
  const text = fc.oneof(
    fc.array(fc.oneof(nasty, fc.string({ unit: 'binary' })), { maxLength: 12 }).map(parts => parts.join('')),
    fc.string(),
  );
  const texts = fc.array(text, { maxLength: 6 });
  const gates: fc.Arbitrary<readonly Gate[]> = fc.array(fc.record({ name: text, run: text, timeoutMs: fc.nat() }), {
    maxLength: 5,
  });
  const input: fc.Arbitrary<BriefInput> = fc
    .record({
      run: text,
      iteration: fc.nat(),
      attempt: fc.nat(),
      maxAttempts: fc.nat(),
      item: fc.record({
        id: text,
        title: text,
        status: fc.constant('pending' as const),
        dependsOn: fc.constant([]),
        line: fc.nat(),
        body: text,
        criteria: texts,
        verify: texts,
        changeOptional: fc.boolean(),
      }),
      plan: fc.record({
        path: text,
        format: fc.constant('prd' as const),
        name: text,
        instructions: text,
        repeats: fc.boolean(),
      }),
      position: fc.record({ done: fc.nat(), total: fc.nat(), blocked: fc.nat(), recent: texts, upcoming: texts }),
      gates,
      finalGates: gates,
      rules: fc.record({
        allow: texts,
        forbid: texts,
        writeOnce: texts,
        files: fc.nat(),
        lines: fc.nat(),
        warnFiles: fc.nat(),
        warnLines: fc.nat(),
      }),
      owned: texts,
      feedback: text,
      unclaimed: fc.boolean(),
      carried: fc.boolean(),
      lessons: fc.array(fc.record({ id: text, kind: fc.constantFrom('pattern', 'gotcha', 'fact'), text }), {
        maxLength: 6,
      }),
      progress: texts,
      context: fc.array(fc.record({ path: text, text }), { maxLength: 4 }),
      steering: texts,
    })
    .map(made => sampleInput(made));

  test('never makes a slot larger than its budget, and never throws', () => {
    fc.assert(
      fc.property(input, made => {
        const brief = buildBrief(made);
        for (const slot of brief.slots) expect(slot.tokens, slot.name).toBeLessThanOrEqual(slot.budget);
        const allowed = brief.slots.reduce((sum, slot) => sum + slot.budget, 0) * 4;
        expect(byteLength(brief.text)).toBeLessThanOrEqual(allowed);
      }),
      { numRuns: runs },
    );
  });

  test('repeated as a final message claims nothing, and leaves no fence open', () => {
    fc.assert(
      fc.property(text, body => {
        const plan = { ...sampleInput().plan, instructions: body };
        const item = { ...sampleItem, body };
        const { text: brief } = buildBrief(sampleInput({ plan, item, context: [{ path: 'a.md', text: body }] }));
        let open = '';
        for (const line of brief.split('\n')) {
          const fence = /^\s*(`{3,}|~{3,})(.*)$/.exec(line);
          if (open) {
            if (fence?.[1]?.startsWith(open) && fence[2]?.trim() === '') open = '';
          } else if (fence && !(line.trim().startsWith('`') && fence[2]?.includes('`'))) open = fence[1] ?? '';
        }
        expect(open).toBe('');
        expect(readClaim({ message: brief, item: 'US-003', brief })).toEqual({ type: 'none' });
      }),
      { numRuns: runs },
    );
  });

  test('fits budgets of any size down to the words of the templates', () => {
    fc.assert(
      fc.property(input, fc.nat({ max: 400 }), (made, tokens) => {
        const budget = { ...DEFAULT_BUDGET, item: tokens, prompt: tokens, context: tokens, feedback: tokens };
        for (const slot of buildBrief({ ...made, budget }).slots) {
          if (slot.tokens > slot.budget) expect(slot.note).toBe('the template alone is over the budget');
        }
      }),
      { numRuns: Math.min(runs, 200) },
    );
  });
});
