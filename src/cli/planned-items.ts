/** The items of the plan that a run would use, before there is a run. */
import type { PlanItem } from '../report/index.ts';
import { locatePlan, openProject } from '../start/index.ts';
import { fold, type RunState } from '../state.ts';
import { type Failure, fail, ok, type Result } from '../util/result.ts';

export interface Items {
  readonly name: string;
  /** Null before the first run. */
  readonly run: string | null;
  readonly state: RunState;
  readonly items: readonly PlanItem[];
  readonly isLive: boolean;
}

/** Returns the failure `noRun` if there is no plan either. */
export async function plannedItems(noRun: Failure): Promise<Result<Items>> {
  const project = await openProject({ cwd: process.cwd(), env: process.env });
  const plan = project.ok ? locatePlan(project.value) : undefined;
  if (!plan) return fail(noRun);
  if (!plan.ok) return fail<Failure>(plan.error.failure);
  const { name, items } = plan.value.plan;
  return ok({ name, run: null, state: fold([]), items, isLive: false });
}
