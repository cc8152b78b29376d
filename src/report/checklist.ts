/** One line of a checklist: a mark, a name, the state, and below it what to do. */
import { painter } from './style.ts';
import { wrap } from './width.ts';

export interface ChecklistLine {
  readonly level: 'good' | 'warn' | 'bad';
  readonly name: string;
  readonly detail: string;
  readonly fix?: string;
}

export const CHECK_MARKS: Readonly<Record<ChecklistLine['level'], string>> = { good: '✓', warn: '!', bad: '✗' };

/** The width of mark, space, name, space. */
const INDENT = 13;
/** With less room than this, a hanging indent would leave too narrow a column. */
const MIN_WORDS = 24;

export function checklistText(
  { level, name, detail, fix }: ChecklistLine,
  { color, columns }: { readonly color: boolean; readonly columns?: number | undefined },
): string {
  const paint = painter({ color });
  const room = columns === undefined ? Number.POSITIVE_INFINITY : columns - INDENT;
  const words = (text: string): readonly string[] =>
    text.split('\n').flatMap(line => (room < MIN_WORDS ? [line] : wrap(line, room)));
  const [first = '', ...more] = [...words(detail), ...(fix ? words(fix) : [])];
  const below = more.map(line => (line === '' ? '' : ' '.repeat(INDENT) + line));
  return [`${paint(level, CHECK_MARKS[level])} ${name.padEnd(INDENT - 3)} ${first}`, ...below].join('\n');
}
