/**
 * A fast path: most of a long plan is text and bullets directly under a box, and no such line changes what the next one
 * means. One pattern skips a whole run of such lines; everything else is parsed line by line.
 */

interface Words {
  /** Without the last line ending. */
  readonly run: string;
  readonly lines: number;
  /** Some of the lines are bullets. */
  readonly bullets: boolean;
}

/** The lines of text and bullets from here on that are indented to the column of their box, if there are any. */
export function wordsAt(text: string, start: number, column: number): Words | undefined {
  if (column > WIDEST) return undefined;
  const pattern = WORDS[column] ?? wordsIn(column);
  WORDS[column] = pattern;
  pattern.lastIndex = start;
  const found = pattern.exec(text);
  if (!found?.[0]) return undefined;
  return { run: found[0].slice(0, -1), lines: linesIn(found[0]), bullets: found[1] !== '' };
}

/** More indentation than people write. */
const WIDEST = 40;
/** Lines per match, so that backtracking is bounded. */
const LONGEST = 100;
const WORDS: RegExp[] = [];

function wordsIn(column: number): RegExp {
  const words = '(?![Vv][Ee][Rr][Ii][Ff][Yy]|allow)[A-Za-z][^<\\n]*\\n';
  const lines = `(?: {${column}}${words}){0,${LONGEST}}`;
  return new RegExp(`${lines}((?: {${column}}[-*+] ${words}${lines}){0,${LONGEST}})`, 'y');
}

function linesIn(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count++;
  return count;
}
