import { expect } from 'vitest';
import { checklist } from '../../src/plan/checklist.ts';
import { prd } from '../../src/plan/prd.ts';
import type { Mark, Plan, PlanDocument, PlanFiles, PlanFormat } from '../../src/protocol.ts';
import { texts } from './texts.ts';

export const noFiles: PlanFiles = { read: () => undefined, isFolder: () => false, list: () => [] };

export const runs = Number(process.env['RALPH_PROPERTY_RUNS'] ?? 500);

export const parsePrd = (plan: unknown): Plan =>
  texts(prd).parse(typeof plan === 'string' ? plan : JSON.stringify(plan, null, 2), 'plans/prd.json', noFiles);

export const parseList = (text: string): Plan => texts(checklist).parse(text, 'docs/PROGRESS.md', noFiles);

export const messages = (plan: Plan, level: 'error' | 'warning' = 'warning'): readonly string[] =>
  plan.problems.filter(problem => problem.level === level).map(({ message }) => message);

/** Marks and insists that it worked. */
export function marked(format: PlanFormat, text: string, mark: Mark): string {
  const result = texts(format).mark(text, mark);
  if (!result.ok) throw new Error(result.error.message);
  return result.value;
}

/** What is known early, and what a mark does before anybody asked for items, must be what the whole reading says. */
export function agrees(format: PlanFormat, text: string): void {
  const document = () => format.parse(text, 'plan', noFiles);
  const { ids, error } = document().plan;
  const { plan } = document();
  expect(ids).toEqual(plan.items.map(({ id }) => id));
  expect(error).toEqual(plan.problems.find(({ level }) => level === 'error'));
  const read = document();
  expect(read.plan.items).toHaveLength(ids.length);
  const changes = (of: PlanDocument, id: string, to: Mark['to']) =>
    [of.mark({ id, to, note: 'why', at: 0 }), of.begin?.({ id, attempt: 2, at: 0 })].map(each =>
      each?.ok ? each.value.text : each?.error,
    );
  for (const id of [...ids.slice(0, 3), 'no such item']) {
    for (const to of ['done', 'pending', 'blocked', 'skipped'] as const) {
      expect(changes(document(), id, to)).toEqual(changes(read, id, to));
    }
  }
}
