/** Untrusted text inside a Markdown document: shown literally, never as markup. */
import { harmless, say } from './style.ts';

/** Escapes one line of text, so that nothing in it is Markdown or HTML; not for use at the start of a line. */
export function text(words: string, width = 200): string {
  return say(words, width)
    .replace(/[\\`*_[\]#|~$]/g, '\\$&')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}

/** A line of Markdown with escaped text in it, as it is shown where nothing reads Markdown. */
export const unmarked = (line: string): string =>
  line
    .replace(/\\([\\`*_[\]#|~$])|\*\*/g, '$1')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');

/** A code span that its content cannot close; not for table cells, where a pipe still counts. */
export function code(words: string, width = 300): string {
  const inner = say(words, width);
  if (inner === '') return '';
  const ticks = fence(inner, 1);
  const pad = inner.startsWith('`') || inner.endsWith('`') ? ' ' : '';
  return `${ticks}${pad}${inner}${pad}${ticks}`;
}

/** A code block of at most the last `lines` lines, indented to stay inside its list item. */
export function block(
  words: string,
  { lines, indent }: { readonly lines: number; readonly indent: string },
): readonly string[] {
  const kept = harmless(words).trimEnd().split('\n').slice(-lines);
  const ticks = fence(kept.join('\n'), 3);
  return [`${ticks}text`, ...kept, ticks].map(line => `${indent}${line}`.trimEnd());
}

/** More backticks than the content has in a row. */
function fence(inner: string, atLeast: number): string {
  const longest = Math.max(0, ...(inner.match(/`+/g) ?? []).map(run => run.length));
  return '`'.repeat(Math.max(atLeast, longest + 1));
}
