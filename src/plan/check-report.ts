import type { ItemStatus, Plan, Problem } from '../protocol.ts';
import { deadlock } from './dependencies.ts';
import { pickNext, tally } from './next.ts';
import type { OpenPlan } from './read-file.ts';

/** What `ralph check --json` prints. */
export interface CheckReport {
  readonly format: Plan['format'];
  readonly path: string;
  readonly items: readonly {
    readonly id: string;
    readonly title: string;
    readonly status: ItemStatus;
    readonly priority: number | null;
    readonly dependsOn: readonly string[];
    readonly line: number;
  }[];
  readonly next: string | null;
  readonly done: number;
  readonly total: number;
  readonly problems: readonly Problem[];
}

/** The report on a plan as its file has it. A plan with an error has no next item. */
export function checkReport({ plan, path }: OpenPlan): CheckReport {
  const { next } = pickNext({ items: plan.items, status: item => item.status });
  const { done, total } = tally(plan.items);
  // Of such a plan no run can start.
  const dead = deadlock(plan.items)?.message;
  return {
    format: plan.format,
    path,
    items: plan.items.map(({ id, title, status, priority, dependsOn, line }) => ({
      id,
      title,
      status,
      priority: priority ?? null,
      dependsOn,
      line,
    })),
    next: plan.error ? null : (next?.id ?? null),
    done,
    total,
    problems: plan.problems.map(problem => (problem.message === dead ? { ...problem, level: 'error' } : problem)),
  };
}
