/** `ralph items` */
import { itemCounts, itemJson, itemTable, overview, type PlanItem, painter } from '../report/index.ts';
import { locatePlan, openProject } from '../start/index.ts';
import { fold, type RunState } from '../state.ts';
import { type Failure, fail, ok, type Result } from '../util/result.ts';
import { plain } from '../util/show.ts';
import { type Call, type Handler, switchFlag } from './command.ts';
import { currentRun } from './current-run.ts';
import { columnsOf, complain, print, wantsColor } from './print.ts';

export const items: Handler = async call => {
  const found = await itemsHere(call);
  if (!found.ok) return complain(found.error, 1);
  const { name, run, state } = found.value;
  const view = overview(state, found.value.items);
  if (switchFlag(call, 'json')) {
    print(JSON.stringify({ run, items: view.rows.map(itemJson) }, undefined, 2));
    return 0;
  }
  const paint = painter({ color: wantsColor() });
  print(`${plain(run ?? name)}: ${itemCounts(view)}${run === null ? ', no run yet' : ''}`);
  print('');
  if (view.rows.length > 0) print(itemTable({ rows: view.rows, paint, columns: columnsOf() }).join('\n'));
  return 0;
};

interface Items {
  readonly name: string;
  /** Null before the first run. */
  readonly run: string | null;
  readonly state: RunState;
  readonly items: readonly PlanItem[];
}

/** Of the run here; where there has been none, as the plan has them. */
async function itemsHere(call: Call): Promise<Result<Items>> {
  const current = await currentRun(call);
  if (current.ok) {
    const { state } = current.value;
    return ok({ name: state.plan.name, run: state.run, state, items: current.value.items });
  }
  if (current.error.reason !== 'no-run') return current;
  const project = await openProject({ cwd: process.cwd(), env: process.env });
  const plan = project.ok ? locatePlan(project.value) : undefined;
  if (!plan) return fail(current.error);
  if (!plan.ok) return fail<Failure>(plan.error.failure);
  const { name, items: found } = plan.value.plan;
  return ok({ name, run: null, state: fold([]), items: found });
}
