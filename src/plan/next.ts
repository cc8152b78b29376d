/** Picks the next item and says why it is that one. */

import type { Item, ItemStatus } from '../protocol.ts';
import { isOpen } from '../state.ts';
import { once } from '../util/once.ts';
import { itemCommand } from '../util/shell-word.ts';

export interface PickInput {
  readonly items: readonly Item[];
  /** The current status of an item, from the plan and the journal together. */
  readonly status: (item: Item) => ItemStatus;
  /** Consider only this item. */
  readonly only?: string;
}

export interface Pick {
  readonly next?: Item;
  /** A sentence for people: why this item, or why none. */
  readonly why: string;
  /** Open items that wait for other items. */
  readonly waiting: readonly Item[];
}

/**
 * An item in progress is resumed first; then the lowest priority number wins, ties in file order. An item waits until all
 * its dependencies are done or skipped, whatever its priority; a dependency on an unknown item is ignored. An item that
 * the plan has passed over is picked only if it is asked for by name.
 */
export function pickNext({ items, status, only }: PickInput): Pick {
  // Lazy: built only if an open item has dependencies. A plan may have many thousands of items, and every pick looks at all.
  const byId = once(() => new Map(items.map(item => [item.id, item])));
  const unmet = (item: Item): readonly string[] =>
    item.dependsOn.filter(id => {
      const other = byId().get(id);
      if (other === undefined) return false;
      const now = status(other);
      return now !== 'done' && now !== 'skipped';
    });

  const wanted = only === undefined ? items : items.filter(item => item.id === only);
  // An optional item is skipped by default, and done only if it is asked for by name.
  const isAsked = (item: Item) => only !== undefined && item.optional === true && status(item) === 'skipped';
  const waiting: Item[] = [];
  let first: Item | undefined;
  let next: Item | undefined;
  for (const item of wanted) {
    if (!isOpen(status(item)) && !isAsked(item)) continue;
    first ??= item;
    const waits = item.dependsOn.length > 0 && unmet(item).length > 0;
    if (waits || (item.passedOver !== undefined && only === undefined)) waiting.push(item);
    else if (!next || compareItems(item, next, status) < 0) next = item;
  }

  if (next === undefined) return { why: whyNone({ items, wanted, waiting, unmet, status, only }), waiting };
  if (only !== undefined) return { next, why: whyAsked(next, items, status), waiting };
  return { next, why: whyThis({ next, first: first ?? next, unmet, status }), waiting };
}

/** In the order of the plan's own tool if it has one; else items in progress, then by priority. */
export function compareItems(a: Item, b: Item, status: PickInput['status']): number {
  if (a.rank !== undefined && b.rank !== undefined) return a.rank - b.rank;
  return rank(a, status) - rank(b, status) || comparePriority(a.priority, b.priority);
}

/** In progress, then open, and last in progress with a note: the plan itself is not sure about those. */
function rank(item: Item, status: PickInput['status']): number {
  if (status(item) !== 'in-progress') return 1;
  return item.note === undefined ? 0 : 2;
}

function comparePriority(a: number | undefined, b: number | undefined): number {
  if (a === undefined || b === undefined) return (a === undefined ? 1 : 0) - (b === undefined ? 1 : 0);
  return a - b;
}

interface Chosen {
  readonly next: Item;
  readonly first: Item;
  readonly unmet: (item: Item) => readonly string[];
  readonly status: PickInput['status'];
}

function whyThis({ next, first, unmet, status }: Chosen): string {
  if (status(next) === 'in-progress' && next.note === undefined) return `${next.id} is in progress and is resumed`;
  if (next === first) return `${next.id} is the first open item`;
  if (first.passedOver !== undefined) return `${next.id} comes next: ${passedOver(first)}`;
  const waits = unmet(first);
  if (waits.length > 0) return `${next.id} comes before ${first.id}, which waits for ${waits.join(', ')}`;
  if (status(first) === 'in-progress')
    return `${next.id} comes before ${first.id}, which is ${first.note ?? 'in progress'}`;
  if (next.rank !== undefined && first.rank !== undefined)
    return `${next.id} comes before ${first.id} in the order of the plan's own tool`;
  const shown = (item: Item) => (item.priority === undefined ? 'no priority' : `priority ${item.priority}`);
  return `${next.id} (${shown(next)}) comes before ${first.id} (${shown(first)})`;
}

/** The reason for an item that was asked for by name, and which earlier items it is picked before. */
function whyAsked(next: Item, items: readonly Item[], status: PickInput['status']): string {
  const earlier = items.slice(0, items.indexOf(next)).filter(item => isOpen(status(item)));
  const [first] = earlier;
  if (first === undefined) return `${next.id} is the item that was asked for`;
  const more = earlier.length > 1 ? ` and ${earlier.length - 1} more before it are` : ' before it is';
  return `${next.id} is the item that was asked for; ${first.id}${more} still open`;
}

/** What a person can do about an item that the plan has passed over. */
export const passedOver = ({ id, passedOver: why }: Item): string =>
  `${id} ${why ?? ''}; ${itemCommand('reset', id)} goes back to it, ${itemCommand('skip', id)} leaves it out`;

interface None {
  readonly items: readonly Item[];
  readonly wanted: readonly Item[];
  readonly waiting: readonly Item[];
  readonly unmet: (item: Item) => readonly string[];
  readonly status: PickInput['status'];
  readonly only: string | undefined;
}

function whyNone({ items, wanted, waiting, unmet, status, only }: None): string {
  if (items.length === 0) return 'the plan holds no items';
  const [one] = wanted;
  if (only !== undefined && one === undefined) return `the plan has no item "${only}"`;
  const [first] = waiting;
  if (first?.passedOver !== undefined) return passedOver(first);
  if (first !== undefined) return `${first.id} waits for ${unmet(first).join(', ')}`;
  if (only !== undefined && one !== undefined) return `${one.id} is ${status(one)}`;
  const blocked = wanted.filter(item => status(item) === 'blocked');
  if (blocked.length > 0) return `nothing is left but blocked items: ${blocked.map(item => item.id).join(', ')}`;
  const optional = wanted.filter(item => item.optional === true && status(item) === 'skipped');
  if (optional.length > 0) {
    return `every required item is done or skipped; optional and open: ${optional.map(item => item.id).join(', ')}`;
  }
  return 'every item is done or skipped';
}

export interface Tally {
  readonly done: number;
  readonly total: number;
  readonly blocked: number;
  readonly skipped: number;
  /** Includes items in progress. */
  readonly pending: number;
}

/** Counts the items in each state. */
export function tally(items: readonly Item[], status: PickInput['status'] = item => item.status): Tally {
  const count = { done: 0, total: items.length, blocked: 0, skipped: 0, pending: 0 };
  for (const item of items) {
    const now = status(item);
    count[now === 'in-progress' ? 'pending' : now]++;
  }
  return count;
}
