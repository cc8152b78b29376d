import { expect } from 'vitest';
import { checklist } from '../../src/plan/checklist.ts';
import { prd } from '../../src/plan/prd.ts';
import type { Plan, PlanFiles, PlanFormat } from '../../src/protocol.ts';

export const noFiles: PlanFiles = { read: () => undefined, isFolder: () => false, list: () => [] };

export const runs = Number(process.env['RALPH_PROPERTY_RUNS'] ?? 500);

export const parsePrd = (plan: unknown): Plan =>
  prd.parse(typeof plan === 'string' ? plan : JSON.stringify(plan, null, 2), 'plans/prd.json', noFiles);

export const parseList = (text: string): Plan => checklist.parse(text, 'docs/PROGRESS.md', noFiles);

export const messages = (plan: Plan, level: 'error' | 'warning' = 'warning'): readonly string[] =>
  plan.problems.filter(problem => problem.level === level).map(({ message }) => message);

/** Marks and insists that it worked. */
export function marked(format: PlanFormat, text: string, mark: Parameters<PlanFormat['mark']>[1]): string {
  const result = format.mark(text, mark);
  if (!result.ok) throw new Error(result.error.message);
  return result.value;
}

/** What a text says if nobody has read it before. */
function afresh<T>(format: PlanFormat, ask: () => T): T {
  format.parse('', 'plan', noFiles);
  return ask();
}

/** What is known early, and what a mark does to a plan that nobody has read, must be what the whole reading says. */
export function agrees(format: PlanFormat, text: string): void {
  const early = afresh(format, () => {
    const { name, ids, error } = format.parse(text, 'plan', noFiles);
    return { name, ids: [...ids], error };
  });
  const plan = afresh(format, () => format.parse(text, 'plan', noFiles));
  expect(early.ids).toEqual(plan.items.map(({ id }) => id));
  expect(early.error).toEqual(plan.problems.find(({ level }) => level === 'error'));
  expect(early.name).toEqual(format.parse(text, 'plan', noFiles).name);
  for (const id of [...early.ids.slice(0, 3), 'no such item']) {
    for (const to of ['done', 'pending', 'blocked', 'skipped'] as const) {
      const mark = { id, to, note: 'why', at: 0 };
      const change = () => [format.mark(text, mark), format.begin?.(text, { id, attempt: 2, at: 0 })];
      const unread = afresh(format, change);
      expect(unread).toEqual(
        afresh(format, () => {
          expect(format.parse(text, 'plan', noFiles).items).toHaveLength(early.ids.length);
          return change();
        }),
      );
    }
  }
}
