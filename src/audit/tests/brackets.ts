/**
 * Brackets in text whose strings and comments are blanked. A regular expression jumps from one bracket to the next: in a
 * short-lived process, loops are interpreted, while regular expressions are compiled at their second use.
 */

import { allMatches } from '../matches.ts';

const BRACKET = /[()[\]{}]/g;
const BRACKET_OR_COMMA = /[()[\]{},]/g;
const SPACE = /\s*/y;

/** Whether a character code is an opening bracket. */
export const isOpen = (code: number): boolean => code === 40 || code === 91 || code === 123;

/** For each offset of a bracket, the offset where it is closed. Most texts are short enough for two bytes each. */
type Ends = Uint16Array | Int32Array;

/** Cached per text, because one rule after the other asks about many brackets of the same text. */
const known = new Map<string, Ends>();
let kept = 0;
/** The cache holds at most this many characters of text. */
const KEPT = 8_000_000;
/** The last text, which is usually asked about again. */
let last: { readonly text: string; readonly ends: Ends } | undefined;

/**
 * Deeper than anybody nests code. Every rule reads the whole contents of a bracket, so a file of only opening brackets
 * would take quadratic time. Below this depth a bracket counts as empty.
 */
const DEPTH = 64;

/** A shorter text is scanned again, because that is faster than a cache lookup. */
const LONG = 4000;

function endsOf(text: string): Ends {
  if (last?.text === text) return last.ends;
  const ends = known.get(text) ?? readEnds(text);
  last = { text, ends };
  return ends;
}

function readEnds(text: string): Ends {
  const ends = new (text.length < 65_536 ? Uint16Array : Int32Array)(text.length).fill(text.length);
  const open: number[] = [];
  BRACKET.lastIndex = 0;
  while (BRACKET.test(text)) {
    const at = BRACKET.lastIndex - 1;
    if (isOpen(text.charCodeAt(at))) {
      if (open.length >= DEPTH) ends[at] = at;
      open.push(at);
    } else {
      const from = open.pop();
      if (from !== undefined && open.length < DEPTH) ends[from] = at;
    }
  }
  if (kept + text.length > KEPT) {
    known.clear();
    kept = 0;
  }
  kept += text.length;
  known.set(text, ends);
  return ends;
}

/** Offset of the bracket that closes the one at `open`; the end of the text if none does. */
export function closing(bare: string, open: number): number {
  if (bare.length > LONG) return endsOf(bare)[open] ?? bare.length;
  let depth = 0;
  BRACKET.lastIndex = open;
  while (BRACKET.test(bare)) {
    const at = BRACKET.lastIndex - 1;
    if (isOpen(bare.charCodeAt(at))) depth += 1;
    else if (--depth === 0) return at;
  }
  return bare.length;
}

/** The comma-separated parts inside a bracket, as offsets; none if it is empty. */
export function partsOf(
  bare: string,
  open: number,
  close = closing(bare, open),
): readonly (readonly [number, number])[] {
  const parts: (readonly [number, number])[] = [];
  let from = open + 1;
  BRACKET_OR_COMMA.lastIndex = from;
  while (BRACKET_OR_COMMA.test(bare)) {
    const at = BRACKET_OR_COMMA.lastIndex - 1;
    if (at >= close) break;
    const code = bare.charCodeAt(at);
    if (isOpen(code)) BRACKET_OR_COMMA.lastIndex = closing(bare, at) + 1;
    else if (code === 44) {
      parts.push([from, at]);
      from = at + 1;
    }
  }
  if (from < close && bare.slice(from, close).trim() !== '') parts.push([from, close]);
  return parts;
}

/** How many brackets are open at `at`, counted from `from`. */
export function depthAt(bare: string, from: number, at: number): number {
  let depth = 0;
  BRACKET.lastIndex = from;
  while (BRACKET.test(bare) && BRACKET.lastIndex <= at) {
    depth += isOpen(bare.charCodeAt(BRACKET.lastIndex - 1)) ? 1 : -1;
  }
  return depth;
}

/** Offset of the first character from `at` on that is not white space. */
export function pastSpace(text: string, at: number): number {
  if (at >= text.length) return at;
  SPACE.lastIndex = at;
  SPACE.test(text);
  return SPACE.lastIndex;
}

const LOOP = /\b(?:in|of)\s*([[(])(?=\s*[[({"'`\d-])/g;
const TABLE = /(?:\[\]|map\[\w+\])\*?(struct\s*|[\w.]+)\{/g;

/** Whether a text contains any such list: one search for the whole file instead of one per test. */
export const hasTables = (bare: string): boolean => bare.search(LOOP) >= 0 || bare.search(TABLE) >= 0;

/** Counts the rows of lists that a loop or a table uses: `in [..]`, `of [..]`, `[]struct{..}{..}`. */
export function tableRows(bare: string): number {
  let rows = 0;
  for (const match of allMatches(bare, LOOP)) {
    rows += partsOf(bare, match.index + match[0].length - 1).length;
  }
  for (const match of allMatches(bare, TABLE)) {
    const open = match.index + match[0].length - 1;
    const isType = (match[1] ?? '').startsWith('struct');
    const list = isType ? pastSpace(bare, closing(bare, open) + 1) : open;
    if (bare[list] === '{' && /^\s*(?:\{|"|\w+:)/.test(bare.slice(list + 1, list + 200)))
      rows += partsOf(bare, list).length;
  }
  return rows;
}
