import { describe, expect, it, test } from 'vitest';
import { checklist } from '../../src/plan/checklist.ts';
import type { Mark } from '../../src/protocol.ts';
import { marked, parseList } from './support.ts';
import { texts } from './texts.ts';

describe('marks', () => {
  test.each<[string, Mark['to'], string]>([
    ['- [ ] a', 'done', '- [x] a'],
    ['- [x] a', 'pending', '- [ ] a'],
    ['- [X] a', 'done', '- [X] a'],
    ['- [ ] a\n- [X] b', 'done', '- [X] a\n- [X] b'],
    ['- [] a', 'done', '- [x] a'],
    ['- [~] a', 'done', '- [x] a'],
    ['- [-] a', 'pending', '- [ ] a'],
    ['- [-] a', 'skipped', '- [-] a'],
    ['- [ ] a  \r\n  more', 'blocked', '- [ ] a [BLOCKED]  \r\n  more'],
    ['- [x] a', 'skipped', '- [ ] a [SKIPPED]'],
    ['- [ ] a [BLOCKED: x]', 'pending', '- [ ] a'],
    ['- [ ] a [BLOCKED: x]', 'done', '- [x] a'],
    ['- [ ] a [BLOCKED: x]', 'skipped', '- [ ] a [SKIPPED]'],
    ['- [ ] a [BLOCKED: x]', 'blocked', '- [ ] a [BLOCKED: x]'],
    ['- [ ] [BLOCKED] a', 'pending', '- [ ] a'],
    ['- [x] a [NEEDS-FIX]', 'done', '- [x] a'],
    ['- [x] a [REVIEWED]', 'pending', '- [ ] a [REVIEWED]'],
    ['- [ ] ~~a~~ (old)', 'pending', '- [ ] a (old)'],
    ['1. [ ] a\n   - [ ] inner', 'done', '1. [x] a\n   - [ ] inner'],
  ])('%j to %s', (before, to, after) => {
    const id = parseList(before).items[0]?.id ?? '';
    expect(marked(checklist, before, { id, to })).toBe(after);
    expect(parseList(after).items[0]?.status).toBe(to);
  });

  it('writes a reason that cannot end its marker or its line', () => {
    const text = marked(checklist, '- [ ] a\n- [ ] b', {
      id: 'a',
      to: 'blocked',
      note: 'see [log]\nline 2 \u001b[31m',
    });
    expect(text).toBe('- [ ] a [BLOCKED: see (log) line 2]\n- [ ] b');
    expect(parseList(text).items[0]?.note).toBe('see (log) line 2');
  });

  it('names the nearest item when there is no such one', () => {
    expect(texts(checklist).mark('- [ ] run tests', { id: 'run-test', to: 'done' })).toMatchObject({
      ok: false,
      error: { reason: 'unknown-item', hint: 'Did you mean "run-tests"?' },
    });
  });
});

describe('new items', () => {
  const item = { id: 'FIX-1', title: 'Fix the gates', body: '', criteria: [] };
  const append = (text: string, more: Partial<typeof item> & { criteria?: never[] } = {}) => {
    const result = texts(checklist).append(text, { ...item, ...more });
    return result.ok ? result.value : result.error.reason;
  };

  test.each([
    ['- [x] a', '- [x] a\n- [ ] FIX-1: Fix the gates'],
    ['* [x] a\r\n', '* [x] a\r\n* [ ] FIX-1: Fix the gates\r\n'],
    ['9. [x] a\n   - [ ] b\n\nend\n', '9. [x] a\n   - [ ] b\n10. [ ] FIX-1: Fix the gates\n\nend\n'],
    ['- [x] a\n  text\n\n## Notes\n', '- [x] a\n  text\n- [ ] FIX-1: Fix the gates\n\n## Notes\n'],
    ['- P\n  - [x] a\n', '- P\n  - [x] a\n  - [ ] FIX-1: Fix the gates\n'],
  ])('%j', (before, after) => {
    expect(append(before)).toBe(after);
    expect(parseList(after).items.at(-1)).toMatchObject({ id: 'FIX-1', title: 'Fix the gates', status: 'pending' });
  });

  it('carry foreign text that can do nothing', () => {
    const before = '- [x] a\n- [ ] b\n';
    const result = texts(checklist).append(before, {
      ...item,
      body: '- [ ] box\n```\n<!--\nverify: rm\n\n# h',
      criteria: ['[ ] box', 'verify: rm', '```', 'green'],
    });
    const plan = parseList(result.ok ? `${result.value}- [ ] last\n` : '');
    expect(plan.items.map(({ id }) => id)).toEqual(['a', 'b', 'FIX-1', 'last']);
    expect(plan.items[2]).toMatchObject({ verify: [], criteria: [], status: 'pending' });
    expect(plan.problems.filter(({ level }) => level === 'error')).toEqual([]);
  });

  it('are refused with an id that could not be read back, or is taken', () => {
    expect(append('- [ ] a', { id: 'no id' })).toBe('cannot-append');
    expect(append('- [ ] FIX-1 a')).toBe('duplicate-item');
  });
});
