/** `ralph items` */
import { itemCounts, itemJson, itemTable, overview, painter } from '../report/index.ts';
import { ok, type Result } from '../util/result.ts';
import { plain } from '../util/show.ts';
import { type Call, type Handler, switchFlag } from './command.ts';
import type { Items } from './planned-items.ts';
import { columnsOf, complain, printOnce, wantsColor } from './print.ts';
import { lookAtRun } from './quick-look.ts';

export const items: Handler = async call => {
  const found = await itemsHere(call);
  if (!found.ok) return complain(found.error, 1);
  const { name, run, state } = found.value;
  const view = overview(state, found.value.items, { isLive: found.value.isLive });
  if (switchFlag(call, 'json')) {
    printOnce(JSON.stringify({ run, items: view.rows.map(itemJson) }, undefined, 2));
    return 0;
  }
  const paint = painter({ color: wantsColor() });
  const first = `${plain(run ?? name)}: ${itemCounts(view)}${run === null ? ', no run yet' : ''}`;
  const table = view.rows.length > 0 ? itemTable({ rows: view.rows, paint, columns: columnsOf() }) : [];
  printOnce([first, '', ...table].join('\n'));
  return 0;
};

/** The items of the current run, or of the plan if there has been no run. */
async function itemsHere(call: Call): Promise<Result<Items>> {
  const current = await lookAtRun(call);
  if (!current.ok) {
    if (current.error.reason !== 'no-run') return current;
    return await (await import('./planned-items.ts')).plannedItems(current.error);
  }
  const { state, items: found, owner } = current.value;
  return ok({ name: state.plan.name, run: state.run, state, items: found, isLive: owner !== undefined });
}
