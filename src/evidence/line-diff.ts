/** Which lines came and which went between two texts: patience diff, because it keeps moved blocks apart. */

export interface Span {
  readonly from: number;
  readonly to: number;
}

interface Sides {
  readonly a: readonly string[];
  readonly b: readonly string[];
}

/** 0-based numbers of the lines only in `a` and only in `b`. */
export function diffLines(a: readonly string[], b: readonly string[]): { removed: number[]; added: number[] } {
  const removed: number[] = [];
  const added: number[] = [];
  const work: [Span, Span][] = [
    [
      { from: 0, to: a.length },
      { from: 0, to: b.length },
    ],
  ];
  for (let next = work.pop(); next; next = work.pop()) {
    const [left, right] = trim({ a, b }, next[0], next[1]);
    if (left.from === left.to) addAll(added, right);
    else if (right.from === right.to) addAll(removed, left);
    else {
      const anchors = uniqueCommon({ a, b }, left, right);
      if (anchors.length === 0) small({ a, b }, { left, right, removed, added });
      else {
        let [i, j] = [left.from, right.from];
        for (const [x, y] of anchors) {
          work.push([
            { from: i, to: x },
            { from: j, to: y },
          ]);
          [i, j] = [x + 1, y + 1];
        }
        work.push([
          { from: i, to: left.to },
          { from: j, to: right.to },
        ]);
      }
    }
  }
  return { removed: removed.sort((x, y) => x - y), added: added.sort((x, y) => x - y) };
}

function addAll(list: number[], { from, to }: Span): void {
  for (let at = from; at < to; at++) list.push(at);
}

function trim({ a, b }: Sides, left: Span, right: Span): readonly [Span, Span] {
  let [i, j, m, n] = [left.from, right.from, left.to, right.to];
  while (i < m && j < n && a[i] === b[j]) [i, j] = [i + 1, j + 1];
  while (m > i && n > j && a[m - 1] === b[n - 1]) [m, n] = [m - 1, n - 1];
  return [
    { from: i, to: m },
    { from: j, to: n },
  ];
}

/** Lines that are there once on each side, as the longest row that keeps its order. */
function uniqueCommon({ a, b }: Sides, left: Span, right: Span): readonly (readonly [number, number])[] {
  const places = new Map<string, { x: number; y: number }>();
  for (let i = left.from; i < left.to; i++) {
    const line = a[i] ?? '';
    places.set(line, { x: places.has(line) ? -1 : i, y: -2 });
  }
  for (let j = right.from; j < right.to; j++) {
    const place = places.get(b[j] ?? '');
    if (place) place.y = place.y === -2 ? j : -1;
  }
  const pairs: (readonly [number, number])[] = [];
  for (const { x, y } of places.values()) if (x >= 0 && y >= 0) pairs.push([x, y]);
  return longestRow(pairs.sort((p, q) => p[0] - q[0]));
}

function longestRow(pairs: readonly (readonly [number, number])[]): readonly (readonly [number, number])[] {
  const tails: number[] = [];
  const previous: number[] = [];
  for (const [index, [, y]] of pairs.entries()) {
    let [low, high] = [0, tails.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((pairs[tails[middle] ?? 0]?.[1] ?? 0) < y) low = middle + 1;
      else high = middle;
    }
    previous[index] = low > 0 ? (tails[low - 1] ?? -1) : -1;
    tails[low] = index;
  }
  const row: (readonly [number, number])[] = [];
  for (let at = tails.at(-1) ?? -1; at >= 0; at = previous[at] ?? -1) {
    const pair = pairs[at];
    if (pair) row.push(pair);
  }
  return row.reverse();
}

/** Above this many cells the whole block counts as rewritten. */
const CELLS = 250_000;

interface Block {
  readonly left: Span;
  readonly right: Span;
  readonly removed: number[];
  readonly added: number[];
}

/** The usual table for what has no line of its own to hold on to. */
function small({ a, b }: Sides, { left, right, removed, added }: Block): void {
  const [m, n] = [left.to - left.from, right.to - right.from];
  if (m * n > CELLS) {
    addAll(removed, left);
    addAll(added, right);
    return;
  }
  const width = n + 1;
  const lengths = new Uint16Array((m + 1) * width);
  for (let i = m - 1; i >= 0; i--) {
    for (let j = n - 1; j >= 0; j--) {
      const same = a[left.from + i] === b[right.from + j];
      lengths[i * width + j] = same
        ? (lengths[(i + 1) * width + j + 1] ?? 0) + 1
        : Math.max(lengths[(i + 1) * width + j] ?? 0, lengths[i * width + j + 1] ?? 0);
    }
  }
  let [i, j] = [0, 0];
  while (i < m && j < n) {
    if (a[left.from + i] === b[right.from + j]) [i, j] = [i + 1, j + 1];
    else if ((lengths[(i + 1) * width + j] ?? 0) >= (lengths[i * width + j + 1] ?? 0)) removed.push(left.from + i++);
    else added.push(right.from + j++);
  }
  while (i < m) removed.push(left.from + i++);
  while (j < n) added.push(right.from + j++);
}
