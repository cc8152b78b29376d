/** Writing state into a checklist: the character in the box, and a marker at the end of its line. */
import type { Mark, NewItem, ReviewMark } from '../protocol.ts';
import { type Failure, fail, ok, type Result } from '../util/result.ts';
import { oneLine } from '../util/show.ts';
import type { Task } from './checklist-items.ts';
import type { Edit } from './edit.ts';
import { readTaskText } from './task-text.ts';

interface MarkInput {
  readonly task: Task;
  /** The character for a tick: the one that the file already uses. */
  readonly tick: string;
  readonly mark: Mark;
}

/** The smallest edits after which the task reads as marked. */
export function markEdits({ task, tick, mark }: MarkInput): readonly Edit[] {
  const { item, box, text } = task;
  const stepped = mark.to === 'blocked' || mark.to === 'skipped';
  if (item.status === mark.to && (!stepped || mark.note === undefined)) return [];
  const done = mark.to === 'done';
  const edits: Edit[] = [];
  const ticked = box.mark === 'x' || box.mark === 'X';
  if (done ? !ticked : box.mark !== ' ' && box.mark !== '') {
    edits.push({ start: box.at, end: box.at + box.mark.length, text: done ? tick : ' ' });
  }
  for (const { kind, start, end } of text.markers) {
    if (kind === 'blocked' || kind === 'skipped' || (kind === 'needs-fix' && done)) {
      edits.push({ start: box.textStart + start, end: box.textStart + end, text: '' });
    }
  }
  if (mark.to === 'pending' && !ticked && text.struck) {
    for (const at of text.struck) edits.push({ start: box.textStart + at, end: box.textStart + at + 2, text: '' });
  }
  if (stepped) {
    const end = box.textStart + box.text.length;
    edits.push({ start: end, end, text: markerText(mark.to.toUpperCase(), mark.note) });
  }
  return edits;
}

/** Writes `[REVIEWED]` or `[NEEDS-FIX]` at the end of the line and removes an earlier one. */
export function reviewEdits({ box, text }: Task, { to, note }: ReviewMark): readonly Edit[] {
  const old = text.markers.filter(({ kind }) => kind === 'reviewed' || kind === 'needs-fix');
  const end = box.textStart + box.text.length;
  return [
    ...old.map(({ start, end: stop }) => ({ start: box.textStart + start, end: box.textStart + stop, text: '' })),
    { start: end, end, text: markerText(to.toUpperCase(), note) },
  ];
}

function markerText(word: string, note: string | undefined): string {
  const why = oneLine(note ?? '', 200)
    .replaceAll('[', '(')
    .replaceAll(']', ')');
  return why === '' ? ` [${word}]` : ` [${word}: ${why}]`;
}

interface AppendInput {
  readonly text: string;
  readonly tasks: readonly Pick<Task, 'box'>[];
  readonly item: NewItem;
}

/** A new open task after the last one, with the same bullet and line ending. */
export function appendEdits({ text, tasks, item }: AppendInput): Result<readonly Edit[]> {
  const last = tasks.at(-1)?.box;
  const words = inert(`${item.id}: ${oneLine(item.title, 200)}`);
  if (last === undefined || readTaskText(words).id !== item.id) {
    return fail<Failure>({
      reason: 'cannot-append',
      message: `"${item.id}" cannot be the id of a checklist item; it must look like FIX-1`,
    });
  }
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const lead = last.lead.replace(/\d+/, number => String(Number(number) + 1));
  const indent = last.lead.replace(/\S/g, ' ');
  const lines = [
    `${lead}[ ] ${words}`,
    // As a quote, untrusted text cannot be read as boxes, fences, comments or commands.
    ...item.body.split(/\r?\n/).map(line => (item.body === '' ? '' : `${indent}> ${line}`.trimEnd())),
    ...item.criteria.map(
      criterion => `${indent}- ${inert(oneLine(criterion, 500)).replace(/^(?=[^\p{L}\p{N}])/u, '\\')}`,
    ),
  ].filter(line => line !== '');
  return ok([{ start: last.end, end: last.end, text: lines.map(line => eol + line).join('') }]);
}

/** Neutralises text that would open a comment or a `verify:` command. */
const inert = (words: string): string => words.replaceAll('<!--', '<! --').replace(/^verify(?=\s*:)/i, 'Verify that');
