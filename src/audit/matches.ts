/** Fast matching of patterns on many short texts. */
import { oncePer } from '../util/once.ts';
import type { Line } from './line.ts';

/**
 * Every match of a pattern with the flag `g`. `matchAll` clones the pattern at each call, which takes longer than
 * searching a test.
 */
export function allMatches(text: string, pattern: RegExp): readonly RegExpExecArray[] {
  const found: RegExpExecArray[] = [];
  pattern.lastIndex = 0;
  for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
    found.push(match);
    if (match[0] === '') pattern.lastIndex += 1;
  }
  return found;
}

/** The code of these lines as one cached text: if a pattern does not match it, it matches none of the lines. */
export const codeOf = oncePer((lines: readonly Line[]) => lines.map(line => line.code).join('\n'));

/** The same with comments. */
export const textOf = oncePer((lines: readonly Line[]) => lines.map(line => line.text).join('\n'));

/** Lines in which a match of a pattern with the flag `g` ends, in order. One search instead of one per line. */
export function linesWith(lines: readonly Line[], pattern: RegExp, of = codeOf): readonly Line[] {
  const code = of(lines);
  const found: Line[] = [];
  let at = 0;
  let end = code.indexOf('\n');
  pattern.lastIndex = 0;
  while (pattern.test(code)) {
    for (; end >= 0 && end < pattern.lastIndex; end = code.indexOf('\n', end + 1)) at += 1;
    const line = lines[at];
    if (line) found.push(line);
    if (end < 0) break;
    pattern.lastIndex = end + 1;
  }
  return found;
}
