/** A run marks one item after the other: what the plan said before a mark must not stay in memory. */
import { setImmediate as soon } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { checklist } from '../../src/plan/checklist.ts';
import { prd } from '../../src/plan/prd.ts';
import { sprint } from '../../src/plan/sprint.ts';
import type { Plan, PlanDocument, PlanFiles, PlanFormat } from '../../src/protocol.ts';

const noFiles: PlanFiles = { read: () => undefined, isFolder: () => false, list: () => [] };
const ids = ['A-1', 'A-2', 'A-3'];

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** Marks every item, asking for the items before each mark as a run does; gives the last document and what the plan was before. */
function markAll(format: PlanFormat, text: string): { last: PlanDocument; before: readonly WeakRef<Plan>[] } {
  let last = format.parse(text, 'plan', noFiles);
  const before: WeakRef<Plan>[] = [];
  for (const { id } of last.plan.items) {
    const marked = last.mark({ id, to: 'done' });
    if (!marked.ok) throw new Error(marked.error.message);
    before.push(new WeakRef(last.plan));
    last = marked.value;
    expect(last.plan.items.find(item => item.id === id)?.status).toBe('done');
  }
  return { last, before };
}

test.each<{ name: string; format: PlanFormat; text: string }>([
  {
    name: 'a prd.json',
    format: prd,
    text: JSON.stringify({ userStories: ids.map(id => ({ id, title: id, passes: false })) }),
  },
  { name: 'a checklist', format: checklist, text: ids.map(id => `- [ ] ${id}: words\n`).join('') },
  {
    name: 'a sprint',
    format: sprint,
    text: `sprint-id: s\nphases:\n${ids.map(id => `  - id: ${id}\n    status: pending\n    prompt: words\n`).join('')}`,
  },
])('$name', async ({ format, text }) => {
  const { last, before } = markAll(format, text);
  // What was referred to in this turn of the event loop stays until the next one, and one collection need not find all.
  const kept = () => before.filter(each => each.deref() !== undefined).length;
  for (let round = 0; round < 20 && (round === 0 || kept() > 0); round++) {
    await soon();
    collect();
  }
  expect(kept()).toBe(0);
  expect(last.plan.items).toHaveLength(ids.length);
});
