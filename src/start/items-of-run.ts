/** The items of a run's plan, also where the checkout that the run works in is gone or on another branch. */
import { join } from 'node:path';
import { openPlan } from '../plan/index.ts';
import type { Item, PlanFormat } from '../protocol.ts';
import { runItems } from '../report/index.ts';
import type { RunState } from '../state.ts';
import { isOnOtherBranch, type Repository } from '../workspace/index.ts';

export type ItemOfRun = Pick<Item, 'id' | 'title' | 'status' | 'note'>;

interface Where {
  readonly repository: Repository;
  readonly formats?: readonly PlanFormat[] | undefined;
}

/** As the run's own copy of the plan has them, else as that of the user's checkout; those that the run knows, where neither is there. */
export function itemsOfRun({ repository, formats = [] }: Where, state: RunState): readonly ItemOfRun[] {
  const { workspace, plan, branch } = state;
  const known = () => [...state.items].map(([id, { title, status }]) => ({ id, title, status }));
  const ids = [...state.items.keys()];
  const own = openPlan(join(repository.root, workspace, plan.path), { formats });
  const isOwn = workspace !== '.' || !isOnOtherBranch(repository, branch);
  if (own.ok && isOwn) return runItems<ItemOfRun>(own.value.plan.items, { ids, items: known });
  const other = workspace === '.' ? own : openPlan(join(repository.root, plan.path), { formats });
  if (!other.ok) return known();
  // What was done before the run began need not be marked there.
  const given = new Set(state.given);
  const items = other.value.plan.items.map(({ id, title, status, note }) => ({
    id,
    title,
    status: given.has(id) && status === 'pending' ? ('done' as const) : status,
    ...(note === undefined ? {} : { note }),
  }));
  return runItems<ItemOfRun>(items, { ids, items: known });
}
