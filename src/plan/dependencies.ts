/** Checks the dependencies of a plan: ids that no item has, and cycles. */

import type { Item, Problem } from '../protocol.ts';
import { isClosed, isOpen } from '../state.ts';

/** Warnings for dependencies on unknown items, and for cycles among items that are not done. */
export function checkDependencies(items: readonly Item[]): readonly Problem[] {
  const ids = new Set(items.map(item => item.id));
  const unknown = items.flatMap(item =>
    item.dependsOn
      .filter(id => !ids.has(id))
      .map(id =>
        warning(item, `${item.id} depends on "${id}", which is no item of this plan; it does not wait for it`),
      ),
  );
  return [...unknown, ...circlesIn(items)];
}

function circlesIn(items: readonly Item[]): readonly Problem[] {
  return findCircles(items).map(circle => {
    const first = circle[0] as Item;
    const path = [...circle, first].map(item => item.id).join(' -> ');
    const message = `these items wait for each other and are never picked: ${path}; take one of these dependencies out`;
    return warning(first, message);
  });
}

/** The error for a cycle that leaves no item to start with. */
export function deadlock(items: readonly Item[]): Problem | undefined {
  return isAnyReady(items) ? undefined : circlesIn(items)[0];
}

function isAnyReady(items: readonly Item[]): boolean {
  const ids = new Set(items.map(({ id }) => id));
  const over = new Set(items.filter(({ status }) => isClosed(status)).map(({ id }) => id));
  return items.some(item => isOpen(item.status) && item.dependsOn.every(id => over.has(id) || !ids.has(id)));
}

const warning = (item: Item, message: string): Problem => ({ level: 'warning', line: item.line, column: 1, message });

/** Each cycle once. A loop instead of recursion, because a chain of thousands of items is a normal plan. */
function findCircles(items: readonly Item[]): readonly (readonly Item[])[] {
  const open = new Map(
    items.filter(item => item.status !== 'done' && item.status !== 'skipped').map(item => [item.id, item]),
  );
  if (pointsBack(open)) return [];
  const circles: Item[][] = [];
  const finished = new Set<Item>();
  for (const start of open.values()) {
    if (start.dependsOn.length === 0 || finished.has(start)) continue;
    const path: Item[] = [];
    const onPath = new Map<Item, number>();
    const next: string[][] = [];
    const enter = (item: Item) => {
      onPath.set(item, path.length);
      path.push(item);
      next.push([...item.dependsOn]);
    };
    enter(start);
    while (path.length > 0) {
      const id = next.at(-1)?.pop();
      if (id === undefined) {
        next.pop();
        const left = path.pop() as Item;
        onPath.delete(left);
        finished.add(left);
        continue;
      }
      const item = open.get(id);
      if (item === undefined) continue;
      const seen = onPath.get(item);
      if (seen !== undefined) circles.push(path.slice(seen));
      else if (!finished.has(item)) enter(item);
    }
  }
  return circles;
}

/** Every item depends only on earlier ones, as in nearly every plan: then there can be no cycle. */
function pointsBack(open: ReadonlyMap<string, Item>): boolean {
  const earlier = new Set<string>();
  for (const [id, item] of open) {
    for (const other of item.dependsOn) if (!earlier.has(other) && open.has(other)) return false;
    earlier.add(id);
  }
  return true;
}
