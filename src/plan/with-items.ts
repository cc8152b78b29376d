/** A plan with more items, in the words that they have in another copy of it. */
import type { Item } from '../protocol.ts';
import { appendToPlan } from './change.ts';
import type { OpenPlan } from './read-file.ts';

/** Undefined where the format cannot say all that these items say. */
export function withItems(plan: OpenPlan, items: readonly Item[]): OpenPlan | undefined {
  let grown = plan;
  for (const item of items) {
    const next = appendToPlan(grown, item);
    if (!next.ok) return undefined;
    const now = next.value.plan.items.find(({ id }) => id === item.id);
    if (now === undefined || wordsOf(now) !== wordsOf(item)) return undefined;
    grown = next.value;
  }
  return grown;
}

const wordsOf = ({ status: _, line: _line, ...words }: Item): string =>
  JSON.stringify(Object.entries(words).toSorted(([a], [b]) => (a < b ? -1 : 1)));
