/** Items in the order they would be worked on, for formats where the order of the file is the only one. */
import type { Item } from '../protocol.ts';

/** Lowest priority first, ties in file order, each after what it depends on; circles last. */
export function orderOfWork(items: readonly Item[]): readonly Item[] {
  const ids = new Set(items.map(({ id }) => id));
  const done = new Set<string>();
  const left = items.toSorted(
    (a, b) => (a.priority ?? Number.POSITIVE_INFINITY) - (b.priority ?? Number.POSITIVE_INFINITY) || 0,
  );
  const order: Item[] = [];
  for (;;) {
    const next = left.findIndex(({ dependsOn }) => dependsOn.every(id => done.has(id) || !ids.has(id)));
    const [item] = next < 0 ? [] : left.splice(next, 1);
    if (item === undefined) return [...order, ...left];
    order.push(item);
    done.add(item.id);
  }
}
