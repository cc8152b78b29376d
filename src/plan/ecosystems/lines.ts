/**
 * Markdown line by line, as the tools of these plans read it: a box is a line, it belongs to the line it is indented
 * under, and a heading ends both. Lines in fences and comments are flagged, because some of these tools count boxes in them.
 */
import { isConflictMarker } from '../conflict.ts';
import { frontMatterLines } from '../markdown-prose.ts';

export interface BoxLine {
  /** The character between the brackets; empty for `[]`. */
  readonly mark: string;
  /** Offset of that character. */
  readonly at: number;
  /** A `*` follows the box directly. */
  readonly starred: boolean;
  /** The rest of the line, and where it starts. */
  readonly text: string;
  readonly textStart: number;
  /** Indentation and bullet. */
  readonly lead: string;
  readonly bullet: string;
}

export interface Line {
  /** Without the line ending and trailing white space. */
  readonly text: string;
  readonly number: number;
  readonly start: number;
  readonly end: number;
  /** Columns of white space before the first word. */
  readonly indent: number;
  /** Inside a fence or a comment, where boxes are examples rather than tasks. */
  readonly hidden?: 'fence' | 'comment';
  readonly heading?: { readonly depth: number; readonly name: string };
  readonly box?: BoxLine;
  readonly conflict?: true;
}

const BOX = /^([ \t]*)([-*+]|\d{1,9}[.)])([ \t]*)\[([ \txX~-]?)\](\*?)[ \t]*(?=\S)(.*)$/;
const HEADING = /^ {0,3}(#{1,6})[ \t]+(\S.*)$/;
const FENCE = /^[ \t]*(`{3,}|~{3,})(.*)$/;

/** The lines below the front matter. */
export const linesBelowSettings = (text: string): readonly Line[] =>
  linesOf(text).slice(frontMatterLines(text.split('\n')));

/** Every line of a text. Never throws. */
export function linesOf(text: string): readonly Line[] {
  const lines: Line[] = [];
  let fence = '';
  let comment = false;
  let start = 0;
  for (let number = 1; start <= text.length; number++) {
    const newline = text.indexOf('\n', start);
    const stop = newline < 0 ? text.length : newline;
    const words = text.slice(start, stop).trimEnd();
    const hidden = fence !== '' ? 'fence' : comment ? 'comment' : undefined;
    const mark = FENCE.exec(words);
    if (fence !== '') {
      if (mark && closes(mark, fence)) fence = '';
    } else if (comment) comment = !words.includes('-->');
    else if (mark && !(mark[2] ?? '').includes('`')) fence = mark[1] ?? '';
    else comment = words.lastIndexOf('<!--') > words.lastIndexOf('-->');
    lines.push(lineOf(words, { number, start, hidden }));
    start = stop + 1;
  }
  return lines;
}

const closes = ([, mark = '', after = '']: RegExpExecArray, fence: string): boolean =>
  mark.startsWith(fence) && after.trim() === '';

interface Place {
  readonly number: number;
  readonly start: number;
  readonly hidden: Line['hidden'] | undefined;
}

function lineOf(text: string, { number, start, hidden }: Place): Line {
  const heading = hidden === undefined ? HEADING.exec(text) : null;
  const box = boxOf(text, start);
  return {
    text,
    number,
    start,
    end: start + text.length,
    indent: columnsOf(text),
    ...(hidden === undefined ? {} : { hidden }),
    ...(heading ? { heading: { depth: heading[1]?.length ?? 1, name: nameOf(heading[2] ?? '') } } : {}),
    ...(box ? { box } : {}),
    ...(isConflictMarker(text) ? { conflict: true } : {}),
  };
}

function boxOf(text: string, start: number): BoxLine | undefined {
  const found = text.includes('[') ? BOX.exec(text) : null;
  if (!found) return undefined;
  const [, space = '', bullet = '', gap = '', mark = '', star = '', words = ''] = found;
  // `- [link](target)` and `- [x](target)` are links.
  if (gap === '' && mark === '') return undefined;
  if (words.startsWith('(') && found[0].includes('](')) return undefined;
  const lead = space + bullet + gap;
  return {
    mark: mark === '\t' ? ' ' : mark,
    at: start + lead.length + 1,
    starred: star === '*',
    text: words,
    textStart: start + text.length - words.length,
    lead,
    bullet,
  };
}

/** A tab advances to the next multiple of four. */
function columnsOf(text: string): number {
  let column = 0;
  for (const character of text) {
    if (character === ' ') column++;
    else if (character === '\t') column += 4 - (column % 4);
    else break;
  }
  return column;
}

const nameOf = (words: string): string =>
  words
    .replace(/[ \t]+#+$/, '')
    .replaceAll('**', '')
    .trim();
