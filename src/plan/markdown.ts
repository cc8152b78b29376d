/**
 * Finds the task boxes of a Markdown file line by line. A Markdown parser would be the obvious tool, but it takes ten
 * seconds for five thousand items; all that matters here is which boxes are tasks, what belongs to them, and their
 * offsets. The rules are CommonMark's, except that in doubt a box counts as a task.
 */
import type { Problem } from '../protocol.ts';
import { once } from '../util/once.ts';
import { allowEntries } from './allow.ts';
import { conflictMessage, isConflictMarker } from './conflict.ts';
import { type Closed, frontMatter, isFence, opens } from './markdown-closed.ts';
import { bulletAt, dedent, endOfWords, isPlain, spacesAt, widthOf } from './markdown-columns.ts';
import { wordsAt } from './markdown-words.ts';
import { plainCommands } from './plain-commands.ts';

/** `''` is the empty box `[]`, which people use for an open task. */
type BoxMark = ' ' | 'x' | 'X' | '~' | '-' | '';

/** A task box that is not inside another task box, with everything under it. */
export interface Box {
  readonly mark: BoxMark;
  /** Offset of the character between the brackets. */
  readonly at: number;
  /** Offset of the first character after the box and its space. */
  readonly textStart: number;
  /** The rest of the line, without trailing white space. */
  readonly text: string;
  readonly line: number;
  /** Headings above it, outermost first. */
  readonly section: readonly string[];
  /** Texts of the boxes inside it. */
  readonly inner: readonly string[];
  /** Chunks of the text under it, one or more lines each; `linesUnder` splits them. */
  readonly under: readonly string[];
  /** Commands of its `verify:` lines. */
  readonly verify: readonly string[];
  /** Entries of its `allow:` lines. */
  readonly allow: readonly string[];
  /** The text before the box: indentation and bullet. */
  readonly lead: string;
  /** The column where its content starts. */
  readonly column: number;
  /** Offset after its last line that is not blank, before the line ending. */
  readonly end: number;
}

export interface Scan {
  readonly boxes: readonly Box[];
  readonly heading: string;
  readonly problems: readonly Problem[];
}

type Writable<T> = { -readonly [K in keyof T]: T[K] extends readonly string[] ? string[] : T[K] };

/** Deeper than any list that a person writes. */
const MAX_NESTING = 100;
const BOX = /^\[([ \txX~-]?)\](?=[ \t]+\S)/;
const TIGHT_BOX = /^[-*+](?=\[[ xX]\][ \t]+\S)/;
/** Excludes a capital letter or a digit in brackets: that is a legend or a reference. */
const ODD_BOX = /^\[[^A-Z\dx_\s[\]()^]\][ \t]/u;

/** Whether a text begins with a box that contains an unknown character. */
export const isUnknownBox = (words: string): boolean => ODD_BOX.test(words);

const HEADING = /^(#{1,6})(?:[ \t]+(.*))?$/;
const VERIFY = /^(?:\*\*)?verify(?:\*\*)?:(?:\*\*)?[ \t]*(\S.*)$/i;
const ALLOW = /^(?:\*\*)?allow(?:\*\*)?:(?:\*\*)?[ \t]*(\S.*)$/;
const NO_COMMAND =
  'the text after this "verify:" is not entirely in backticks: it is read as a criterion, and nothing is run';
const INTERRUPTS = /^(?:>|<!--|<(?:pre|script|style|textarea)\b)/i;
const RULE = /^(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,})$/;

