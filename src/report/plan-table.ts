/** A plan as a table, for the person who reviews it. */
import type { Item } from '../protocol.ts';
import { type Paint, say } from './style.ts';
import { displayWidth, fit } from './width.ts';

export interface PlanTableOptions {
  readonly items: readonly Pick<Item, 'id' | 'title' | 'dependsOn' | 'criteria' | 'verify'>[];
  readonly paint: Paint;
  readonly columns: number;
}

const HEAD = ['id', 'title', 'depends on', 'criteria', 'checks'] as const;
const GAP = 2;
const CELL = 200;
const LEAST_TITLE = 24;

/** One line per item; titles and checks share the remaining width. */
export function planTable({ items, paint, columns }: PlanTableOptions): string {
  const rows = items.map(item => [
    say(item.id, 40),
    say(item.title, CELL),
    say(item.dependsOn.join(', '), 60) || '-',
    String(item.criteria.length),
    say(item.verify.join(' · '), CELL) || '-',
  ]);
  const widest = HEAD.map((name, at) => Math.max(name.length, ...rows.map(row => displayWidth(row[at] ?? ''))));
  const fixed = (widest[0] ?? 0) + (widest[2] ?? 0) + (widest[3] ?? 0) + GAP * (HEAD.length - 1);
  const room = Math.max(2 * LEAST_TITLE, columns - fixed);
  const checks = Math.min(widest[4] ?? 0, Math.max(room - (widest[1] ?? 0), Math.floor(room * 0.4)));
  const title = Math.min(widest[1] ?? 0, room - checks);
  const widths = widest.map((width, at) => (at === 1 ? title : at === 4 ? checks : width));
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, at) => pad(fit(cell, widths[at] ?? 0), widths[at] ?? 0))
      .join(' '.repeat(GAP))
      .trimEnd();
  return [paint('dim', line(HEAD)), ...rows.map(line)].join('\n');
}

const pad = (cell: string, width: number): string => cell + ' '.repeat(Math.max(0, width - displayWidth(cell)));
