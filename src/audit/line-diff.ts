/** Finds the added and removed lines between two texts by a patience diff, because that keeps moved blocks apart. */

/** A number for each distinct line, so that a line that is compared many times is read only once. */
interface Sides {
  readonly a: Int32Array;
  readonly b: Int32Array;
  /** For each number, its line on either side, from 1; 0 if it is missing there, `MANY` if it occurs several times. */
  readonly inA: Int32Array;
  readonly inB: Int32Array;
}

/** A range of lines on either side that are compared with each other; the ends are exclusive. */
interface Block {
  readonly left: number;
  readonly leftEnd: number;
  readonly right: number;
  readonly rightEnd: number;
}

const MANY = -1;

/** 0-based numbers of the lines only in `before` and only in `after`. */
export function diffLines(before: readonly string[], after: readonly string[]): { removed: number[]; added: number[] } {
  const removed: number[] = [];
  const added: number[] = [];
  const whole = { left: 0, leftEnd: before.length, right: 0, rightEnd: after.length };
  // Most of a long file is unchanged and needs no numbers.
  const changed = trim(before, after, whole);
  const sides = numbered(before, after, changed);
  const work: Block[] = [changed];
  for (let next = work.pop(); next; next = work.pop()) {
    const block = trim(sides.a, sides.b, next);
    const { left, leftEnd, right, rightEnd } = block;
    if (left === leftEnd) addAll(added, right, rightEnd);
    else if (right === rightEnd) addAll(removed, left, leftEnd);
    else {
      const anchors = uniqueCommon(sides, block);
      if (anchors === undefined) {
        addAll(removed, left, leftEnd);
        addAll(added, right, rightEnd);
      } else if (anchors.length === 0) small(sides, block, { removed, added });
      else pushGaps(work, block, anchors);
    }
  }
  return { removed, added };
}

/** Pushes the ranges between anchors, the last one first: the stack then returns them in order. */
function pushGaps(work: Block[], block: Block, anchors: readonly number[]): void {
  let { leftEnd, rightEnd } = block;
  for (let at = anchors.length - 2; at >= -2; at -= 2) {
    const left = at < 0 ? block.left : (anchors[at] ?? 0) + 1;
    const right = at < 0 ? block.right : (anchors[at + 1] ?? 0) + 1;
    if (left < leftEnd || right < rightEnd) work.push({ left, leftEnd, right, rightEnd });
    leftEnd = left - 1;
    rightEnd = right - 1;
  }
}

function numbered(before: readonly string[], after: readonly string[], changed: Block): Sides {
  const known = new Map<string, number>();
  const numbers = (lines: readonly string[], from: number, to: number) => {
    const own = new Int32Array(lines.length);
    for (let at = from; at < to; at++) {
      const line = lines[at] ?? '';
      let number = known.get(line);
      if (number === undefined) known.set(line, (number = known.size));
      own[at] = number;
    }
    return own;
  };
  const a = numbers(before, changed.left, changed.leftEnd);
  const b = numbers(after, changed.right, changed.rightEnd);
  return { a, b, inA: new Int32Array(known.size), inB: new Int32Array(known.size) };
}

function addAll(list: number[], from: number, to: number): void {
  for (let at = from; at < to; at++) list.push(at);
}

/** The block without its common beginning and end. */
function trim<T>(a: ArrayLike<T>, b: ArrayLike<T>, { left, leftEnd, right, rightEnd }: Block): Block {
  while (left < leftEnd && right < rightEnd && a[left] === b[right]) {
    left += 1;
    right += 1;
  }
  while (left < leftEnd && right < rightEnd && a[leftEnd - 1] === b[rightEnd - 1]) {
    leftEnd -= 1;
    rightEnd -= 1;
  }
  return { left, leftEnd, right, rightEnd };
}

/**
 * Lines that occur once on each side, as the longest sequence that keeps its order: left and right numbers alternate.
 * Undefined if the sides have no line in common.
 */
function uniqueCommon({ a, b, inA, inB }: Sides, { left, leftEnd, right, rightEnd }: Block): number[] | undefined {
  for (let i = left; i < leftEnd; i++) {
    const line = a[i] ?? 0;
    inA[line] = inA[line] === 0 ? i + 1 : MANY;
  }
  let isCommon = false;
  for (let j = right; j < rightEnd; j++) {
    const line = b[j] ?? 0;
    if (inA[line] === 0) continue;
    inB[line] = inB[line] === 0 ? j + 1 : MANY;
    isCommon = true;
  }
  const pairs: number[] = [];
  let isRow = true;
  let last = 0;
  for (let i = left; i < leftEnd; i++) {
    const line = a[i] ?? 0;
    const y = inB[line] ?? 0;
    if (y > 0 && (inA[line] ?? 0) > 0) {
      pairs.push(i, y - 1);
      isRow &&= y > last;
      last = y;
    }
  }
  for (let i = left; i < leftEnd; i++) inA[a[i] ?? 0] = inB[a[i] ?? 0] = 0;
  if (!isCommon) return undefined;
  return isRow ? pairs : longestRow(pairs);
}

function longestRow(pairs: readonly number[]): number[] {
  const tails: number[] = [];
  const previous: number[] = [];
  for (let at = 0; at < pairs.length; at += 2) {
    const y = pairs[at + 1] ?? 0;
    let low = 0;
    let high = tails.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((pairs[(tails[middle] ?? 0) + 1] ?? 0) < y) low = middle + 1;
      else high = middle;
    }
    previous[at] = low > 0 ? (tails[low - 1] ?? -1) : -1;
    tails[low] = at;
  }
  const row: number[] = [];
  for (let at = tails.at(-1) ?? -1; at >= 0; at = previous[at] ?? -1) row.push(pairs[at + 1] ?? 0, pairs[at] ?? 0);
  return row.reverse();
}

/** Above this many cells the whole block counts as rewritten. */
const CELLS = 250_000;

/** The usual LCS table, for blocks without unique common lines. */
function small(
  { a, b }: Sides,
  { left, leftEnd, right, rightEnd }: Block,
  { removed, added }: { readonly removed: number[]; readonly added: number[] },
): void {
  const m = leftEnd - left;
  const n = rightEnd - right;
  if (m * n > CELLS) {
    addAll(removed, left, leftEnd);
    addAll(added, right, rightEnd);
    return;
  }
  const width = n + 1;
  const lengths = new Uint16Array((m + 1) * width);
  for (let i = m - 1; i >= 0; i--) {
    for (let j = n - 1; j >= 0; j--) {
      const same = a[left + i] === b[right + j];
      lengths[i * width + j] = same
        ? (lengths[(i + 1) * width + j + 1] ?? 0) + 1
        : Math.max(lengths[(i + 1) * width + j] ?? 0, lengths[i * width + j + 1] ?? 0);
    }
  }
  let [i, j] = [0, 0];
  while (i < m && j < n) {
    if (a[left + i] === b[right + j]) {
      i += 1;
      j += 1;
    } else if ((lengths[(i + 1) * width + j] ?? 0) >= (lengths[i * width + j + 1] ?? 0)) removed.push(left + i++);
    else added.push(right + j++);
  }
  while (i < m) removed.push(left + i++);
  while (j < n) added.push(right + j++);
}
