/** What a review said, written into a plan: these bytes change, and no others. */
import { expect, test } from 'vitest';
import { checklist } from '../../src/plan/checklist.ts';
import { prd } from '../../src/plan/prd.ts';
import type { Result } from '../../src/util/result.ts';
import { texts } from './texts.ts';

test('a checklist has a marker at the end of the line, one at a time', () => {
  const text = '# W\r\n\r\n- [x] SPEC-1: One   \r\n  - [x] inner\r\n- [ ] SPEC-2: Two [BLOCKED: key]\r\n';
  const bad = unwrap(texts(checklist).review(text, { id: 'SPEC-1', to: 'needs-fix', note: 'FIX-1' }));
  expect(bad).toBe(text.replace('One', 'One [NEEDS-FIX: FIX-1]'));
  const good = unwrap(texts(checklist).review(bad, { id: 'SPEC-1', to: 'reviewed' }));
  expect(good).toBe(text.replace('One', 'One [REVIEWED]'));
  expect(unwrap(texts(checklist).review(good, { id: 'SPEC-1', to: 'reviewed' }))).toBe(good);
  expect(texts(checklist).parse(bad, 'p.md', noFiles).items[0]).toMatchObject({
    id: 'SPEC-1',
    title: 'One',
    status: 'pending',
  });
  expect(texts(checklist).parse(good, 'p.md', noFiles).items[0]).toMatchObject({
    id: 'SPEC-1',
    title: 'One',
    status: 'done',
  });
});

test('a prd.json has a field of its own, and a person’s field of that name is left alone', () => {
  const text = '{"userStories": [\n  {"id": "A", "passes": true},\n  {"id": "B", "review": {"by": "me"}}\n]}';
  const bad = unwrap(texts(prd).review(text, { id: 'A', to: 'needs-fix', note: 'FIX-1' }));
  expect(bad).toBe(text.replace('"passes": true', '"passes": true, "review": "needs-fix: FIX-1"'));
  const good = unwrap(texts(prd).review(bad, { id: 'A', to: 'reviewed' }));
  expect(good).toBe(text.replace('"passes": true', '"passes": true, "review": "passed"'));
  expect(unwrap(texts(prd).review(text, { id: 'B', to: 'reviewed' }))).toBe(text);
});

test('an item that is not there is named', () => {
  expect(texts(checklist).review('- [x] SPEC-1: One\n', { id: 'SPEC-9', to: 'reviewed' })).toMatchObject({ ok: false });
});

function unwrap(result: Result<string> | undefined): string {
  if (!result?.ok) throw new Error(result?.error.message ?? 'the format has no place for a review');
  return result.value;
}

const noFiles = { read: () => undefined, isFolder: () => false, list: () => [] };
