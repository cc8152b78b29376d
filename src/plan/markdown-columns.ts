/** Where the words of a Markdown line begin and end: white space, bullets, columns. */

const NUMBERED = /^\d{1,9}[.)](?=[ \t]|$)/;

/** Certainly no white space; what is not ASCII may be some. */
export const isPlain = (code: number): boolean => code > 32 && code < 127;

/** Where a line ends without the white space at its end. */
export function endOfWords(text: string, start: number, end: number): number {
  if (end > start && isPlain(text.charCodeAt(end - 1))) return end;
  return start + text.slice(start, end).trimEnd().length;
}

export function spacesAt(line: string): number {
  let count = 0;
  while (line.charCodeAt(count) === 32) count++;
  return count;
}

/** How long the bullet or number is that a text starts with; 0 for none. */
export function bulletAt(text: string): number {
  const first = text.charAt(0);
  if (first >= '0' && first <= '9') return NUMBERED.exec(text)?.[0].length ?? 0;
  if (first !== '-' && first !== '*' && first !== '+') return 0;
  const after = text.charAt(1);
  return after === ' ' || after === '' || after === '\t' ? 1 : 0;
}

/** Columns of white space that starts in a given column; a tab goes to the next multiple of four. */
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
