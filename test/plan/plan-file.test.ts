/** The library's own way to read a plan and mark an item. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type PlanFile, planFile } from '../../src/index.ts';
import type { Result } from '../../src/util/result.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ralph-plan-file-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const LIST = '# Plan\r\n\r\n- [ ] A-1: first\r\n- [ ] A-2: second\r\n  words';

function write(name: string, text: string): string {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
}

function opened(result: Result<PlanFile>): PlanFile {
  if (!result.ok) throw new Error(result.error.message);
  return result.value;
}

it('says what is in a plan and what is next', () => {
  const plan = opened(planFile(write('PROGRESS.md', LIST)));
  expect(plan).toMatchObject({ format: 'checklist', name: 'Plan', problems: [] });
  expect(plan.items.map(({ id, body }) => [id, body])).toEqual([
    ['A-1', ''],
    ['A-2', 'words'],
  ]);
  expect(plan.next?.id).toBe('A-1');
});

it('marks an item in the file and nothing else in it', () => {
  const path = write('PROGRESS.md', LIST);
  const marked = opened(opened(planFile(path)).mark({ id: 'A-1', to: 'done' }));
  expect(readFileSync(path, 'utf8')).toBe(LIST.replace('[ ] A-1', '[x] A-1'));
  expect(marked.next?.id).toBe('A-2');
  expect(opened(marked.mark({ id: 'A-2', to: 'done' })).next).toBeUndefined();
  expect(readdirSync(folder)).toEqual(['PROGRESS.md']);
});

it('keeps what others wrote since it was opened', () => {
  const path = write('PROGRESS.md', LIST);
  const plan = opened(planFile(path));
  writeFileSync(path, `${LIST}\r\n- [ ] A-3: third`);
  expect(opened(plan.mark({ id: 'A-3', to: 'done' })).items).toHaveLength(3);
});

it.each([
  ['an item that is not there', LIST, { reason: 'unknown-item', hint: 'Did you mean "A-1"?' }],
  ['a plan with an error', `${LIST}\n<<<<<<< ours\n`, { reason: 'plan-invalid', line: 6 }],
])('refuses %s and writes nothing', (_, text, error) => {
  const path = write('PROGRESS.md', text);
  const marked = opened(planFile(path)).mark({ id: 'A-11', to: 'done' });
  expect(marked).toMatchObject({ ok: false, error: { ...error, file: path } });
  expect(readFileSync(path, 'utf8')).toBe(text);
});
