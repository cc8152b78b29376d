/**
 * The task boxes of a Markdown file, found line by line. A Markdown parser would be the obvious tool, but it takes ten
 * seconds for five thousand items; all that matters here is which boxes are tasks, whose they are, and where their
 * bytes stand. The rules are CommonMark's, except that a box is rather seen than overlooked.
 */
import type { Problem } from '../protocol.ts';
import { allowEntries } from './allow.ts';
import { conflictMessage, isConflictMarker } from './conflict.ts';

/** `''` is the empty box `[]`, which people mean as open. */
type BoxMark = ' ' | 'x' | 'X' | '~' | '-' | '';

/** A task box that no other task box contains, with everything that stands under it. */
export interface Box {
  readonly mark: BoxMark;
  /** Offset of the character between the brackets. */
  readonly at: number;
  /** Offset of the first character after the box and its space. */
  readonly textStart: number;
  /** The rest of the line, without the white space at its end. */
  readonly text: string;
  readonly line: number;
  /** Headings above it, outermost first. */
  readonly section: readonly string[];
  /** Texts of the boxes inside it. */
  readonly inner: readonly string[];
  /** Lines under it, without its indentation. */
  readonly under: readonly string[];
  /** Commands of its `verify:` lines. */
  readonly verify: readonly string[];
  /** Entries of its `allow:` lines. */
  readonly allow: readonly string[];
  /** What stands before the box: indentation and bullet. */
  readonly lead: string;
  /** The column its content starts in. */
  readonly column: number;
  /** Offset after its last line that is not blank, without the line end. */
  readonly end: number;
}

export interface Scan {
  readonly boxes: readonly Box[];
  readonly heading: string;
  readonly problems: readonly Problem[];
}

type Writable<T> = { -readonly [K in keyof T]: T[K] extends readonly string[] ? string[] : T[K] };

interface Level {
  readonly content: number;
  readonly box?: Writable<Box>;
}

/** Text in which boxes mean nothing: a fence, a comment, or raw HTML. */
interface Closed {
  readonly ends: (line: string) => boolean;
  /** Ends with its list item, too. */
  readonly content: number;
  readonly atBlank: boolean;
  readonly line: number;
  readonly what: string;
}

/** Deeper than any list that a person made. */
const MAX_NESTING = 100;

const BULLET = /^([-*+]|\d{1,9}[.)])(?=[ \t]|$)/;
const BOX = /^\[([ \txX~-]?)\](?=[ \t]+\S)/;
const TIGHT_BOX = /^[-*+](?=\[[ xX]\][ \t]+\S)/;
const ODD_BOX = /^\[[^\w\s[\]()^]\][ \t]/u;
const HEADING = /^(#{1,6})(?:[ \t]+(.*))?$/;
const VERIFY = /^(?:\*\*)?verify(?:\*\*)?:(?:\*\*)?[ \t]*(\S.*)$/i;
const ALLOW = /^(?:\*\*)?allow(?:\*\*)?:(?:\*\*)?[ \t]*(\S.*)$/;
const RAW = /^<(pre|script|style|textarea)\b/i;
const INTERRUPTS = /^(?:>|<!--|<(?:pre|script|style|textarea)\b)/i;
const RULE = /^(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,})$/;

