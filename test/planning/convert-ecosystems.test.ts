/** Plans of other tools, and issues, as a prd.json or a checklist: the same items, and what is lost is listed. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { openPlan } from '../../src/plan/open.ts';
import { convertPlan } from '../../src/planning/convert-plan.ts';
import { describeLost } from '../../src/planning/lost.ts';
import type { Item } from '../../src/protocol.ts';
import { ecosystemRows } from '../brief/golden-ecosystems.ts';
import { makeRepo } from '../support/repo.ts';

const base = mkdtempSync(join(tmpdir(), 'ralph-convert-'));
afterAll(() => rmSync(base, { recursive: true, force: true }));

function opened({ format, plan, files }: (typeof ecosystemRows)[number]) {
  const root = join(base, format);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  const open = openPlan(join(root, plan));
  if (!open.ok) throw new Error(open.error.message);
  return open.value;
}

/** What a plan of any format says about an item; work that is under way begins anew elsewhere. */
const facts = ({ id, title, status, criteria }: Item) => ({
  id,
  title,
  status: status === 'in-progress' ? 'pending' : status,
  criteria,
});

describe.each(ecosystemRows)('$format', row => {
  test.each(['prd', 'checklist'] as const)('to a %s', to => {
    const open = opened(row);
    const converted = convertPlan(open, to);
    if (!converted.ok) throw new Error(converted.error.message);
    const { items, lost, text } = converted.value;
    const byId = (list: readonly Item[]) => list.map(facts).toSorted((a, b) => (a.id < b.id ? -1 : 1));
    expect(byId(items)).toEqual(byId(open.plan.items));
    if (to === 'prd')
      expect(items.map(({ dependsOn }) => dependsOn)).toEqual(open.plan.items.map(({ dependsOn }) => dependsOn));
    const told = lost.map(describeLost).join('\n');
    if ((open.plan.documents ?? []).length > 0) expect(told).toContain('the documents it comes with');
    if (open.plan.items.some(({ section = '' }) => section !== '')) expect(told).toContain('the prose of its sections');
    expect(text).not.toContain('@example.org');
  });
});

test('on the command line: refused with a list, written with --lossy, and the new plan is as far', async () => {
  const [row] = ecosystemRows;
  const repo = makeRepo({ files: row.files });
  const refused = await repo.ralph(['convert', row.plan, '--to', 'prd', '--out', 'prd.json']);
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('the documents it comes with') });
  expect((await repo.ralph(['convert', row.plan, '--to', 'prd', '--out', 'prd.json', '--lossy'])).code).toBe(0);
  const read = JSON.parse((await repo.ralph(['check', 'prd.json', '--json'])).stdout) as {
    done: number;
    next: string;
  };
  expect(read).toMatchObject({ done: 2, next: 'T003' });
});
