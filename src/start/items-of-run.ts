/** The items of a run as its own branch has them, whichever branch is checked out and whatever later runs did. */
import { join } from 'node:path';
import { planKey, type RalphFolder, storeOf } from '../journal/index.ts';
import { openPlan } from '../plan/index.ts';
import { type PlanItem, runItems } from '../report/index.ts';
import { type ItemState, openAgain, type RunState } from '../state.ts';
import { isElsewhere, isWorkedOnElsewhere } from './already-done.ts';
import { withEarlier } from './find-run.ts';
import type { Project } from './project.ts';

export interface ItemSource<T> {
  /** The items of the plan's file where the run worked; undefined if that cannot be read. */
  readonly plan: readonly T[] | undefined;
  /** An item that the file does not have. */
  readonly make: (id: string, item: ItemState) => T;
}

export function itemsOfRun<T extends PlanItem>(
  project: Project,
  state: RunState,
  { plan, make }: ItemSource<T>,
): readonly T[] {
  const { folder } = project;
  const itemsOf = ({ items }: RunState) => [...items].map(([id, item]) => make(id, item));
  // The file says what the later run did, too.
  if (plan === undefined || wasContinued(folder, state)) return itemsOf(withEarlier(folder, state));
  if (!isAway(project, state, plan)) return plan;
  const known = withEarlier(folder, state);
  const now = plan.map(item => (isDoneThere(known, item) ? { ...item, status: 'done' as const } : item));
  // Of a plan whose run is complete, only what was taken back is left to do.
  const isOver = state.finished?.reason === 'complete';
  const its = [...known.items].filter(
    ([id, { status }]) => !isOver || status !== 'pending' || openAgain(state).includes(id),
  );
  return runItems(now, { ids: its.map(([id]) => id), items: () => itemsOf(known) });
}

/** The same, from the plan where the run worked; where its worktree is gone, from the plan in the checkout of the person. */
export function readItemsOfRun(project: Project, state: RunState): readonly PlanItem[] {
  const { repository, folder, formats = [] } = project;
  const planIn = (workspace: string): readonly PlanItem[] | undefined => {
    const open = openPlan(join(repository.root, workspace, state.plan.path), { formats });
    return open.ok ? open.value.plan.items : undefined;
  };
  const make = (id: string, { title, status }: ItemState): PlanItem => ({ id, title, status });
  const own = planIn(state.workspace);
  const here = own === undefined && state.workspace !== '.' ? planIn('.') : undefined;
  if (!here) return itemsOfRun(project, state, { plan: own, make });
  // What was done before the run began need not be marked there.
  const given = new Set(state.given);
  const isGiven = ({ id, status }: PlanItem) => status === 'pending' && given.has(id);
  const items = here.map(item => (isGiven(item) ? { ...item, status: 'done' as const } : item));
  const known = [...withEarlier(folder, state).items];
  return runItems(items, { ids: known.map(([id]) => id), items: () => known.map(([id, item]) => make(id, item)) });
}

/** The checkout has another branch than the run's, so its plan is another one or an older state of the same. */
const isAway = (project: Project, state: RunState, items: readonly PlanItem[]): boolean =>
  state.workspace === '.' && (isElsewhere(project, { items }, state) || isWorkedOnElsewhere(project, state));

const isDoneThere = ({ items }: RunState, { id, status }: PlanItem): boolean =>
  status === 'pending' && items.get(id)?.status === 'done';

/** A later run of the plan went on from the end of this one, on its branch. */
function wasContinued(folder: RalphFolder, { run, plan, promptText, branch, finished }: RunState): boolean {
  if (finished?.reason !== 'complete') return false;
  const key = planKey({ ...plan, ...(promptText === undefined ? {} : { promptText }) });
  const store = storeOf(folder);
  const newest = store.runsWithPlans().find(listed => {
    if (listed.run === run) return true;
    const first = listed.plan === key ? store.firstRecord(listed.run) : undefined;
    return first?.type === 'run.started' && first.branch === branch;
  });
  return newest !== undefined && newest.run !== run;
}
