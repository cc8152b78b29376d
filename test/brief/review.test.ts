import { describe, expect, test } from 'vitest';
import { readReview } from '../../src/agents/index.ts';
import { buildReviewBrief, type ReviewBriefInput } from '../../src/brief/review.ts';
import { BUILT_IN, loadTemplates, placeholdersOf } from '../../src/brief/templates.ts';

const templates = loadTemplates({ read: () => undefined });
if (!templates.ok) throw new Error(templates.error.message);

const input: ReviewBriefInput = {
  run: '2026-01-08-shop',
  item: {
    id: 'SPEC-1',
    title: 'The cart adds up',
    status: 'done',
    dependsOn: [],
    line: 3,
    body: 'Prices are in cents.',
    criteria: ['the sum is right', 'an empty cart costs nothing'],
    verify: [],
    changeOptional: false,
  },
  plan: 'PROGRESS.md',
  owned: ['PROGRESS.md'],
  round: 2,
  rounds: 2,
  evidence: ['`npm test`: green in 2s'],
  commits: ['0123456789abcdef0123456789abcdef01234567'],
  patch: 'diff --git a/cart.ts b/cart.ts\n--- a/cart.ts\n+++ b/cart.ts\n@@ -1 +1 @@\n-old\n+new ```\n',
  before: [{ severity: 'high', file: 'cart.ts', line: 3, text: 'It forgets the last line.' }],
  again: 'the answer holds no <review>',
  templates: templates.value,
};

describe('the brief of a reviewer', () => {
  test('fills every placeholder it knows, and knows every one it uses', () => {
    const used = new Set([...BUILT_IN.review.matchAll(/\{\{[#^/]?\s*([^{}]*?)\s*\}\}/g)].map(([, name]) => name ?? ''));
    expect([...used].filter(name => !placeholdersOf('review').includes(name))).toEqual([]);
    expect(buildReviewBrief(input)).not.toContain('{{');
  });

  test('repeated as an answer passes nothing', () => {
    expect(readReview(buildReviewBrief(input)).verdict).toBe('unclear');
  });

  test('says what is asked, what was found and what changed', () => {
    const brief = buildReviewBrief(input);
    for (const words of [
      'an empty cart costs nothing',
      'green in 2s',
      '+new ```',
      'It forgets the last line',
      '`cart.ts:3`',
    ]) {
      expect(brief).toContain(words);
    }
    expect(brief).toContain('The last answer could not be read');
    expect(buildReviewBrief({ ...input, again: '', before: [] })).not.toMatch(/last answer|last review/);
  });

  test('stays within its bound whatever the diff is, and says what it left out', () => {
    const file = (n: number) => `diff --git a/f${n} b/f${n}\n${`+${'x'.repeat(100)}\n`.repeat(200)}`;
    const patch = Array.from({ length: 50 }, (_, n) => file(n)).join('');
    const brief = buildReviewBrief({ ...input, patch });
    expect(Buffer.byteLength(brief)).toBeLessThanOrEqual(24_000 * 4 + 1);
    expect(brief).toMatch(/Left out for length: \d+ changed files/);
    expect(brief).toContain('the sum is right');
  });
});
