/** Words of others inside our Markdown: they may not leave a fence open or break out of a list. */
import { oneLine, plain } from '../util/show.ts';

const FENCE = /^\s*(`{3,}|~{3,})(.*)$/;
const CLAIM = /<\/?promise\b|RALPH_TASK_(?:COMPLETE|BLOCKED|QUESTION)/i;
const LONGEST_FENCE = 12;

/** A person's text as Markdown of its own: no control codes, every fence closed, each line as it was written. */
export const untrusted = (text: string): string => withFences(text, line => line);

/** What an earlier agent said: its claims are shown as quotations, because none of them is about this session. */
export const agentWords = (text: string): string =>
  withFences(text, line => (CLAIM.test(line) && !line.trimStart().startsWith('>') ? `> ${line}` : line));

/** A person's text below a heading of ours: its own headings are smaller. */
export const below = (text: string): string =>
  withFences(text, line => line.replace(/^#{1,6}(?=\s)/, signs => '#'.repeat(Math.min(6, signs.length + 2))));

/** Text as data: in a fence that no line of it can close. */
export function asData(text: string): string {
  const tame = tameBackticks(plain(text)).trimEnd();
  const fence = fenceFor(tame);
  return `${fence}text\n${tame}\n${fence}`;
}

function withFences(text: string, show: (line: string) => string): string {
  const read = fenceReader();
  const lines = plain(text)
    .trim()
    .split('\n')
    .map(line => (read.line(line) ? line : show(line)));
  const open = read.open();
  return (open ? [...lines, open] : lines).join('\n');
}

/** One line of others, for a list or a heading. */
export function untrustedLine(text: string, width: number): string {
  // A cut between the halves of a surrogate pair would leave half a character.
  const line = oneLine(text, width).replace(/[\uD800-\uDBFF]…$/, '…');
  return CLAIM.test(line) ? code(line) : line;
}

/** Inline code, whatever backticks are inside. */
export function code(raw: string): string {
  const text = tameBackticks(raw);
  const fence = '`'.repeat(Math.min(longestRun(text) + 1, LONGEST_FENCE));
  const pad = text.startsWith('`') || text.endsWith('`') ? ' ' : '';
  return `${fence}${pad}${text}${pad}${fence}`;
}

/** A pair of fence lines that no line of `text` can close. */
export function fenceFor(text: string): string {
  return '`'.repeat(Math.min(Math.max(longestRun(text) + 1, 3), LONGEST_FENCE));
}

/** Runs of backticks as long as the longest fence are shortened, so that a fence of bounded length always holds. */
export const tameBackticks = (text: string): string =>
  text.replace(new RegExp(`\`{${LONGEST_FENCE},}`, 'g'), '`'.repeat(LONGEST_FENCE - 1));

/** A list entry; further lines are indented so that they stay part of it. */
export const bullet = (text: string): string => `- ${text.replace(/\n/g, '\n  ')}`;

/** Paragraphs, each fenced block in one piece; joined by blank lines they are the text again. */
export function paragraphs(text: string): readonly string[] {
  const found: string[] = [];
  const read = fenceReader();
  let lines: string[] = [];
  const flush = () => {
    if (lines.length > 0) found.push(lines.join('\n'));
    lines = [];
  };
  for (const line of text.split('\n')) {
    if (!read.line(line) && line.trim() === '') flush();
    else lines.push(line);
  }
  flush();
  return found;
}

/** Sentences and list entries with the space after them: joined they are the paragraph again. */
export function* sentences(paragraph: string): Generator<string> {
  let from = 0;
  for (const end of paragraph.matchAll(/[.!?…]["')\]*_`]*\s+|[。！？]\s*|\n(?=\s*(?:[-*+]|\d+[.)]|#{1,6})\s)/g)) {
    const to = end.index + end[0].length;
    yield paragraph.slice(from, to);
    from = to;
  }
  if (from < paragraph.length) yield paragraph.slice(from);
}

export const isFenced = (paragraph: string): boolean => paragraph.split('\n').some(line => FENCE.test(line));

interface FenceReader {
  /** Whether this line belongs to a fenced block, its fences included. */
  line(line: string): boolean;
  /** The fence that would close the block that is still open. */
  open(): string | undefined;
}

function fenceReader(): FenceReader {
  let open: string | undefined;
  return {
    line: line => {
      const [, fence, rest] = FENCE.exec(line) ?? [];
      if (open !== undefined) {
        const closes = fence?.startsWith(open[0] ?? '') && fence.length >= open.length && rest?.trim() === '';
        if (closes) open = undefined;
        return true;
      }
      if (fence === undefined || (fence.startsWith('`') && rest?.includes('`'))) return false;
      open = fence;
      return true;
    },
    open: () => open,
  };
}

function longestRun(text: string): number {
  let longest = 0;
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  return longest;
}
