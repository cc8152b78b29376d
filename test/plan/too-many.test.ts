/** A plan that is longer than a run can be is refused at once; one of a hundred thousand items is read. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openPlan, openPlanIn } from '../../src/plan/open.ts';
import { MAX_ITEMS } from '../../src/plan/too-many.ts';

const folder = mkdtempSync(join(tmpdir(), 'ralph-many-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const boxes = (count: number) => `# Plan\n\n${Array.from({ length: count }, (_, n) => `- [ ] step ${n}\n`).join('')}`;
const stories = (count: number) =>
  `{"userStories":[${Array.from({ length: count }, (_, n) => `{"id":"${n}","title":"t","passes":false}`).join(',')}]}`;

test.for([
  ['TODO.md', boxes],
  ['prd.json', stories],
] as const)('%s', ([name, text]) => {
  const file = join(folder, name);
  writeFileSync(file, text(MAX_ITEMS + 1));
  for (const opened of [openPlan(file), openPlanIn(folder)]) {
    expect(opened?.ok === false && opened.error).toMatchObject({ reason: 'plan-too-many', file });
    expect(opened?.ok === false && opened.error.hint).toContain('Split it');
  }
  writeFileSync(file, text(100_000));
  const fits = openPlan(file);
  expect(fits.ok && fits.value.plan.ids).toHaveLength(100_000);
  rmSync(file);
});