/** Finds every task box outside fences, comments, quotes, code and front matter. Never throws. */
export function scanMarkdown(text: string): Scan {
  const boxes: Writable<Box>[] = [];
  const problems: Problem[] = [];
  const headings: string[] = [];
  /** The content columns of the list items around the current line. */
  const levels: number[] = [];
  let section: string[] = [];
  /** The box that the current line belongs to, and its level. */
  let owner: Writable<Box> | undefined;
  let ownerLevel = 0;
  let closed: Closed | undefined;
  let title = '';
  let previous = '';
  let afterBlank = true;
  let inCode = false;

  const warn = (line: number, column: number, message: string) =>
    problems.push({ level: 'warning', line, column, message });

  /** Adds the line to the text of its box; a blank line does not extend the box. */
  const keep = (content: string, end: number) => {
    if (!owner) return;
    owner.under = added(owner.under, content);
    if (end > 0) owner.end = end;
  };
  const cut = (length: number) => {
    levels.length = length;
    if (length <= ownerLevel) owner = undefined;
  };

  const lastCommentEnd = once(() => text.lastIndexOf('-->'));
  const front = frontMatter(text);
  let line = front.lines;
  for (let start = front.end, next = start; start <= text.length; start = next) {
    const words = owner && !closed ? wordsAt(text, start, owner.column) : undefined;
    if (owner && words) {
      if (afterBlank || words.bullets) cut(levelsAround(levels, owner.column));
      if (words.bullets && levels.length < MAX_NESTING) levels.push(owner.column + 2);
      keep(words.run, start + words.run.trimEnd().length);
      afterBlank = false;
      inCode = false;
      line += words.lines;
      next = start + words.run.length + 1;
      continue;
    }
    const newline = text.indexOf('\n', start);
    next = newline < 0 ? text.length + 1 : newline + 1;
    line++;
    const end = endOfWords(text, start, next - 1);
    const content = text.slice(start, end);
    const spaces = spacesAt(content);
    const indent = isPlain(content.charCodeAt(spaces)) ? spaces : content.length - content.trimStart().length;
    let columns = indent === spaces ? spaces : widthOf(content.slice(0, indent), 0);
    let rest = content.slice(indent);

    if (closed) {
      const leaves = rest !== '' && columns < closed.content;
      if (!leaves && !(closed.atBlank && rest === '')) {
        keep(content, rest === '' ? 0 : end);
        if (closed.ends(rest)) closed = undefined;
        afterBlank = false;
        continue;
      }
      closed = undefined;
    }
    if (rest === '') {
      keep(content, 0);
      afterBlank = true;
      continue;
    }
    const first = rest.charAt(0);
    if ('<>|'.includes(first) && isConflictMarker(content))
      problems.push({ level: 'error', line, column: 1, message: conflictMessage });

    // Most lines are text, which starts with none of these characters.
    const isMark = '-*+_0123456789#`~<>'.includes(first);
    const isRule = isMark && rest.endsWith(first) && RULE.test(rest);
    const tight = isMark && rest.charAt(1) === '[' ? TIGHT_BOX.exec(rest) : null;
    const bullet = isRule || !isMark ? 0 : bulletAt(rest) || (tight ? 1 : 0);
    const heading = first === '#' ? HEADING.exec(rest) : null;
    const lazy =
      bullet === 0 && !heading && !afterBlank && !(isMark && (isFence(rest) || INTERRUPTS.test(rest) || isRule));
    if (!lazy) cut(levelsAround(levels, columns));
    const base = levels.at(-1) ?? 0;

    inCode = columns - base >= 4 && (inCode || afterBlank);
    if (inCode) {
      if (bullet > 0 && BOX.test(rest.slice(bullet).trimStart())) {
        warn(line, indent + 1, 'this box is indented as code, so it is not read as a task');
      }
      keep(content, end);
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
      section = headings.filter(each => each !== '');
      title ||= name;
      continue;
    }
    if (levels.length === 0 && title === '' && !wasBlank && /^=+$/.test(rest)) title = headingText(previous);
    previous = rest;

    if (rest.startsWith('>')) {
      if (/^[>\s]*[-*+][ \t]+\[[ ]\][ \t]+\S/.test(rest.slice(0, 200))) {
        warn(line, indent + 1, 'this box is inside a quote, so it is not read as a task');
      }
      keep(content, end);
      continue;
    }

    let at = start + indent;
    let isTask = false;
    for (let width = bullet; width > 0 && levels.length < MAX_NESTING; width = bulletAt(rest)) {
      const after = rest.slice(width);
      const isSpaced = after.charCodeAt(0) === 32 && isPlain(after.charCodeAt(1));
      const gap = isSpaced ? 1 : after.length - after.trimStart().length;
      const code = gap > 4;
      at += width + gap;
      columns += width + (code || gap === 0 || isSpaced ? 1 : widthOf(after.slice(0, gap), columns + width));
      rest = after.slice(gap);
      const isBox = rest.startsWith('[');
      const box = code || !isBox ? null : BOX.exec(rest);
      if (!box) {
        if (isBox && isUnknownBox(rest))
          warn(line, at - start + 1, `${rest.slice(0, 3)} is not a known box, so this is no task`);
        levels.push(columns);
        if (code) break;
        continue;
      }
      if (tight) warn(line, at - start + 1, 'there is no space between bullet and box; it is read as a task');
      isTask = true;
      const inside = rest.slice(box[0].length);
      const words = inside.trimStart();
      if (owner) {
        owner.inner = added(owner.inner, words);
        owner.end = end;
        levels.push(columns);
        break;
      }
      const made: Writable<Box> = {
        mark: (box[1] === '\t' ? ' ' : box[1]) as BoxMark,
        at: at + 1,
        textStart: at + box[0].length + (inside.length - words.length),
        text: words,
        line,
        section,
        inner: NONE,
        under: NONE,
        verify: NONE,
        allow: NONE,
        lead: content.slice(0, at - start),
        column: columns,
        end,
      };
      boxes.push(made);
      owner = made;
      ownerLevel = levels.length;
      levels.push(columns);
      break;
    }
    if (!isTask) {
      const isField = owner !== undefined && indent > 0 && '*vVaA'.includes(rest.charAt(0));
      const wanted = isField ? VERIFY.exec(rest)?.[1]?.trim() : undefined;
      const lifted = isField ? allowEntries(ALLOW.exec(rest)?.[1]) : [];
      if (lifted.length === 0 && wanted === undefined) keep(content, rest === '' ? 0 : end);
      else if (owner) {
        if (lifted.length > 0) owner.allow = [...owner.allow, ...lifted];
        else {
          const commands = plainCommands(wanted ?? '');
          for (const command of commands) owner.verify = added(owner.verify, command);
          if (commands.length === 0) {
            owner.inner = added(owner.inner, `Verify: ${wanted}`);
            warn(line, indent + 1, NO_COMMAND);
          }
        }
        owner.end = end;
      }
    }
    if ((isMark && isFence(rest)) || rest.includes('<')) {
      closed = opens({ rest, line, content: levels.at(-1) ?? 0, ahead: () => lastCommentEnd() > next });
    }
  }
  if (closed) warn(closed.line, 1, `${closed.what} that is opened here is never closed; boxes below it are not tasks`);
  return { boxes, heading: title, problems };
}

/** Most boxes have at most one entry of a kind, so a list is allocated only for the first entry. */
const NONE: string[] = [];

function added(list: string[], entry: string): string[] {
  if (list.length === 0) return [entry];
  list.push(entry);
  return list;
}

/** How many list levels contain a line that starts in this column. */
function levelsAround(levels: readonly number[], columns: number): number {
  let count = levels.length;
  while (count > 0 && columns < (levels[count - 1] ?? 0)) count--;
  return count;
}

/** The lines under a box, without its indentation. */
export const linesUnder = ({ under, column }: Box): readonly string[] =>
  under.flatMap(run => run.split('\n').map(line => dedent(line.trimEnd(), column)));

function headingText(text: string): string {
  const closing = /#+$/.exec(text)?.index ?? text.length;
  const open = /\s/.test(text[closing - 1] ?? '') ? text.slice(0, closing) : text;
  return open.replaceAll('**', '').trim();
}
