/** Many lines as one text with a hole for each literal, so that a pattern runs once instead of once per line. */
import type { Language } from '../language.ts';
import { HOLE, literalPattern, type Shape, valueOf } from './values.ts';

export interface Shapes {
  /** The lines, with `BREAK` between them. */
  readonly text: string;
  /** The literals from the holes, as written. */
  readonly literals: readonly string[];
  /** Offsets of the holes. */
  readonly holes: readonly number[];
}

/** A line separator that no pattern can mistake for white space within a line. */
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

/** The shape of one line. */
export function shapeBetween({ text, literals, holes }: Shapes, from: number, to: number): Shape {
  const values = literals.slice(firstFrom(holes, from), firstFrom(holes, to)).map(valueOf);
  return { text: text.slice(from, to), values };
}

/** The index of the first of the sorted numbers that is not smaller. */
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
