/**
 * The layout of a permanent line: a gutter with the time for events of the run, a label column, the text.
 *
 *     14:02  [3/12] US-003 Add the invoice table (attempt 2)
 *            gates      ✓ typecheck 3.2s · ✗ test exit 1 after 12s
 *            rejected   test is red: 2 of 40 failed
 */
import type { Paint, Tone } from './style.ts';
import { hardWrap, wrap } from './width.ts';

export type Line =
  | { readonly type: 'item'; readonly at: number; readonly position: string; readonly text: string }
  | { readonly type: 'run'; readonly at: number; readonly label: string; readonly tone: Tone; readonly text: string }
  | {
      readonly type: 'detail';
      readonly label: string;
      readonly tone: Tone;
      readonly text: string;
      /** Indentation of all lines of the text; with it, long words are broken. */
      readonly indent?: number;
    };

/** Formats a wall-clock time in the local time zone; tests pass their own. */
export type ClockTime = (at: number) => string;

export const localTime: ClockTime = at => {
  const date = new Date(at);
  // An invalid date would print as NaN:NaN.
  if (Number.isNaN(date.getTime())) return '--:--';
  return `${String(date.getHours()).padStart(2, '0')}:${String(date.getMinutes()).padStart(2, '0')}`;
};

/** The same, with the date if it is not within a day of `now`. */
export function localMoment(at: number, now: number, clockTime: ClockTime = localTime): string {
  if (Math.abs(at - now) < 24 * 3_600_000) return clockTime(at);
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return clockTime(at);
  const two = (n: number) => String(n).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} ${clockTime(at)}`;
}

export interface Layout {
  readonly paint: Paint;
  readonly clockTime: ClockTime;
  /** Wrap to this many columns with a hanging indent; if absent, lines are not wrapped. */
  readonly columns?: number | undefined;
}

const GUTTER = 7;
const LABEL = 11;
/** With less room than this, a hanging indent would leave too narrow a column: further lines start at the gutter. */
const MIN_WORDS = 24;
const MIN_OUTPUT = 8;

export function renderLine(line: Line, layout: Layout): readonly string[] {
  const { paint, clockTime } = layout;
  const gutter = line.type === 'detail' ? ' '.repeat(GUTTER) : paint('dim', clockTime(line.at).padEnd(GUTTER));
  if (line.type === 'item') {
    const position = line.position ? `${paint('accent', line.position)} ` : '';
    return hang(gutter, position + line.text, { indent: GUTTER, columns: layout.columns });
  }
  const label = paint(line.tone, line.text ? line.label.padEnd(LABEL) : line.label);
  if (line.type === 'detail' && line.indent !== undefined) return stepped(gutter + label, line, layout.columns);
  return hang(gutter + label, line.text, { indent: GUTTER + LABEL, columns: layout.columns });
}

/** Wraps arbitrary text, also code and output: words that are too long are broken. */
function stepped(
  head: string,
  { text, indent = 0 }: { readonly text: string; readonly indent?: number },
  columns: number | undefined,
): readonly string[] {
  if (text === '') return [''];
  const first = head + ' '.repeat(indent);
  const room = (columns ?? 0) - GUTTER - LABEL - indent;
  if (columns === undefined || room < MIN_OUTPUT) return [first + text];
  const rest = ' '.repeat(GUTTER + LABEL + indent);
  return hardWrap(text, room).map((part, index) => (index === 0 ? first : rest) + part);
}

function hang(
  head: string,
  text: string,
  { indent, columns }: { readonly indent: number; readonly columns: number | undefined },
): readonly string[] {
  if (columns === undefined || columns - indent < MIN_OUTPUT) return [head + text];
  const [first = '', ...rest] = wrap(text, columns - indent);
  if (rest.length === 0) return [head + first];
  const below = columns - indent < MIN_WORDS ? GUTTER : indent;
  const more = below === indent ? rest : wrap(text.slice(first.length + 1), columns - below);
  return [head + first, ...more.map(part => ' '.repeat(below) + part)];
}
