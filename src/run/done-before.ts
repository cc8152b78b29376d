/** The result of running a plan in which nothing is left to do. */
import type { OpenPlan } from '../plan/index.ts';
import type { PlanItem, RunCommits } from '../report/index.ts';
import { isApart, itemsOfRun, openRuns, type Project, runCommits, runMeant } from '../start/index.ts';
import { fold, type ItemState, type RunState } from '../state.ts';

export interface DoneBefore {
  readonly type: 'finished';
  readonly exit: 0;
  readonly reason: 'complete';
  readonly why: string;
  readonly state: RunState;
  readonly plan: OpenPlan;
  readonly items: readonly PlanItem[];
  readonly taken?: boolean;
  readonly others: readonly string[];
  readonly isNamed?: boolean;
  readonly commits?: RunCommits | undefined;
}

/** Reports the plan's last run, if there is one. */
export async function doneBefore(
  project: Project,
  { plan, state }: { readonly plan: OpenPlan; readonly state?: RunState | undefined },
): Promise<DoneBefore> {
  const { folder } = project;
  const open = openRuns(folder).filter(({ run }) => run !== state?.run);
  const taken = state !== undefined && state.commits > 0 && !(await isApart(project, state));
  return {
    type: 'finished',
    exit: 0,
    reason: 'complete',
    why: 'every item was done before',
    state: state ?? fold([]),
    plan,
    items: state ? itemsOfRun<PlanItem>(project, state, { plan: plan.plan.items, make: asItem }) : plan.plan.items,
    others: open.map(({ run }) => run),
    ...(state && runMeant(folder) !== state.run ? { isNamed: true } : {}),
    ...(taken ? { taken } : {}),
    ...(state ? { commits: await runCommits(project, state) } : {}),
  };
}

const asItem = (id: string, { title, status }: ItemState): PlanItem => ({ id, title, status });
