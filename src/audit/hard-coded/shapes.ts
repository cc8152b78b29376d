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
  const literals: string[] = [];
  const holes: number[] = [];
  let shorter = 0;
  const text = lines.join(BREAK).replace(literalPattern(language), (literal: string, at: number) => {
    literals.push(literal);
    holes.push(at - shorter);
    shorter += literal.length - HOLE.length;
    return HOLE;
  });
  return { text, literals, holes };
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
