/** The order in which items are picked if each is accepted at once. */
import type { Item } from '../protocol.ts';
import { isOpen } from '../state.ts';
import { compareItems, type PickInput, pickNext } from './next.ts';

/** The same as picking again and again, but quick with many thousands of items. */
export function pickOrder({ items, status, only }: PickInput): readonly Item[] {
  if (only !== undefined) return [pickNext({ items, status, only }).next].flatMap(next => next ?? []);
  const open = items.filter(item => isOpen(status(item)) && item.passedOver === undefined);
  const sorted = open.toSorted((a, b) => compareItems(a, b, status));
  const byId = new Map(items.map(item => [item.id, item]));
  const isMet = (id: string) => {
    const other = byId.get(id);
    return other === undefined || ['done', 'skipped'].includes(status(other));
  };
  const left: number[] = [];
  const waiting = new Map<string, number[]>();
  const ready = new Lowest();
  for (const [place, item] of sorted.entries()) {
    const unmet = new Set(item.dependsOn.filter(id => !isMet(id)));
    left.push(unmet.size);
    if (unmet.size === 0) ready.add(place);
    for (const id of unmet)
      waiting
        .set(id, waiting.get(id) ?? [])
        .get(id)
        ?.push(place);
  }
  const order: Item[] = [];
  for (let place = ready.take(); place !== undefined; place = ready.take()) {
    const item = sorted[place];
    if (item === undefined) break;
    order.push(item);
    for (const other of waiting.get(item.id) ?? []) {
      left[other] = (left[other] ?? 0) - 1;
      if (left[other] === 0) ready.add(other);
    }
  }
  return order;
}

/** Numbers of which the lowest comes out first: a binary heap. */
class Lowest {
  readonly #heap: number[] = [];

  add(number: number): void {
    const heap = this.#heap;
    let at = heap.push(number) - 1;
    for (let above = (at - 1) >> 1; at > 0 && (heap[above] ?? 0) > number; above = (at - 1) >> 1) {
      heap[at] = heap[above] ?? 0;
      at = above;
    }
    heap[at] = number;
  }

  take(): number | undefined {
    const heap = this.#heap;
    const [first] = heap;
    const last = heap.pop();
    if (heap.length === 0 || last === undefined) return first;
    let at = 0;
    for (;;) {
      const [left, right] = [2 * at + 1, 2 * at + 2];
      const below = (heap[right] ?? Infinity) < (heap[left] ?? Infinity) ? right : left;
      if ((heap[below] ?? Infinity) >= last) break;
      heap[at] = heap[below] ?? last;
      at = below;
    }
    heap[at] = last;
    return first;
  }
}
