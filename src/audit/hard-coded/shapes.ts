/** Many lines as one text with a hole for each literal, so that a pattern is asked once and not once for each line. */
import type { Language } from '../language.ts';
import { HOLE, literalPattern, type Shape, valueOf } from './values.ts';

export interface Shapes {
  /** The lines, with `BREAK` between them. */
  readonly text: string;
  /** What stood in the holes, as it is written. */
  readonly literals: readonly string[];
  /** Where the holes are. */
  readonly holes: readonly number[];
}

/** Nothing but a line end could be taken for the space inside of one line. */
export const BREAK = '\n\u0002\n';

export function shapesOf(lines: readonly string[], language: Language): Shapes {
  return refilled(lines.join(BREAK), literalPattern(language), literal => literal);
}

/** Names whose value is known are holes as well. */
export function withConstants(shapes: Shapes): Shapes {
  const constants = constantsIn(shapes);
  if (constants.size === 0) return shapes;
  let at = 0;
  return refilled(shapes.text, WORD, word => (word === HOLE ? shapes.literals[at++] : constants.get(word)));
}

const WORD = /\u0001|(?<![\w.$])\$?[A-Za-z_]\w*(?![\w(]|\s*=[^=\n])/g;

/** With a hole wherever something is found for what matches. */
function refilled(text: string, pattern: RegExp, find: (found: string) => string | undefined): Shapes {
  const literals: string[] = [];
  const holes: number[] = [];
  let shorter = 0;
  const shaped = text.replace(pattern, (found: string, at: number) => {
    const literal = find(found);
    if (literal === undefined) return found;
    literals.push(literal);
    holes.push(at - shorter);
    shorter += found.length - HOLE.length;
    return HOLE;
  });
  return { text: shaped, literals, holes };
}

const CONSTANT = new RegExp(
  String.raw`(?:^|\s)(\$?[A-Za-z_]\w*)(?:\s*:\s*[\w&'\s]+)?\s*:?=\s*(?=${HOLE}\s*;?\s*$)`,
  'gm',
);

/** `const CITY_HALL = '…'`: a name for one value, the only one of its line. */
function constantsIn({ text, literals, holes }: Shapes): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const match of text.matchAll(CONSTANT)) {
    const at = match.index + match[0].length;
    const hole = firstFrom(holes, at);
    const literal = literals[hole];
    if (literal !== undefined && (hole === 0 || (holes[hole - 1] ?? 0) < text.lastIndexOf('\n', at)))
      found.set(match[1] ?? '', literal);
  }
  return found;
}

/** One line of them. */
export function shapeBetween({ text, literals, holes }: Shapes, from: number, to: number): Shape {
  const values = literals.slice(firstFrom(holes, from), firstFrom(holes, to)).map(valueOf);
  return { text: text.slice(from, to), values };
}

/** Which of the sorted numbers is the first that is not smaller. */
function firstFrom(sorted: readonly number[], least: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? 0) < least) low = middle + 1;
    else high = middle;
  }
  return low;
}
