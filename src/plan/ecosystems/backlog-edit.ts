/** Writes a mark into a task file of Backlog.md: its status, the boxes of its criteria, the date of the change. */
import { applyEdits, type Edit } from '../edit.ts';
import { type Field, frontMatter } from './front-matter.ts';
import { type Line, linesOf } from './lines.ts';

/** Whether a line is a box of the acceptance criteria or the definition of done; boxes in notes and plans do not count. */
export function isPoint(line: Line, lines: readonly Line[]): boolean {
  if (!line.box) return false;
  const before = lines.slice(0, line.number - 1).toReversed();
  const mark = before.find(({ text }) => /<!-- (?:AC|DOD):(?:BEGIN|END) -->/.test(text));
  const heading = before.find(each => each.heading !== undefined);
  // A heading after the marker starts another section.
  if (mark && (!heading || mark.number > heading.number)) return mark.text.includes(':BEGIN');
  return (
    line.hidden === undefined && /^(?:acceptance criteria|definition of done)\b/i.test(heading?.heading?.name ?? '')
  );
}

interface MarkInput {
  readonly text: string;
  readonly status: string;
  readonly done: boolean;
  readonly at: number | undefined;
}

export function markTask({ text, status, done, at }: MarkInput): string {
  const { fields } = frontMatter(text);
  const lines = linesOf(text);
  const edits: Edit[] = [];
  const own = fields.get('status');
  if (own) edits.push({ start: own.start, end: own.end, text: inStyleOf(text.slice(own.start, own.end), status) });
  else edits.push(...inserted(text, fields, `status: ${status}`));
  for (const { box } of done ? lines.filter(line => isPoint(line, lines)) : []) {
    if (box && !/[xX]/.test(box.mark)) edits.push({ start: box.at, end: box.at + box.mark.length, text: 'x' });
  }
  const date = fields.get('updated_date');
  if (date && at !== undefined) {
    const shown = new Date(at).toISOString().slice(0, 16).replace('T', ' ');
    const old = text.slice(date.start, date.end);
    const isDay = /^['"]?\d{4}-\d\d-\d\d['"]?$/.test(old);
    edits.push({ start: date.start, end: date.end, text: inStyleOf(old, isDay ? shown.slice(0, 10) : shown) });
  }
  return applyEdits(text, edits);
}

/** Keeps the quotes of the old value. */
function inStyleOf(old: string, value: string): string {
  const quote = /^["']/.exec(old)?.[0] ?? '';
  return `${quote}${value}${quote}`;
}

/** Inserts a line after the title, or after the id if there is no title. */
function inserted(text: string, fields: ReadonlyMap<string, Field>, line: string): readonly Edit[] {
  const after = fields.get('title') ?? fields.get('id');
  if (!after) return [];
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  return [{ start: after.stop, end: after.stop, text: `${eol}${line}` }];
}
