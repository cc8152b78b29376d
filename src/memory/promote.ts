/** Copies a lesson into AGENTS.md, as a diff that a person approves. */
import type { Lesson } from './lesson.ts';

const HEADING = '## Lessons';
const CONTEXT = 3;

/** The text of AGENTS.md with the lesson in its list of them; the same text where it is there already. */
export function promoted(text: string, { text: words }: Pick<Lesson, 'text'>): string {
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const lines = text.split(/\r?\n/);
  const entry = `- ${words}`;
  if (lines.some(line => line.trim() === entry)) return text;
  const heading = lines.findIndex(line => line.trim() === HEADING);
  if (heading < 0) {
    const start = text.trim() === '' ? '' : `${text.trimEnd()}${eol}${eol}`;
    return [`${start}${HEADING}`, '', entry, ''].join(eol);
  }
  const next = lines.findIndex((line, at) => at > heading && /^#{1,2} /.test(line));
  const end = next < 0 ? lines.length : next;
  const last = lines.slice(0, end).findLastIndex(line => line.trim() !== '');
  const gap = last === heading ? [''] : [];
  return [...lines.slice(0, last + 1), ...gap, entry, ...lines.slice(last + 1)].join(eol);
}

/** The one place where two texts differ, as `diff -u` shows it; empty where they do not. */
export function unifiedDiff({
  path,
  before,
  after,
}: {
  readonly path: string;
  readonly before: string;
  readonly after: string;
}): string {
  if (before === after) return '';
  const [old, now] = [linesOf(before), linesOf(after)];
  let start = 0;
  while (start < old.length && start < now.length && old[start] === now[start]) start += 1;
  let end = 0;
  while (end < old.length - start && end < now.length - start && old.at(-1 - end) === now.at(-1 - end)) end += 1;
  const from = Math.max(0, start - CONTEXT);
  const behind = old.slice(old.length - end, old.length - end + CONTEXT);
  const gone = old.slice(start, old.length - end);
  const come = now.slice(start, now.length - end);
  const size = (middle: readonly string[]) => start - from + middle.length + behind.length;
  const range = (middle: readonly string[]) => `${size(middle) === 0 ? 0 : from + 1},${size(middle)}`;
  return [
    before === '' ? '--- /dev/null' : `--- a/${path}`,
    `+++ b/${path}`,
    `@@ -${range(gone)} +${range(come)} @@`,
    ...old.slice(from, start).map(line => ` ${line}`),
    ...gone.map(line => `-${line}`),
    ...come.map(line => `+${line}`),
    ...behind.map(line => ` ${line}`),
    '',
  ].join('\n');
}

/** Without the empty line that a final newline makes. */
const linesOf = (text: string): readonly string[] => {
  const lines = text.split('\n');
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
};
