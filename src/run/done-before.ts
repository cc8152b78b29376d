/** The result of running a plan in which nothing is left to do. */
import type { OpenPlan } from '../plan/index.ts';
import type { RunCommits } from '../report/index.ts';
import { isApart, type Project, runCommits } from '../start/index.ts';
import { fold, type RunState } from '../state.ts';

export interface DoneBefore {
  readonly type: 'finished';
  readonly exit: 0;
  readonly reason: 'complete';
  readonly why: string;
  readonly state: RunState;
  readonly plan: OpenPlan;
  readonly taken?: boolean;
  readonly commits?: RunCommits | undefined;
}

/** Reports the plan's last run, if there is one. */
export async function doneBefore(
  project: Project,
  { plan, state }: { readonly plan: OpenPlan; readonly state?: RunState | undefined },
): Promise<DoneBefore> {
  const taken = state !== undefined && state.commits > 0 && !(await isApart(project, state));
  return {
    type: 'finished',
    exit: 0,
    reason: 'complete',
    why: 'every item was done before',
    state: state ?? fold([]),
    plan,
    ...(taken ? { taken } : {}),
    ...(state ? { commits: await runCommits(project, state) } : {}),
  };
}
