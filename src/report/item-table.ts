/**
 * A table of items: one line each, and below it why the item is not done.
 *
 *     id      state    attempts  time    cost   title
 *     US-001  done            1  1m 22s  $0.12  Add the invoice table
 *     US-002  blocked         3  11m 24s $0.20  Send the invoice
 *             needs the mail key
 */
import type { ItemStatus } from '../protocol.ts';
import { plural, showCost, showDuration } from '../util/show.ts';
import type { ItemRow } from './overview.ts';
import { type Paint, say, type Tone } from './style.ts';
import { displayWidth, fit, fitWords, wrap } from './width.ts';

export interface ItemTableOptions {
  readonly rows: readonly ItemRow[];
  readonly paint: Paint;
  /** Fit into this many columns; if absent, nothing is truncated. */
  readonly columns?: number | undefined;
}

const GAP = 2;
/** An id is shortened last, because commands need all of it, and never to less than this. */
const LEAST_ID = 24;
const LONGEST_ID = 1_000;
const LEAST_TITLE = 16;
const LONGEST_WHY = 600;
type Column = 'id' | 'state' | 'attempts' | 'time' | 'cost' | 'title';

/** In this order where there is no room for the title. */
const LEFT_OUT: readonly Column[] = ['time', 'attempts', 'cost'];
const RIGHT: ReadonlySet<string> = new Set(['attempts', 'time', 'cost']);

const STATES: Readonly<Record<ItemStatus, { readonly word: string; readonly tone: Tone }>> = {
  pending: { word: 'open', tone: 'plain' },
  'in-progress': { word: 'working', tone: 'accent' },
  done: { word: 'done', tone: 'good' },
  blocked: { word: 'blocked', tone: 'bad' },
  skipped: { word: 'skipped', tone: 'warn' },
};

/** `cut off` is not a state of an item: the item is open, and its runner died. */
const stateOf = ({ status, cutOff }: ItemRow) => (cutOff ? CUT_OFF : STATES[status]);
const CUT_OFF = { word: 'cut off', tone: 'warn' } as const;

export function itemTable({ rows, paint, columns }: ItemTableOptions): readonly string[] {
  const costs = rows.some(({ state }) => state.costUsd > 0);
  let head: readonly Column[] = ['id', 'state', 'attempts', 'time', ...(costs ? (['cost'] as const) : []), 'title'];
  const all = rows.map(cellsOf);
  const widthOf = (name: Column) => all.reduce((most, each) => Math.max(most, displayWidth(each[name])), name.length);
  if (columns !== undefined) {
    const least = () =>
      head.slice(1, -1).reduce((sum, name) => sum + widthOf(name) + GAP, Math.min(widthOf('id'), LEAST_ID) + GAP);
    for (const name of LEFT_OUT) if (columns - least() < LEAST_TITLE) head = head.filter(each => each !== name);
  }
  const last = head.length - 1;
  const cells = all.map(each => head.map(name => each[name]));
  const widths = head.slice(0, last).map(widthOf);
  if (columns !== undefined) {
    const others = widths.slice(1).reduce((sum, width) => sum + width + GAP, GAP);
    widths[0] = Math.min(widths[0] ?? 0, Math.max(LEAST_ID, columns - others - LEAST_TITLE));
  }
  const before = widths.reduce((sum, width) => sum + width + GAP, 0);
  const room = columns === undefined ? undefined : Math.max(LEAST_TITLE, columns - before);
  const line = (each: readonly string[], tone: Tone): string =>
    each
      .map((cell, at) => {
        if (at === last) return room === undefined ? cell : fitWords(cell, room);
        const width = widths[at] ?? 0;
        const text = at === 0 ? fit(cell, width) : cell;
        const space = ' '.repeat(Math.max(0, width - displayWidth(text)));
        const shown = at === 1 ? paint(tone, text) : text;
        return RIGHT.has(head[at] ?? '') ? space + shown : shown + space;
      })
      .join(' '.repeat(GAP))
      .trimEnd();
  const under = ' '.repeat((widths[0] ?? 0) + GAP);
  return [
    paint('dim', line(head, 'plain')),
    ...rows.flatMap((row, at) => [
      line(cells[at] ?? [], stateOf(row).tone),
      ...reasonLines(row, columns === undefined ? undefined : columns - under.length).map(
        text => under + paint('dim', text),
      ),
    ]),
  ];
}

function cellsOf(row: ItemRow): Readonly<Record<Column, string>> {
  const { state } = row;
  return {
    id: say(row.id, LONGEST_ID),
    state: stateOf(row).word,
    attempts: String(attemptsMade(row) || '-'),
    time: state.durationMs > 0 ? showDuration(state.durationMs) : '-',
    cost: state.costUsd > 0 ? showCost(state.costUsd) : '-',
    title: say(row.title, 300),
  };
}

function reasonLines({ status, why }: ItemRow, room: number | undefined): readonly string[] {
  const text = status === 'done' ? '' : say(why, LONGEST_WHY);
  if (text === '') return [];
  return room === undefined || room < LEAST_TITLE ? [text] : wrap(text, room);
}

/** Iterations that ended with a verdict on the work, plus the current one. */
export function attemptsMade({ status, state }: ItemRow): number {
  const more = status === 'in-progress' || (status === 'done' && state.accepted !== undefined) ? 1 : 0;
  return state.attempts + more;
}

/** One element of `ralph items --json`. */
export interface ItemJson {
  readonly id: string;
  readonly title: string;
  readonly status: ItemStatus;
  /** Iterations that ended with a verdict on the work, plus the current one. */
  readonly attempts: number;
  readonly durationMs: number;
  readonly costUsd: number;
  readonly commit: string | null;
  readonly why: string;
}

export const itemJson = (row: ItemRow): ItemJson => ({
  id: row.id,
  title: row.title,
  status: row.status,
  attempts: attemptsMade(row),
  durationMs: row.state.durationMs,
  costUsd: row.state.costUsd,
  commit: row.state.commit ?? null,
  why: row.why,
});

/** At most this many rows below a status; of more, those that may need a person. */
const ALL_SHOWN = 12;
const KINDS_SHOWN: Readonly<Partial<Record<ItemStatus, number>>> = { 'in-progress': 3, blocked: 10, pending: 5 };

/** Which rows are shown, and a line about the others. */
export function shortList(rows: readonly ItemRow[]): { readonly rows: readonly ItemRow[]; readonly rest: string } {
  if (rows.length <= ALL_SHOWN) return { rows, rest: '' };
  const left = new Map(Object.entries(KINDS_SHOWN));
  const shown = rows.filter(({ status }) => {
    const more = left.get(status) ?? 0;
    left.set(status, more - 1);
    return more > 0;
  });
  const others = rows.length - shown.length;
  return { rows: shown, rest: others > 0 ? `and ${plural(others, 'more item')}: ralph items` : '' };
}
