/** Turns tasks and subtasks of task-master into items, with states, dependencies and order as in its own `next` command. */
import type { Item, ItemStatus, Problem } from '../../protocol.ts';
import type { JsonRecord } from '../../util/json.ts';
import type { Place } from '../../util/text.ts';
import { isClosed, type RawTask, type Unit } from './task-master-read.ts';

const STATES: Readonly<Record<string, ItemStatus>> = {
  done: 'done',
  completed: 'done',
  pending: 'pending',
  'in-progress': 'in-progress',
  // A person has to look at it.
  review: 'blocked',
  blocked: 'blocked',
  deferred: 'skipped',
  cancelled: 'skipped',
};

const PRIORITY: Readonly<Record<string, number>> = { critical: 0, high: 1, medium: 2, low: 3 };
const MEDIUM = 2;

interface Items {
  readonly items: readonly Item[];
  readonly problems: readonly Problem[];
}

export function itemsOf(units: readonly Unit[], at: (offset: number) => Place): Items {
  const problems: Problem[] = [];
  const known = new Map<string, readonly Unit[]>();
  const tasks = new Map<string, RawTask>();
  for (const unit of units) {
    known.set(unit.id, [unit]);
    const { parent } = unit;
    if (parent) known.set(parent.id, [...(known.get(parent.id) ?? []), unit]);
    tasks.set(unit.id, unit);
    if (parent) tasks.set(parent.id, parent);
  }
  const rank = rankOf(units);
  const items = units.map(unit => {
    const warn = (message: string) =>
      problems.push({ level: 'warning', ...at(unit.node.start), message: `${unit.id}: ${message}` });
    const own = stateOf(unit, warn);
    const needs = needsOf(unit, tasks);
    const dead = needs.map(id => deadEnd(id, tasks.get(id))).find(why => why !== undefined);
    const isOpen = own.status === 'pending' || own.status === 'in-progress';
    if (isOpen && dead !== undefined) warn(`it waits for ${dead}, so task-master never offers it`);
    const state: typeof own = isOpen && dead !== undefined ? { status: 'blocked', note: `waits for ${dead}` } : own;
    const dependsOn = needs.flatMap(id => {
      const task = tasks.get(id);
      return task && !isClosed(task.status) ? (known.get(id) ?? []).map(each => each.id) : [];
    });
    return itemOf(unit, {
      state,
      dependsOn: [...new Set(dependsOn)],
      rank: rank.get(unit) ?? 0,
      line: at(unit.node.start).line,
    });
  });
  return { items, problems };
}

interface State {
  readonly status: ItemStatus;
  readonly note?: string;
}

function stateOf({ status, parent }: Unit, warn: (message: string) => void): State {
  const own = STATES[status];
  if (own === undefined) {
    warn(`the status "${status}" is not one of task-master's; it is left alone`);
    return { status: 'blocked', note: `its status is "${status}"` };
  }
  if (own === 'done') return { status: own };
  const above = parent && STATES[parent.status];
  if (parent && above === 'done') {
    warn(`it is ${status}, but its task ${parent.id} is done, so task-master never offers it`);
    return { status: 'skipped', note: `its task ${parent.id} is done` };
  }
  if (parent && (above === 'skipped' || above === 'blocked')) {
    return { status: above, note: `its task ${parent.id} is ${parent.status}` };
  }
  return own === 'pending' || own === 'in-progress' ? { status: own } : { status: own, note: status };
}

/** Its dependencies. A bare number in a subtask means a sibling. A task's dependencies apply to its parts until it is begun. */
function needsOf({ value, parent }: Unit, tasks: ReadonlyMap<string, RawTask>): readonly string[] {
  const listed = (of: JsonRecord) => {
    const list: unknown = of['dependencies'];
    return Array.isArray(list) ? list.filter(each => /^(?:string|number)$/.test(typeof each)).map(String) : [];
  };
  if (!parent) return listed(value);
  const siblings = listed(value).map(id => (!id.includes('.') || tasks.has(`${parent.id}.${id}`) ? siblingOf(id) : id));
  return [...siblings, ...(parent.status === 'in-progress' ? [] : listed(parent.value))];

  function siblingOf(id: string): string {
    const sibling = `${parent?.id}.${id}`;
    return tasks.has(sibling) || !tasks.has(id) ? sibling : id;
  }
}

/** Describes a dependency that can never be satisfied. */
function deadEnd(id: string, task: RawTask | undefined): string | undefined {
  if (!task) return `${id}, which is no task of this tag`;
  return STATES[task.status] === 'skipped' ? `${id}, which is ${task.status}` : undefined;
}

/** In the order in which task-master picks: parts of tasks in progress first, then priority, fewer dependencies, number. */
function rankOf(units: readonly Unit[]): ReadonlyMap<Unit, number> {
  const begun = (unit: Unit) => (unit.parent?.status === 'in-progress' ? 0 : 1);
  const key = (unit: Unit): readonly number[] => {
    const top = unit.parent ?? unit;
    const own = [priorityOf(unit), countOf(unit), numberOf(top), numberOf(unit)];
    return begun(unit) === 0 ? [0, ...own] : [1, priorityOf(top), countOf(top), numberOf(top), ...own];
  };
  const sorted = units
    .map((unit, index) => ({ unit, key: [...key(unit), index] }))
    .toSorted((a, b) => a.key.map((value, n) => value - (b.key[n] ?? 0)).find(difference => difference !== 0) ?? 0);
  return new Map(sorted.map(({ unit }, index) => [unit, index]));
}

function priorityOf(unit: RawTask & Pick<Unit, 'parent'>): number {
  const word: unknown = unit.value['priority'] ?? unit.parent?.value['priority'];
  return (typeof word === 'string' ? PRIORITY[word.toLowerCase()] : undefined) ?? MEDIUM;
}

const countOf = ({ value }: RawTask): number =>
  Array.isArray(value['dependencies']) ? value['dependencies'].length : 0;

/** Ids that are not numbers keep the order of the file. */
const numberOf = ({ value }: RawTask): number => {
  const number = Number(value['id']);
  return Number.isFinite(number) ? number : 0;
};

const words = (value: unknown): string => (typeof value === 'string' ? value.trim() : '');

interface Found {
  readonly state: State;
  readonly dependsOn: readonly string[];
  readonly rank: number;
  readonly line: number;
}

const strategyOf = (value: unknown): string => {
  const said = words(value);
  return said === '' ? '' : `How all of it is tested: ${said}`;
};

function itemOf(unit: Unit, { state, dependsOn, rank, line }: Found): Item {
  const { id, value, parent } = unit;
  const strategy = words(value['testStrategy']);
  const about = parent
    ? [
        `Part of ${parent.id}: ${words(parent.value['title'])}`,
        words(parent.value['description']),
        words(parent.value['details']),
        strategyOf(parent.value['testStrategy']),
      ]
    : [];
  const description = words(value['description']);
  return {
    id,
    title: words(value['title']) || description || id,
    status: state.status,
    priority: priorityOf(unit),
    rank,
    dependsOn,
    line,
    body: [description, words(value['details'])].filter(Boolean).join('\n\n'),
    criteria: strategy === '' ? [] : [strategy],
    verify: [],
    changeOptional: false,
    ...(parent ? { section: about.filter(Boolean).join('\n\n') } : {}),
    ...(state.note === undefined ? {} : { note: state.note }),
  };
}