/** Finds every task box outside fences, comments, quotes, code and front matter. Never throws. */
export function scanMarkdown(text: string): Scan {
  const boxes: Writable<Box>[] = [];
  const problems: Problem[] = [];
  const headings: string[] = [];
  let levels: Level[] = [];
  let closed: Closed | undefined;
  let title = '';
  let previous = '';
  let afterBlank = true;
  let inCode = false;

  const warn = (line: number, column: number, message: string) =>
    problems.push({ level: 'warning', line, column, message });

  const lines = text.split('\n');
  const lastCommentEnd = text.lastIndexOf('-->');
  let offset = 0;
  let index = frontMatterEnd(lines);
  for (let skipped = 0; skipped < index; skipped++) offset += (lines[skipped] ?? '').length + 1;

  for (; index < lines.length; index++) {
    const raw = lines[index] ?? '';
    const start = offset;
    offset += raw.length + 1;
    const line = index + 1;
    const content = raw.trimEnd();
    const indent = indentOf(content);
    let { columns } = indent;
    let rest = content.slice(indent.length);
    const owner = () => levels.find(level => level.box)?.box;
    const keep = () => {
      const box = owner();
      if (!box) return;
      box.under.push(dedent(content, box.column));
      if (rest !== '') box.end = start + content.length;
    };

    if (closed) {
      const leaves = rest !== '' && columns < closed.content;
      if (!leaves && !(closed.atBlank && rest === '')) {
        keep();
        if (closed.ends(rest)) closed = undefined;
        afterBlank = false;
        continue;
      }
      closed = undefined;
    }
    if (rest === '') {
      keep();
      afterBlank = true;
      continue;
    }
    const first = rest.charAt(0);
    if ('<>|'.includes(first) && isConflictMarker(content))
      problems.push({ level: 'error', line, column: 1, message: conflictMessage });

    // Most lines are words, which none of these patterns begin with.
    const isMark = '-*+_0123456789#`~<>'.includes(first);
    const isRule = isMark && RULE.test(rest);
    const tight = isMark ? TIGHT_BOX.exec(rest) : null;
    const bullet = isRule || !isMark ? null : (BULLET.exec(rest) ?? tight);
    const heading = first === '#' ? HEADING.exec(rest) : null;
    const lazy = !bullet && !heading && !afterBlank && !(isMark && (isFence(rest) || INTERRUPTS.test(rest) || isRule));
    if (!lazy) levels = levels.slice(0, levelsAround(levels, columns));
    const base = levels.at(-1)?.content ?? 0;

    inCode = columns - base >= 4 && (inCode || afterBlank);
    if (inCode) {
      if (bullet && BOX.test(rest.slice(bullet[0].length).trimStart())) {
        warn(line, indent.length + 1, 'this box is indented as code, so it is not read as a task');
      }
      keep();
      continue;
    }
    const wasBlank = afterBlank;
    afterBlank = false;
    if (heading && columns < 4 && levels.length === 0) {
      const name = headingText(heading[2] ?? '');
      const depth = heading[1]?.length ?? 1;
      headings.length = Math.min(headings.length, depth - 1);
      while (headings.length < depth - 1) headings.push('');
      headings.push(name);
      title ||= name;
      continue;
    }
    if (levels.length === 0 && title === '' && !wasBlank && /^=+$/.test(rest)) title = headingText(previous);
    previous = rest;

    if (rest.startsWith('>')) {
      if (/^[>\s]*[-*+][ \t]+\[[ ]\][ \t]+\S/.test(rest.slice(0, 200))) {
        warn(line, indent.length + 1, 'this box is inside a quote, so it is not read as a task');
      }
      keep();
      continue;
    }

    let at = start + indent.length;
    let isTask = false;
    for (let found = bullet; found && levels.length < MAX_NESTING; found = BULLET.exec(rest)) {
      const width = found[0].length;
      const after = rest.slice(width);
      const gap = after.length - after.trimStart().length;
      const code = gap > 4;
      at += width + gap;
      columns += width + (code || gap === 0 ? 1 : widthOf(after.slice(0, gap), columns + width));
      rest = after.slice(gap);
      const box = code ? null : BOX.exec(rest);
      if (!box) {
        if (ODD_BOX.test(rest))
          warn(line, at - start + 1, `${rest.slice(0, 3)} is not a known box, so this is no task`);
        levels.push({ content: columns });
        if (code) break;
        continue;
      }
      if (found === tight) warn(line, at - start + 1, 'there is no space between bullet and box; it is read as a task');
      isTask = true;
      const inside = rest.slice(box[0].length);
      const words = inside.trimStart();
      const outer = owner();
      if (outer) {
        outer.inner.push(words);
        outer.end = start + content.length;
        levels.push({ content: columns });
        break;
      }
      const made: Writable<Box> = {
        mark: (box[1] === '\t' ? ' ' : box[1]) as BoxMark,
        at: at + 1,
        textStart: at + box[0].length + (inside.length - words.length),
        text: words,
        line,
        section: headings.filter(name => name !== ''),
        inner: [],
        under: [],
        verify: [],
        allow: [],
        lead: content.slice(0, at - start),
        column: columns,
        end: start + content.length,
      };
      boxes.push(made);
      levels.push({ content: columns, box: made });
      break;
    }
    const isField = !isTask && indent.length > 0;
    const command = isField ? VERIFY.exec(rest)?.[1]?.trim() : undefined;
    const allowed = isField ? ALLOW.exec(rest)?.[1] : undefined;
    const lifted = allowed === undefined ? [] : allowEntries(allowed);
    if (lifted.length > 0) {
      const box = owner();
      box?.allow.push(...lifted);
      if (box) box.end = start + content.length;
    } else if (command === undefined) {
      if (!isTask) keep();
    } else {
      const box = owner();
      box?.verify.push(command.replace(/^`+|`+$/g, '').trim());
      if (box) box.end = start + content.length;
    }

    closed = opens({ rest, line, content: levels.at(-1)?.content ?? 0, ahead: lastCommentEnd > offset });
  }
  if (closed) warn(closed.line, 1, `${closed.what} that is opened here is never closed; boxes below it are not tasks`);
  return { boxes, heading: title, problems };
}

