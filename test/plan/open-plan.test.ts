import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest';
import { appendToPlan, markPlan } from '../../src/plan/change.ts';
import { checkReport } from '../../src/plan/check-report.ts';
import { openPlan, openPlanIn } from '../../src/plan/open.ts';
import { type OpenPlan, reparse } from '../../src/plan/read-file.ts';
import { boxlessPlan, findPlan } from '../../src/plan/search.ts';
import { type Encoding, encode } from '../../src/util/text.ts';
import { texts } from './texts.ts';

let root = '';
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'ralph-plan-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const put = (path: string, content: string | Buffer) => {
  const file = join(root, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
  return file;
};
const opened = (path: string): OpenPlan => {
  const result = openPlan(path);
  if (!result.ok) throw new Error(result.error.message);
  return result.value;
};

describe('opening', () => {
  test.each([
    ['prd.json', '[{"id": "A"}]', 'prd'],
    ['x/any.json', '[{"id": "A"}]', 'prd'],
    ['notes.md', '- [ ] a', 'checklist'],
    ['notes.md', 'just words', 'prompt'],
    ['notes.txt', 'just words', 'prompt'],
    ['PROMPT.md', '- [ ] a', 'prompt'],
    ['fix_plan.md', 'no boxes', 'checklist'],
  ])('%s holding %j is a %s', (path, text, format) => {
    expect(opened(put(path, text)).plan.format).toBe(format);
  });

  test.each<Encoding>(['utf8', 'utf8-bom', 'utf16le', 'utf16be'])('keeps %s in every byte but the mark', encoding => {
    const text = '[\r\n  {"id": "Ä", "passes": false}\r\n]';
    const open = opened(put('prd.json', encode({ text, encoding })));
    const marked = markPlan(open, { id: 'Ä', to: 'done' });
    expect(marked.ok && marked.value.bytes).toEqual(encode({ text: text.replace('false', 'true'), encoding }));
    const again = marked.ok ? reparse(open, marked.value.bytes) : marked;
    expect(again.ok && again.value.plan.items[0]?.status).toBe('done');
  });

  test.each(['plain words', 'über – alles'])('writes the bytes of the marked text, among %j', words => {
    const text = JSON.stringify([{ id: 'A-1', title: words, passes: false }, { id: 'B' }], undefined, 2);
    const mark = { id: 'A-1', to: 'blocked', note: 'warum? – ü' } as const;
    const open = opened(put('prd.json', text));
    const asText = texts(open.format).mark(text, mark);
    const marked = markPlan(open, mark);
    expect(marked.ok && marked.value.bytes).toEqual(Buffer.from(asText.ok ? asText.value : ''));
  });

  it('opens the plan that it finds', () => {
    const text = '# Plan\n\n- [ ] A-1: words\n';
    const path = put('PROGRESS.md', text);
    expect(openPlanIn(root)).toMatchObject({ ok: true, value: { path, bytes: Buffer.from(text) } });
    expect(openPlanIn(join(root, 'nowhere'))).toBeUndefined();
    put('PROGRESS.yaml', 'phases:\n  - id: a\n    status: pending\n');
    expect(openPlanIn(root)).toMatchObject({ ok: true, value: { path: join(root, 'PROGRESS.yaml') } });
  });

  it('refuses what is missing, with the nearest name', () => {
    const near = put('prd.json', '[]');
    expect(openPlan(join(root, 'prd.jsn'))).toMatchObject({
      ok: false,
      error: { reason: 'plan-not-found', hint: `Did you mean ${near}?` },
    });
    expect(openPlan(join(root, 'no', 'where.json')).ok).toBe(false);
  });

  it('refuses a folder without a plan, a strange file and bytes that are no text', () => {
    put('README.md', 'hello');
    expect(openPlan(root)).toMatchObject({
      ok: false,
      error: { reason: 'not-a-plan', hint: 'It has README.md: name one of them.' },
    });
    expect(openPlan(put('a.bin', 'x'))).toMatchObject({ ok: false, error: { reason: 'not-a-plan' } });
    expect(openPlan('/dev/null')).toMatchObject({ ok: false, error: { reason: 'not-a-plan' } });
    expect(openPlan(put('b.json', Buffer.from([0x5b, 0xff, 0x5d])))).toMatchObject({
      ok: false,
      error: { reason: 'not-text' },
    });
  });

  it('reads through a symlink', () => {
    put('real.json', '[{"id": "A"}]');
    symlinkSync('real.json', join(root, 'prd.json'));
    expect(opened(root).path).toBe(join(root, 'prd.json'));
  });

  it('adds an item, and names the file in a failure', () => {
    const open = opened(put('TODO.md', '- [ ] a\n'));
    const added = appendToPlan(open, { id: 'FIX-1', title: 'fix', body: '', criteria: [] });
    expect(added.ok && added.value.bytes.toString()).toBe('- [ ] a\n- [ ] FIX-1: fix\n');
    expect(markPlan(open, { id: 'zzz', to: 'done' })).toMatchObject({ ok: false, error: { file: open.path } });
  });
});

describe('finding', () => {
  it('takes the most particular place first', () => {
    expect(findPlan(root)).toBeUndefined();
    const order = [
      ['.ralph/PROMPT.md', 'do'],
      ['PROMPT.md', 'do'],
      ['plan.md', '- [ ] a'],
      ['TODO.md', '- [ ] a'],
      ['.ralph/fix_plan.md', '- [ ] a'],
      ['fix_plan.md', '- [ ] a'],
      ['IMPLEMENTATION_PLAN.md', '- [ ] a'],
      ['PROGRESS.md', '- [ ] a'],
      ['tasks.json', '[{"id": "A"}]'],
      ['plan.json', '[{"id": "A"}]'],
      ['.ralph/prd.json', '[{"id": "A"}]'],
      ['scripts/ralph/prd.json', '[{"id": "A"}]'],
      ['prd.json', 'broken'],
    ] as const;
    for (const [path, text] of order) {
      const file = put(path, text);
      expect(findPlan(root)).toBe(file);
    }
  });

  it('passes over files of the same name that are no plans', () => {
    put('tasks.json', '{"version": "2.0.0", "tasks": []}');
    put('TODO.md', 'buy milk');
    mkdirSync(join(root, 'prd.json'));
    expect(findPlan(root)).toBeUndefined();
    expect(boxlessPlan(root)).toBe('TODO.md');
  });
});

describe('the report of a check', () => {
  it('has exactly the promised shape', () => {
    const path = put(
      'prd.json',
      '[\n{"id": "A", "priority": 2},\n{"id": "B", "title": "b", "priority": 1, "dependsOn": ["C"]},\n{"id": "C", "passes": true}]',
    );
    expect(checkReport(opened(path))).toEqual({
      format: 'prd',
      path,
      items: [
        { id: 'A', title: 'A', status: 'pending', priority: 2, dependsOn: [], line: 2 },
        { id: 'B', title: 'b', status: 'pending', priority: 1, dependsOn: ['C'], line: 3 },
        { id: 'C', title: 'C', status: 'done', priority: null, dependsOn: [], line: 4 },
      ],
      next: 'B',
      done: 1,
      total: 3,
      problems: [],
    });
  });

  it('has no next item in a broken plan', () => {
    const path = put('TODO.md', '- [ ] a\n<<<<<<< x\n- [ ] b\n');
    expect(checkReport(opened(path))).toMatchObject({
      next: null,
      problems: [{ level: 'error', line: 2, column: 1 }],
    });
  });
});
