/** Making a slot fit: whole pieces in the order of their rank, and what is left out is counted and said. */
import { type Node, render, type Values } from './render.ts';
import { byteLength } from './tokens.ts';

/** Entries of one placeholder. What does not fit is left out from the end that is not kept. */
export interface Pieces {
  readonly name: string;
  readonly entries: readonly string[];
  readonly separator: '\n' | '\n\n' | ', ';
  readonly keep: 'first' | 'last';
  /** A shorter form of an entry within so many bytes, where that makes sense. */
  readonly shorten?: (entry: string, maxBytes: number) => string | undefined;
  /** All of its entries find their place before those of other lists. */
  readonly first?: true;
  /** Lines around all of them, such as a fence. */
  readonly wrap?: { readonly before: string; readonly after: string };
}

/** How many entries of each list were left out; a shortened one counts. */
export type Dropped = Readonly<Record<string, number>>;

/** The content of a slot before it is fitted. */
export interface Filling {
  readonly values: Values;
  readonly lists: readonly Pieces[];
  /** The value of `{{omitted}}`; empty when nothing was left out. */
  readonly omitted: (dropped: Dropped) => string;
}

export interface FitOptions extends Filling {
  readonly template: readonly Node[];
  readonly maxBytes: number;
}

export interface Fitted {
  readonly text: string;
  readonly dropped: number;
  /** What was left out, in words. */
  readonly omitted: string;
}

/** A template with as many entries as fit. Its own words always stay, so only they can be larger than `maxBytes`. */
export function fit({ template, values, lists, maxBytes, omitted }: FitOptions): Fitted {
  const show = (kept: Kept) => {
    const filled = Object.fromEntries(lists.map(list => [list.name, join(list, kept.entries[list.name] ?? [])]));
    return render(template, { ...values, ...filled, omitted: omitted(kept.dropped) });
  };
  const whole = show({ entries: Object.fromEntries(lists.map(list => [list.name, list.entries])), dropped: {} });
  if (byteLength(whole) <= maxBytes) return { text: whole, dropped: 0, omitted: omitted({}) };

  // One byte in each list keeps the words around it in the sum.
  const marks = Object.fromEntries(lists.map(list => [list.name, list.entries.length > 0 ? '.' : '']));
  const all = Object.fromEntries(lists.map(list => [list.name, list.entries.length]));
  const wraps = lists.reduce(
    (sum, list) => sum + (list.wrap ? byteLength(list.wrap.before + list.wrap.after) + 2 : 0),
    0,
  );
  const words = byteLength(render(template, { ...values, ...marks, omitted: omitted(all) })) + wraps;

  for (let room = maxBytes - words; ; ) {
    const kept = choose(lists, room);
    const text = show(kept);
    const over = byteLength(text) - maxBytes;
    if (over <= 0 || room <= 0) return { text, dropped: sum(kept.dropped), omitted: omitted(kept.dropped) };
    // `omitted` may read longer than thought; the room shrinks until all of it fits.
    room -= over;
  }
}

interface Kept {
  readonly entries: Readonly<Record<string, readonly string[]>>;
  readonly dropped: Dropped;
}

/** One entry of each list in turn, so that a long list cannot push out a short one. */
function choose(lists: readonly Pieces[], bytes: number): Kept {
  let room = bytes;
  const taken = new Map<string, string[]>(lists.map(list => [list.name, []]));
  const dropped: Record<string, number> = {};
  const all = lists.map(list => ({ list, ranked: list.keep === 'first' ? list.entries : list.entries.toReversed() }));
  const take = (some: typeof all) => {
    let open = some;
    for (let rank = 0; open.length > 0; rank++) open = open.filter(each => takeOne(each, rank));
  };
  const takeOne = ({ list, ranked }: (typeof all)[number], rank: number): boolean => {
    const entry = ranked[rank];
    if (entry === undefined) return false;
    const cost = byteLength(entry) + list.separator.length;
    if (cost <= room) {
      taken.get(list.name)?.push(entry);
      room -= cost;
      return true;
    }
    const short = list.shorten?.(entry, room - list.separator.length);
    if (short) {
      taken.get(list.name)?.push(short);
      room -= byteLength(short) + list.separator.length;
    }
    dropped[list.name] = ranked.length - rank;
    return false;
  };
  take(all.filter(({ list }) => list.first));
  take(all.filter(({ list }) => !list.first));
  const entries = lists.map(list => {
    const ranked = taken.get(list.name) ?? [];
    return [list.name, list.keep === 'first' ? ranked : ranked.toReversed()] as const;
  });
  return { entries: Object.fromEntries(entries), dropped };
}

function join(list: Pieces, entries: readonly string[]): string {
  if (entries.length === 0) return '';
  const body = entries.join(list.separator);
  return list.wrap ? `${list.wrap.before}\n${body}\n${list.wrap.after}` : body;
}

const sum = (dropped: Dropped): number => Object.values(dropped).reduce((total, count) => total + count, 0);
