/** Where the text of a Markdown line begins and ends: white space, bullets, columns. */

const NUMBERED = /^\d{1,9}[.)](?=[ \t]|$)/;

/** Certainly not white space; a character outside ASCII may be. */
export const isPlain = (code: number): boolean => code > 32 && code < 127;

/** The end of a line without trailing white space. */
export function endOfWords(text: string, start: number, end: number): number {
  if (end > start && isPlain(text.charCodeAt(end - 1))) return end;
  return start + text.slice(start, end).trimEnd().length;
}

export function spacesAt(line: string): number {
  let count = 0;
  while (line.charCodeAt(count) === 32) count++;
  return count;
}

/** The length of the bullet or number at the start of a text; 0 if there is none. */
export function bulletAt(text: string): number {
  const first = text.charAt(0);
  if (first >= '0' && first <= '9') return NUMBERED.exec(text)?.[0].length ?? 0;
  if (first !== '-' && first !== '*' && first !== '+') return 0;
  const after = text.charAt(1);
  return after === ' ' || after === '' || after === '\t' ? 1 : 0;
}

/** The columns that white space takes up from a given column on; a tab advances to the next multiple of four. */
export function widthOf(space: string, from: number): number {
  let column = from;
  for (const character of space) column += character === '\t' ? 4 - (column % 4) : 1;
  return column - from;
}

export function dedent(line: string, columns: number): string {
  let at = 0;
  let column = 0;
  while (column < columns && (line[at] === ' ' || line[at] === '\t')) column += widthOf(line[at++] ?? '', column);
  return line.slice(at);
}
