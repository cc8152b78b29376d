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
