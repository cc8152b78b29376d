/** Finds what an agent changed in a plan: the plan belongs to the runner. */
import type { Item, Plan } from '../protocol.ts';
import { oneLine, plural } from '../util/show.ts';

export interface CompareInput {
  /** The plan as it was before the agent. */
  readonly given: Plan;
  /** The plan as the agent left it. */
  readonly found: Plan;
  /** The id of the item the agent worked on. */
  readonly item: string;
}

export interface PlanChanges {
  /** The agent marked its own item done: a claim. */
  readonly markedOwn: boolean;
  /** Ids of new open items. */
  readonly added: readonly string[];
  /** All other changes of items, as sentences. */
  readonly edits: readonly string[];
  /** Words of a brief that are not an item's own have changed: what the plan says about itself, or about a section. */
  readonly reworded?: true;
}

/** Compares the plan before and after an agent. */
export function comparePlans({ given, found, item }: CompareInput): PlanChanges {
  const broken = found.problems.find(({ level }) => level === 'error');
  if (broken) {
    const edit = `made the plan unreadable: line ${broken.line}, column ${broken.column}: ${broken.message}`;
    return { markedOwn: false, added: [], edits: [edit] };
  }
  const pairs = matchItems(given.items, found.items);
  const matched = new Set(pairs.values());
  const fresh = found.items.filter(candidate => !matched.has(candidate));
  const own = given.items.find(({ id }) => id === item);
  const markedOwn = own !== undefined && own.status !== 'done' && pairs.get(own)?.status === 'done';

  const isPointed = given.format === 'sprint';
  const edits: string[] = [];
  if (given.name !== found.name) edits.push(`renamed the plan from "${given.name}" to "${found.name}"`);
  if (given.instructions !== found.instructions) edits.push('changed the instructions beside the plan');
  for (const before of given.items) {
    const after = pairs.get(before);
    if (after === undefined) edits.push(`removed ${before.id}`);
    else edits.push(...itemEdits({ before, after, isOwn: before === own, isPointed }));
  }
  if (isPointed) edits.push(...pointerEdits({ given, found, item, markedOwn }));
  const order = given.items.flatMap(before => pairs.get(before)?.line ?? []);
  if (order.some((line, index) => index > 0 && line < (order[index - 1] ?? 0)))
    edits.push('changed the order of the items');
  for (const candidate of fresh) {
    if (candidate.status === 'done') edits.push(`added ${candidate.id} as already done`);
    if (candidate.allow?.length) edits.push(`added ${candidate.id} with guards lifted`);
  }
  const added = fresh.filter(({ status }) => status !== 'done').map(({ id }) => id);
  return { markedOwn, added, edits, ...(isReworded(given, found, [...matched]) && { reworded: true }) };
}

/** By lines, because an added item can make the words of a section those of the plan, or the other way round. */
function isReworded(given: Plan, found: Plan, known: readonly Item[]): boolean {
  const [before, after, all] = [
    wordsAround(given, given.items),
    wordsAround(found, known),
    wordsAround(found, found.items),
  ];
  return [...after].some(line => !before.has(line)) || [...before].some(line => !all.has(line));
}

const wordsAround = ({ about = '' }: Plan, items: readonly Item[]): ReadonlySet<string> =>
  new Set(
    [about, ...new Set(items.map(({ section }) => section))].flatMap(
      text => text?.split(/\s*\n\s*/).filter(Boolean) ?? [],
    ),
  );

/** Ids of items that are done or skipped now and were not before. */
export function newlyClosed(given: Plan, found: Plan): readonly string[] {
  const pairs = matchItems(given.items, found.items);
  const before = new Set([...pairs].flatMap(([was, is]) => (isClosed(was) ? [is] : [])));
  return found.items.filter(item => isClosed(item) && !before.has(item)).map(({ id }) => id);
}

const isClosed = ({ status }: Item): boolean => status === 'done' || status === 'skipped';

