/** The current plan of a run, cached as long as its file is unchanged. */
import { join } from 'node:path';
import { fileVersion } from '../journal/index.ts';
import { openPlan } from '../plan/index.ts';
import type { Item } from '../protocol.ts';
import { runItems } from '../report/index.ts';
import { itemsOfRun, type Project } from '../start/index.ts';
import type { ItemState } from '../state.ts';
import { keepNewest } from '../util/bounded.ts';
import type { Failure } from '../util/result.ts';
import type { Place } from './place.ts';
import type { RunFacts } from './run-index.ts';

export interface PlanNow {
  readonly items: readonly Item[];
  /** Why `items` come from the journal and not from the plan. */
  readonly problem: Failure | undefined;
}

interface Known {
  readonly version: string;
  readonly items: readonly Item[] | Failure;
}

/** How many plans stay cached. */
const KEPT = 8;

export function plansOf(project: Project): { of(place: Place, facts: RunFacts): PlanNow } {
  const { formats = [] } = project;
  const known = new Map<string, Known>();
  const read = (path: string): readonly Item[] | Failure => {
    const version = fileVersion(path);
    const before = known.get(path);
    if (before && before.version === version) return before.items;
    const plan = openPlan(path, { formats });
    const items = plan.ok
      ? plan.value.plan.error
        ? problemOf(path, plan.value.plan.error)
        : plan.value.plan.items
      : plan.error;
    known.delete(path);
    if (version !== undefined) known.set(path, { version, items });
    keepNewest(known, KEPT);
    return items;
  };
  return {
    of: (place, { state }) => {
      if (state.promptText !== undefined || state.plan.path === '')
        return { items: fromState(state), problem: undefined };
      const items = read(join(place.root, state.workspace, state.plan.path));
      if (!Array.isArray(items)) return { items: fromState(state), problem: items as Failure };
      const plan = items as readonly Item[];
      // Another branch may be checked out, with another plan or an older state of this one.
      return {
        items:
          place.name === null
            ? itemsOfRun(project, state, { plan, make: itemOf })
            : runItems(plan, { ids: state.items.keys(), items: () => fromState(state) }),
        problem: undefined,
      };
    },
  };
}

const problemOf = (
  file: string,
  { line, column, message }: { line: number; column: number; message: string },
): Failure => ({
  reason: 'plan-unreadable',
  message,
  file,
  line,
  column,
  hint: 'See all of it with: ralph check',
});

const fromState = (state: RunFacts['state']): readonly Item[] => [...state.items].map(([id, item]) => itemOf(id, item));

function itemOf(id: string, { title, status }: ItemState): Item {
  const nothing = { dependsOn: [], line: 0, body: '', criteria: [], verify: [], changeOptional: false };
  return { id, title, status, ...nothing };
}