/** How many list levels a line that starts in this column is still inside of. */
function levelsAround(levels: readonly Level[], columns: number): number {
  let count = levels.length;
  while (count > 0 && columns < (levels[count - 1]?.content ?? 0)) count--;
  return count;
}

interface Opening {
  readonly rest: string;
  readonly line: number;
  readonly content: number;
  /** A comment end stands somewhere below. */
  readonly ahead: boolean;
}

function opens({ rest, line, content, ahead }: Opening): Closed | undefined {
  if (isFence(rest)) {
    const mark = rest.charAt(0);
    const length = runLength(rest, mark);
    const ends = (found: string) => runLength(found, mark) >= length && found.slice(runLength(found, mark)) === '';
    return { ends, content, atBlank: false, line, what: 'the code fence' };
  }
  if (!rest.includes('<')) return undefined;
  const raw = RAW.exec(rest)?.[1]?.toLowerCase();
  if (raw !== undefined) {
    const ends = (found: string) => found.toLowerCase().includes(`</${raw}>`);
    return ends(rest) ? undefined : { ends, content, atBlank: false, line, what: `the <${raw}> block` };
  }
  if (!rest.includes('<!--') || !rest.replace(/`[^`]*`/g, '').includes('<!--')) return undefined;
  if (rest.lastIndexOf('-->') > rest.lastIndexOf('<!--')) return undefined;
  const ends = (found: string) => found.includes('-->');
  const block = rest.startsWith('<!--');
  // In the middle of a sentence an opening without an end is only text.
  if (!block && !ahead) return undefined;
  return { ends, content, atBlank: !block, line, what: 'the comment' };
}

function isFence(rest: string): boolean {
  if (rest.startsWith('~~~')) return true;
  return rest.startsWith('```') && !rest.slice(runLength(rest, '`')).includes('`');
}

function runLength(text: string, character: string): number {
  let length = 0;
  while (text[length] === character) length++;
  return length;
}

function frontMatterEnd(lines: readonly string[]): number {
  if (lines[0]?.trimEnd() !== '---') return 0;
  const end = lines.findIndex((line, index) => index > 0 && /^(?:---|\.\.\.)\s*$/.test(line));
  return end < 0 ? 0 : end + 1;
}

function indentOf(line: string): { readonly length: number; readonly columns: number } {
  const length = line.length - line.trimStart().length;
  return { length, columns: widthOf(line.slice(0, length), 0) };
}

/** Columns of white space that starts in a given column; a tab goes to the next multiple of four. */
function widthOf(space: string, from: number): number {
  let column = from;
  for (const character of space) column += character === '\t' ? 4 - (column % 4) : 1;
  return column - from;
}

function dedent(line: string, columns: number): string {
  let at = 0;
  let column = 0;
  while (column < columns && (line[at] === ' ' || line[at] === '\t')) column += widthOf(line[at++] ?? '', column);
  return line.slice(at);
}

function headingText(text: string): string {
  const closing = /#+$/.exec(text)?.index ?? text.length;
  const open = /\s/.test(text[closing - 1] ?? '') ? text.slice(0, closing) : text;
  return open.replaceAll('**', '').trim();
}
