/** Chooses the items that several workers may start now: next in order, and unlikely to conflict with each other. */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { commonPath, pathsNamed } from '../plan/index.ts';
import type { Item, ItemStatus } from '../protocol.ts';
import { type ItemState, itemOf } from '../state.ts';
import { pickItem } from './pick-item.ts';
import type { Session } from './session.ts';

/** After this many times sent back, or this many deaths of the runner, an item is worked on alone. */
const TROUBLED = 2;
/** How many of the most likely files count, of those that similar items changed in earlier runs. */
const LIKELY = 2;
/** How many items that have to wait may be passed over per free worker. */
const LOOKED_PAST = 8;

export interface AtWork {
  readonly item: Item;
  /** What the item's agent has changed so far. */
  readonly touched: () => Promise<readonly string[]>;
}

export interface Choice {
  readonly items: readonly Item[];
  readonly status: (item: Item) => ItemStatus;
  readonly atWork: readonly AtWork[];
  readonly free: number;
}

export interface KeptApart {
  readonly item: Item;
  readonly why: string;
}

export interface Chosen {
  readonly next: readonly Item[];
  readonly apart: readonly KeptApart[];
}

export async function chooseItems(session: Session, { items, status, atWork, free }: Choice): Promise<Chosen> {
  const next: Item[] = [];
  const apart: KeptApart[] = [];
  const taken = new Set(atWork.map(({ item }) => item.id));
  // An item in work counts as neither open nor done, so items that depend on it keep waiting.
  const seen = (item: Item): ItemStatus => (taken.has(item.id) ? 'blocked' : status(item));
  const tries = free * (1 + LOOKED_PAST);
  for (let tried = 0; tried < tries && next.length < free; tried++) {
    const item = pickItem(session, { items, status: seen }).next;
    if (!item) break;
    taken.add(item.id);
    const beside = [...atWork, ...next.map(each => ({ item: each, touched: nothing }))];
    const why = await whyApart(session, item, beside);
    if (why === undefined) next.push(item);
    else apart.push({ item, why });
  }
  return { next, apart };
}

const nothing = () => Promise.resolve([]);

async function whyApart(session: Session, item: Item, beside: readonly AtWork[]): Promise<string | undefined> {
  const alone = [item, ...beside.map(other => other.item)].find(each => isTroubled(itemOf(session.state, each.id)));
  const [first] = beside;
  if (alone && first) {
    const whose =
      alone === item ? `${item.id} is worked on alone` : `${item.id} waits, because ${alone.id} is worked on alone`;
    const { sentBack = 0 } = itemOf(session.state, alone.id);
    return sentBack >= TROUBLED
      ? `${whose}: it did not fit what others did too often`
      : `${whose}: the runner died repeatedly while it was worked on`;
  }
  const own = footprint(session, item);
  if (own.length === 0) return undefined;
  for (const other of beside) {
    const common = commonPath(own, footprint(session, other.item)) ?? commonPath(own, await other.touched());
    if (common !== undefined) return `${item.id} waits for ${other.item.id}: both are likely to touch ${common}`;
  }
  return undefined;
}

const isTroubled = ({ sentBack = 0, deaths = 0 }: ItemState): boolean => sentBack >= TROUBLED || deaths >= TROUBLED;

/** From paths that the plan names, from conflicts when it was sent back, and from what similar items changed in earlier runs. */
function footprint(session: Session, item: Item): readonly string[] {
  const { remembering, plan, workspace, state } = session;
  const named = pathsNamed(item, path => existsSync(join(workspace.root, path)));
  const before = itemOf(state, item.id).touches ?? [];
  // The plan itself says that the item touches nothing that its neighbours touch.
  const likely = item.parallel ? [] : (remembering?.memory.likelyPaths(item, plan.plan.items).slice(0, LIKELY) ?? []);
  return [...new Set([...named, ...before, ...likely])].filter(path => !session.options.ownedInTree.includes(path));
}
