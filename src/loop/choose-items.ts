/** Which items several workers may take up now: those whose turn has come, and that are likely to leave each other alone. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { commonPath, pathsNamed, pickNext } from '../plan/index.ts';
import type { Item, ItemStatus } from '../protocol.ts';
import { type ItemState, itemOf } from '../state.ts';
import type { Session } from './session.ts';

/** Sent back so often, or with the runner's death so often, an item is worked on with nobody beside it. */
const TROUBLED = 2;
/** Of the files that items like it changed in earlier runs, the likeliest. */
const LIKELY = 2;
/** So many that have to wait for another are looked past for each worker. */
const LOOKED_PAST = 8;

export interface AtWork {
  readonly item: Item;
  /** What its agent has changed by now. */
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
  // Whoever is taken is neither open nor done: what depends on it goes on waiting.
  const seen = (item: Item): ItemStatus => (taken.has(item.id) ? 'blocked' : status(item));
  const tries = free * (1 + LOOKED_PAST);
  for (let tried = 0; tried < tries && next.length < free; tried++) {
    const item = pick(session, { items, status: seen });
    if (!item) break;
    taken.add(item.id);
    const beside = [...atWork, ...next.map(each => ({ item: each, touched: nothing }))];
    const why = await whyApart(session, item, beside);
    if (why === undefined) next.push(item);
    else apart.push({ item, why });
  }
  return { next, apart };
}

/** What a person asked for again comes first. */
function pick(session: Session, input: Pick<Choice, 'items' | 'status'>): Item | undefined {
  const { again, options } = session;
  session.again = undefined;
  const first = again === undefined ? undefined : pickNext({ ...input, only: again }).next;
  return first ?? pickNext({ ...input, ...(options.only === undefined ? {} : { only: options.only }) }).next;
}

const nothing = () => Promise.resolve([]);

async function whyApart(session: Session, item: Item, beside: readonly AtWork[]): Promise<string | undefined> {
  const alone = [item, ...beside.map(other => other.item)].find(each => isTroubled(itemOf(session.state, each.id)));
  const [first] = beside;
  if (alone && first) {
    const whose =
      alone === item ? `${item.id} is worked on alone` : `${item.id} waits, because ${alone.id} is worked on alone`;
    return `${whose}: it did not fit what others did too often`;
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

/** From the plan's words, from work that was sent back, and from what items like it changed in earlier runs. */
function footprint(session: Session, item: Item): readonly string[] {
  const { remembering, plan, workspace, state } = session;
  const named = pathsNamed(item, path => existsSync(join(workspace.root, path)));
  const before = itemOf(state, item.id).touches ?? [];
  // The plan says itself what touches nothing of its neighbours'.
  const likely = item.parallel ? [] : (remembering?.memory.likelyPaths(item, plan.plan.items).slice(0, LIKELY) ?? []);
  return [...new Set([...named, ...before, ...likely])].filter(path => !session.options.ownedInTree.includes(path));
}
