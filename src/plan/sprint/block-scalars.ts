/** Single-line values of block YAML: quoted, plain, empty. Undefined means that the full parser has to read it. */
import { HASH, SPACE } from './block-lines.ts';
import type { YamlNode, YamlScalar } from './nodes.ts';

const SINGLE = /'((?:[^'\n\t]|'')*)'/y;
/** Only the escapes that JSON also has. */
const DOUBLE = /"((?:[^"\\\n\t]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*)"/y;
const EMPTY = /\[\]|\{\}/y;
const WORDS: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ...['null', 'Null', 'NULL', '~'].map(word => [word, null] as const),
  ...['true', 'True', 'TRUE'].map(word => [word, true] as const),
  ...['false', 'False', 'FALSE'].map(word => [word, false] as const),
]);
const NUMBER = /^(?:0|[1-9]\d{0,9})(?:\.\d{1,5})?$/;
/** Number notations that this parser leaves to the full one. */
const ODD_NUMBER = /^[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:[eE][-+]?\d+)?$|^0[ox]|^[-+]?\.(?:inf|nan)$/i;

/** Whether a plain word is not a string, such as `null` or `true`; none of these is longer than five characters. */
export const isOther = (word: string): boolean => word.length <= 5 && WORDS.has(word);

export function readScalar(text: string, start: number, end: number): YamlNode | undefined {
  switch (text[start]) {
    case '[':
    case '{': {
      const empty = matchAt(EMPTY, text, start);
      if (!empty || !isOver(text, EMPTY.lastIndex, end)) return undefined;
      return { type: empty[0] === '[]' ? 'seq' : 'map', flow: true, items: [], start, end: start + 2 };
    }
    case "'": {
      const single = matchAt(SINGLE, text, start);
      if (!single || !isOver(text, SINGLE.lastIndex, end)) return undefined;
      return { type: 'scalar', value: single[1]?.replaceAll("''", "'"), start, end: SINGLE.lastIndex };
    }
    case '"': {
      const double = matchAt(DOUBLE, text, start);
      if (!double || !isOver(text, DOUBLE.lastIndex, end)) return undefined;
      const value: unknown = double[0].includes('\\') ? JSON.parse(double[0]) : double[1];
      return { type: 'scalar', value, start, end: DOUBLE.lastIndex };
    }
    default:
      return readPlain(text, start, end);
  }
}

/** Whether only white space and a comment are left on the line. */
function isOver(text: string, from: number, end: number): boolean {
  let at = from;
  while (text.charCodeAt(at) === SPACE) at++;
  return at >= end || (at > from && text.charCodeAt(at) === HASH);
}

function readPlain(text: string, start: number, end: number): YamlScalar | undefined {
  const line = text.slice(start, end);
  const comment = line.indexOf(' #');
  const word = (comment < 0 ? line : line.slice(0, comment)).trimEnd();
  if (!/^[\p{L}\p{N}_./()$<=+~]/u.test(word) || word.endsWith(':') || word.includes(': ') || word.includes('\t')) {
    return undefined;
  }
  const stop = start + word.length;
  if (WORDS.has(word)) return { type: 'scalar', value: WORDS.get(word), start, end: stop };
  if (NUMBER.test(word)) return { type: 'scalar', value: Number(word), start, end: stop };
  return ODD_NUMBER.test(word) ? undefined : { type: 'scalar', value: word, start, end: stop };
}

export function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}