/**
 * Matches by id and title, then by title alone, then by id alone. Ids made from positions shift when an item is
 * inserted, and that must count as one addition, not as a change of every item below.
 */
function matchItems(given: readonly Item[], found: readonly Item[]): ReadonlyMap<Item, Item> {
  const pairs = new Map<Item, Item>();
  const free = new Set(found);
  const rules = [
    (item: Item) => JSON.stringify([item.id, item.title]),
    (item: Item) => item.title,
    (item: Item) => item.id,
  ];
  for (const key of rules) {
    const byKey = new Map<string, Item[]>();
    for (const after of free) byKey.set(key(after), [...(byKey.get(key(after)) ?? []), after]);
    for (const before of given) {
      if (pairs.has(before)) continue;
      const after = byKey.get(key(before))?.shift();
      if (after === undefined) continue;
      pairs.set(before, after);
      free.delete(after);
    }
  }
  return pairs;
}

/** A sprint's pointer is read as the priority of one item; an agent that marks its own item may move it to the next one, too. */
function pointerEdits({
  given,
  found,
  item,
  markedOwn,
}: CompareInput & { readonly markedOwn: boolean }): readonly string[] {
  const [before, after] = [given, found].map(({ items }) => items.find(({ priority }) => priority !== undefined)?.id);
  const own = given.items.findIndex(({ id }) => id === item);
  if (before === after || (markedOwn && after === given.items[own + 1]?.id)) return [];
  return [after === undefined ? 'moved the pointer past the end' : `moved the pointer to ${after}`];
}

interface Pair {
  readonly before: Item;
  readonly after: Item;
  readonly isOwn: boolean;
  /** What the item waits for, its priority and whether it is in progress follow from the pointer of the plan. */
  readonly isPointed: boolean;
}

function itemEdits({ before, after, isOwn, isPointed }: Pair): readonly string[] {
  const name = isOwn ? `its own item ${before.id}` : before.id;
  const edits: string[] = [];
  const statuses = [before.status, after.status].map(status =>
    isPointed && status === 'in-progress' ? 'pending' : status,
  );
  if (statuses[0] !== statuses[1] && !(isOwn && after.status === 'done')) {
    edits.push(`set ${name} from ${before.status} to ${after.status}`);
  }
  if (before.title !== after.title) edits.push(`renamed ${name} to "${oneLine(after.title, 80)}"`);
  if (differ(before.criteria, after.criteria)) {
    const counts = `${plural(before.criteria.length, 'criterion').replace('criterions', 'criteria')}, now ${after.criteria.length}`;
    edits.push(`changed the criteria of ${name} (${counts})`);
  }
  if (differ(before.verify, after.verify)) edits.push(`changed the check commands of ${name}`);
  if (differ(before.allow ?? [], after.allow ?? [])) edits.push(`changed which guards are lifted for ${name}`);
  if (before.body !== after.body) edits.push(`changed the text of ${name}`);
  if (!isPointed && differ(before.dependsOn, after.dependsOn)) edits.push(`changed what ${name} depends on`);
  if (!isPointed && before.priority !== after.priority) {
    edits.push(`changed the priority of ${name} from ${before.priority ?? 'none'} to ${after.priority ?? 'none'}`);
  }
  if (settingsOf(before) !== settingsOf(after)) edits.push(`changed the settings of ${name}`);
  if (before.changeOptional !== after.changeOptional) edits.push(`changed whether ${name} needs a change in the tree`);
  return edits;
}

const settingsOf = ({ model, effort, optional, parallel, reviewed }: Item): string =>
  JSON.stringify([model, effort, optional, parallel, reviewed]);

/** What an item asks for, as one string to compare by; its state is no part of it. */
export const itemWords = ({ title, body, criteria, verify, dependsOn }: Item): string =>
  JSON.stringify([title, body, criteria, verify, dependsOn]);

const differ = (a: readonly string[], b: readonly string[]): boolean =>
  a.length !== b.length || a.some((value, index) => value !== b[index]);
