/** Brackets in text whose strings and comments are blank. */

const OPEN = '([{';
const CLOSE = ')]}';

/** One text is asked about many brackets in a row, so it is gone through once. */
let known: { readonly text: string; readonly ends: Int32Array } | undefined;

/** Pieces of a text are asked about in between; they must not push the whole out. */
const LONG = 4000;

function endsOf(text: string): Int32Array {
  if (text.length > LONG && known?.text === text) return known.ends;
  const ends = new Int32Array(text.length).fill(text.length);
  const open: number[] = [];
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 40 || code === 91 || code === 123) open.push(at);
    else if (code === 41 || code === 93 || code === 125) {
      const from = open.pop();
      if (from !== undefined) ends[from] = at;
    }
  }
  if (text.length > LONG) known = { text, ends };
  return ends;
}

/** Offset of the bracket that closes the one at `open`; the end of the text where none does. */
export function closing(bare: string, open: number): number {
  if (bare.length > LONG) return endsOf(bare)[open] ?? bare.length;
  let depth = 0;
  for (let at = open; at < bare.length; at++) {
    const code = bare.charCodeAt(at);
    if (code === 40 || code === 91 || code === 123) depth += 1;
    else if ((code === 41 || code === 93 || code === 125) && --depth === 0) return at;
  }
  return bare.length;
}

/** Parts of a bracket's inside that commas part, as offsets; an empty inside has none. */
export function partsOf(
  bare: string,
  open: number,
  close = closing(bare, open),
): readonly (readonly [number, number])[] {
  const parts: (readonly [number, number])[] = [];
  let from = open + 1;
  for (let at = open + 1; at < close; at++) {
    const code = bare.charCodeAt(at);
    if (code === 40 || code === 91 || code === 123) at = closing(bare, at);
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
  for (let index = from; index < at; index++) {
    const character = bare[index] ?? '';
    if (OPEN.includes(character)) depth += 1;
    else if (CLOSE.includes(character)) depth -= 1;
  }
  return depth;
}

/** Offset of the first character from `at` on that is no white space. */
export function pastSpace(text: string, at: number): number {
  let index = at;
  while (index < text.length && /\s/.test(text[index] ?? '')) index += 1;
  return index;
}

/** Rows of lists that a loop or a table goes through: `in [..]`, `of [..]`, `[]struct{..}{..}`. */
export function tableRows(bare: string): number {
  let rows = 0;
  for (const match of bare.matchAll(/\b(?:in|of)\s*([[(])(?=\s*[[({"'`\d-])/g)) {
    rows += partsOf(bare, match.index + match[0].length - 1).length;
  }
  for (const match of bare.matchAll(/(?:\[\]|map\[\w+\])\*?(struct\s*|[\w.]+)\{/g)) {
    const open = match.index + match[0].length - 1;
    const isType = (match[1] ?? '').startsWith('struct');
    const list = isType ? pastSpace(bare, closing(bare, open) + 1) : open;
    if (bare[list] === '{' && /^\s*(?:\{|"|\w+:)/.test(bare.slice(list + 1, list + 200)))
      rows += partsOf(bare, list).length;
  }
  return rows;
}
