/** The layout of the dependency map: layers from left to right; an item is to the right of all its dependencies. */

interface Node {
  readonly id: string;
  readonly dependsOn: readonly string[];
}

export interface Placed<T> {
  readonly item: T;
  readonly x: number;
  readonly y: number;
}

export interface MapLayout<T> {
  readonly nodes: readonly Placed<T>[];
  readonly edges: readonly { readonly from: Placed<T>; readonly to: Placed<T> }[];
  readonly nodeWidth: number;
  readonly width: number;
  readonly height: number;
}

/** The minimum and maximum width of a node. */
const [NARROWEST, WIDEST] = [152, 250];
export const NODE_HEIGHT = 26;
const GAP_X = 28;
const GAP_Y = 9;

export function layoutMap<T extends Node>(items: readonly T[], room: number): MapLayout<T> {
  const byId = new Map(items.map(item => [item.id, item]));
  const depths = new Map<string, number>();
  const depthOf = (id: string): number => {
    const known = depths.get(id);
    if (known !== undefined) return known;
    // Set before the recursion, so that a cycle ends.
    depths.set(id, 0);
    const before = (byId.get(id)?.dependsOn ?? []).filter(each => byId.has(each));
    const depth = before.length === 0 ? 0 : Math.max(...before.map(depthOf)) + 1;
    depths.set(id, depth);
    return depth;
  };
  const columns: T[][] = [];
  for (const item of items) (columns[depthOf(item.id)] ??= []).push(item);
  const filled = columns.filter(column => column !== undefined);
  const nodeWidth = Math.floor(
    Math.min(WIDEST, Math.max(NARROWEST, (room + GAP_X - 4) / Math.max(1, filled.length) - GAP_X)),
  );
  const rows = Math.max(0, ...filled.map(column => column.length));
  const places = new Map<string, Placed<T>>();
  filled.forEach((column, x) => {
    const height = (item: T) => {
      const above = item.dependsOn.flatMap(id => places.get(id)?.y ?? []);
      return above.length === 0 ? 0 : above.reduce((sum, y) => sum + y, 0) / above.length;
    };
    const sorted = x === 0 ? column : column.toSorted((a, b) => height(a) - height(b));
    const shift = (rows - column.length) / 2;
    sorted.forEach((item, y) => {
      places.set(item.id, { item, x: x * (nodeWidth + GAP_X) + 1, y: (y + shift) * (NODE_HEIGHT + GAP_Y) + 2 });
    });
  });
  const edges = [...places.values()].flatMap(to =>
    direct(to.item, byId).flatMap(id => {
      const from = places.get(id);
      return from ? [{ from, to }] : [];
    }),
  );
  return {
    nodes: [...places.values()],
    edges,
    nodeWidth,
    width: Math.max(0, filled.length * (nodeWidth + GAP_X) - GAP_X) + 4,
    height: rows * (NODE_HEIGHT + GAP_Y) + 4,
  };
}

/** Without transitive edges: a → c is not drawn if a → b → c is. */
function direct<T extends Node>(item: T, byId: ReadonlyMap<string, T>): readonly string[] {
  const reaches = (from: string, seen: Set<string>): Set<string> => {
    for (const id of byId.get(from)?.dependsOn ?? []) {
      if (seen.has(id)) continue;
      seen.add(id);
      reaches(id, seen);
    }
    return seen;
  };
  const others = item.dependsOn.filter(id => byId.has(id));
  return others.filter(id => !others.some(other => other !== id && reaches(other, new Set()).has(id)));
}

/** An item with its direct dependencies and dependents, for plans too large to draw completely. */
export function neighbourhood<T extends Node>(items: readonly T[], id: string): readonly T[] {
  const chosen = items.find(item => item.id === id);
  if (!chosen) return [];
  const near = new Set([id, ...chosen.dependsOn]);
  return items.filter(item => near.has(item.id) || item.dependsOn.includes(id));
}
