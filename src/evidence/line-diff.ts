/** Which lines came and which went between two texts: patience diff, because it keeps moved blocks apart. */

export interface Span {
  readonly from: number;
  readonly to: number;
}

interface Blocks {
  readonly left: Span;
  readonly right: Span;
}

/** The same line, there once on each side. */
interface Anchor {
  readonly x: number;
  readonly y: number;
}

/** A number for each line, the same for the same text: compared many times, they are read once. */
interface Sides {
  readonly a: Int32Array;
  readonly b: Int32Array;
}

/** 0-based numbers of the lines only in `before` and only in `after`. */
export function diffLines(before: readonly string[], after: readonly string[]): { removed: number[]; added: number[] } {
  const removed: number[] = [];
  const added: number[] = [];
  const all = { left: { from: 0, to: before.length }, right: { from: 0, to: after.length } };
  // Most of a file is the same on both sides.
  const whole = trim({ a: before, b: after }, all);
  const { a, b } = numbered(before, after, whole);
  const work: Blocks[] = [whole];
  for (let next = work.pop(); next; next = work.pop()) {
    const { left, right } = trim({ a, b }, next);
    if (left.from === left.to) addAll(added, right);
    else if (right.from === right.to) addAll(removed, left);
    else {
      const anchors = uniqueCommon({ a, b }, { left, right });
      if (anchors.length === 0) small({ a, b }, { left, right, removed, added });
      else {
        // Last things first: what is put down last is taken up first, so that the numbers come in order.
        let past: Anchor = { x: left.to, y: right.to };
        for (const anchor of [{ x: left.from - 1, y: right.from - 1 }, ...anchors].reverse()) {
          if (anchor.x + 1 < past.x || anchor.y + 1 < past.y) {
            work.push({ left: { from: anchor.x + 1, to: past.x }, right: { from: anchor.y + 1, to: past.y } });
          }
          past = anchor;
        }
      }
    }
  }
  return { removed, added };
}

function numbered(before: readonly string[], after: readonly string[], { left, right }: Blocks): Sides {
  const known = new Map<string, number>();
  const numbers = (lines: readonly string[], { from, to }: Span) => {
    const own = new Int32Array(lines.length);
    for (let at = from; at < to; at++) {
      const line = lines[at] ?? '';
      let number = known.get(line);
      if (number === undefined) known.set(line, (number = known.size));
      own[at] = number;
    }
    return own;
  };
  return { a: numbers(before, left), b: numbers(after, right) };
}

function addAll(list: number[], { from, to }: Span): void {
  for (let at = from; at < to; at++) list.push(at);
}

function trim<T>({ a, b }: Record<'a' | 'b', ArrayLike<T>>, { left, right }: Blocks): Blocks {
  const short = Math.min(left.to - left.from, right.to - right.from);
  let head = 0;
  while (head < short && a[left.from + head] === b[right.from + head]) head += 1;
  let tail = 0;
  while (tail < short - head && a[left.to - 1 - tail] === b[right.to - 1 - tail]) tail += 1;
  return {
    left: { from: left.from + head, to: left.to - tail },
    right: { from: right.from + head, to: right.to - tail },
  };
}

/** Lines that are there once on each side, as the longest row that keeps its order. */
function uniqueCommon({ a, b }: Sides, { left, right }: Blocks): readonly Anchor[] {
  const places = new Map<number, { x: number; y: number }>();
  for (let i = left.from; i < left.to; i++) {
    const line = a[i] ?? 0;
    const place = places.get(line);
    if (place) place.x = -1;
    else places.set(line, { x: i, y: -2 });
  }
  for (let j = right.from; j < right.to; j++) {
    const place = places.get(b[j] ?? 0);
    if (place) place.y = place.y === -2 ? j : -1;
  }
  const pairs: Anchor[] = [];
  for (const place of places.values()) if (place.x >= 0 && place.y >= 0) pairs.push(place);
  return longestRow(pairs.sort((p, q) => p.x - q.x));
}

function longestRow(pairs: readonly Anchor[]): readonly Anchor[] {
  const tails: number[] = [];
  const previous: number[] = [];
  for (let index = 0; index < pairs.length; index++) {
    const y = pairs[index]?.y ?? 0;
    let low = 0;
    let high = tails.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((pairs[tails[middle] ?? 0]?.y ?? 0) < y) low = middle + 1;
      else high = middle;
    }
    previous[index] = low > 0 ? (tails[low - 1] ?? -1) : -1;
    tails[low] = index;
  }
  const row: Anchor[] = [];
  for (let at = tails.at(-1) ?? -1; at >= 0; at = previous[at] ?? -1) {
    const pair = pairs[at];
    if (pair) row.push(pair);
  }
  return row.reverse();
}

/** Above this many cells the whole block counts as rewritten. */
const CELLS = 250_000;

interface Block extends Blocks {
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
    if (a[left.from + i] === b[right.from + j]) {
      i += 1;
      j += 1;
    } else if ((lengths[(i + 1) * width + j] ?? 0) >= (lengths[i * width + j + 1] ?? 0)) removed.push(left.from + i++);
    else added.push(right.from + j++);
  }
  while (i < m) removed.push(left.from + i++);
  while (j < n) added.push(right.from + j++);
}
