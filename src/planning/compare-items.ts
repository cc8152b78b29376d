/** How two readings of the same items differ: the only reliable way to know what a rewrite lost. */
import type { Item } from '../protocol.ts';
import { type Lost, lostOf } from './lost.ts';

const FIELDS: readonly (readonly [name: string, read: (item: Item) => string])[] = [
  ['the id', item => item.id],
  ['the title', item => item.title],
  ['the status', item => item.status],
  ['the priority', item => String(item.priority ?? '')],
  ['the dependencies', item => JSON.stringify(item.dependsOn)],
  ['the text', item => words(item.body)],
  ['the acceptance criteria', item => JSON.stringify(item.criteria)],
  ['the checks', item => JSON.stringify(item.verify)],
  ['"done without a change"', item => String(item.changeOptional)],
  ['the reason', item => item.note ?? ''],
  ['the lifted guards', item => JSON.stringify(item.allow ?? [])],
  ['the attempts', item => String(item.attempts ?? '')],
  ['the model', item => item.model ?? ''],
  ['the effort', item => item.effort ?? ''],
  ['the notes file', item => JSON.stringify(item.notes ?? '')],
];

/** A quote is the same text, and so is another indentation. */
const words = (text: string): string =>
  text
    .replace(/^[ \t]*(?:>[ \t]?)?/gm, '')
    .replace(/\s+/g, ' ')
    .trim();

/** `after` holds the same items in the same order. */
export function lostBetween(before: readonly Item[], after: readonly Item[]): readonly Lost[] {
  if (before.length !== after.length) return [{ what: `${before.length} items became ${after.length}` }];
  return FIELDS.flatMap(([name, read]) => {
    const ids = before.filter((item, index) => read(item) !== read(after[index] ?? item)).map(item => item.id);
    return ids.length === 0 ? [] : [lostOf(name, ids)];
  });
}
