/**
 * A fast parser for YAML as programs write it: block mappings and lists, single-line scalars, literal blocks. A sprint of
 * five thousand phases is megabytes of nothing else, and the full parser takes seconds for it. Anything that is not
 * certainly understood gives undefined: then the full parser reads the text, and reports what is wrong.
 */
import { HASH, Lines, NEWLINE, PIPE, SPACE, TAB } from './block-lines.ts';
import { isOther, matchAt, readScalar } from './block-scalars.ts';
import { endOfPair, type YamlMap, type YamlNode, type YamlPair, type YamlScalar, type YamlSeq } from './nodes.ts';
import { endOfEntry, PlainEntry } from './plain-entry.ts';

/** More than any sprint nests, and less than any call stack allows. */
const MAX_DEPTH = 40;
/** A larger mapping is arbitrary data, and checking it for duplicate keys would take too long. */
const MAX_KEYS = 100;

const KEY = /[A-Za-z_][\w.-]{0,200}:(?=[ \n]|$)/y;
const LITERAL = /\|(-?)(?= *(?:\n|$)| +#)/y;

/** The mapping in a text; undefined if the full parser has to read it. Never throws. */
export function readBlockYaml(text: string): YamlMap | undefined {
  // CRLF line endings, byte-order marks and control characters have rules of their own.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  if (/[\r\0-\x08\x0b\x0c\x0e-\x1f\x7f\ufeff]/.test(text)) return undefined;
  const lines = new Lines(text);
  lines.next(0);
  if (lines.indent !== 0 || lines.isDash()) return undefined;
  const root = readMap(lines, { at: 0, from: lines.start, depth: 0 });
  return root && lines.isOver() ? root : undefined;
}

function startsWithKey(text: string, at: number): boolean {
  KEY.lastIndex = at;
  return KEY.test(text);
}

interface Place {
  /** The column of its keys or dashes. */
  readonly at: number;
  /** Offset of its first key on the current line. */
  readonly from: number;
  readonly depth: number;
}

function readMap(lines: Lines, { at, from, depth }: Place): YamlMap | undefined {
  const { text, pairs } = lines;
  const first = pairs.length;
  for (let keyStart = from; ; keyStart = lines.start + at) {
    if (!startsWithKey(text, keyStart)) return undefined;
    const colon = KEY.lastIndex - 1;
    const name = text.slice(keyStart, colon);
    if (isOther(name) || pairs.length - first === MAX_KEYS || has(pairs, first, name)) return undefined;
    const value = readValue(lines, { after: colon + 1, at, depth, parent: 'map' });
    if (value === undefined || (value.type === 'scalar' && lines.indent > at)) return undefined;
    pairs.push({ key: { type: 'scalar', value: name, start: keyStart, end: colon }, value });
    if (lines.indent < at) break;
    if (lines.indent > at || lines.isDash()) return undefined;
  }
  const items = pairs.splice(first);
  return { type: 'map', flow: false, items, start: from, end: lastEnd(items) };
}

function readSeq(lines: Lines, { at, depth }: Omit<Place, 'from'>): YamlSeq | undefined {
  const { text } = lines;
  const start = lines.start + at;
  const items: YamlNode[] = [];
  while (lines.indent === at && lines.isDash()) {
    let content = lines.start + at + 1;
    while (text.charCodeAt(content) === SPACE) content++;
    const column = content - lines.start;
    const item =
      readEntry(lines, content, at) ??
      (startsWithKey(text, content)
        ? readMap(lines, { at: column, from: content, depth: depth + 1 })
        : readValue(lines, { after: lines.start + at + 1, at, depth, parent: 'seq' }));
    if (item === undefined) return undefined;
    items.push(item);
  }
  if (lines.indent > at) return undefined;
  return { type: 'seq', flow: false, items, start, end: items.at(-1)?.end ?? start };
}

/** Reads a plain entry. Afterwards the cursor is on the line after it; if it is not a plain entry, the cursor has not moved. */
function readEntry(lines: Lines, start: number, at: number): PlainEntry | undefined {
  const { text, start: line } = lines;
  const next = endOfEntry(text, start, start - line);
  if (next === undefined) return undefined;
  lines.next(next);
  if (lines.indent <= at) return new PlainEntry(text, start, start - line, next, readAgain);
  lines.next(line);
  return undefined;
}

const readAgain = ({ text, start }: PlainEntry): readonly YamlPair[] => readEntryAt(text, start)?.items ?? [];

/** Parses a list entry that was already recognised, from its first key on. */
function readEntryAt(text: string, start: number): YamlMap | undefined {
  const lines = new Lines(text);
  const line = text.lastIndexOf('\n', start) + 1;
  lines.next(line);
  return readMap(lines, { at: start - line, from: start, depth: 0 });
}

interface Spot {
  /** Offset after the colon or dash. */
  readonly after: number;
  /** The column of the mapping or list that it belongs to. */
  readonly at: number;
  readonly depth: number;
  readonly parent: 'map' | 'seq';
}

/** Reads the value after a colon or dash. Then the cursor is on the next line. */
function readValue(lines: Lines, { after, at, depth, parent }: Spot): YamlNode | undefined {
  const { text, end } = lines;
  let start = after;
  while (text.charCodeAt(start) === SPACE) start++;
  const code = text.charCodeAt(start);
  if (start >= end || (code === HASH && start > after)) {
    if (parent === 'seq') return undefined;
    return readBelow(lines, { after: start, at, depth });
  }
  if (code === PIPE) {
    const literal = matchAt(LITERAL, text, start);
    return literal ? readLiteral(lines, { start, strip: literal[1] === '-', at }) : undefined;
  }
  const scalar = readScalar(text, start, end);
  if (scalar === undefined) return undefined;
  lines.next(end + 1);
  // A deeper-indented line would continue the scalar.
  return lines.indent > at ? undefined : scalar;
}

/** Reads the value in the lines below a key, or an empty value. */
function readBelow(lines: Lines, { after, at, depth }: Omit<Spot, 'parent'>): YamlNode | undefined {
  lines.next(lines.end + 1);
  const { indent, commented } = lines;
  const isList = indent >= at && lines.isDash();
  if (indent <= at && !isList) return { type: 'scalar', value: null, start: after, end: after };
  // The full parser decides by the position of the comment where the value begins.
  if (commented || depth >= MAX_DEPTH) return undefined;
  return isList
    ? readSeq(lines, { at: indent, depth: depth + 1 })
    : readMap(lines, { at: indent, from: lines.start + indent, depth: depth + 1 });
}

interface LiteralSpot {
  readonly start: number;
  readonly strip: boolean;
  readonly at: number;
}

/** Reads the lines of a `|` block, without their indentation. */
function readLiteral(lines: Lines, { start, strip, at }: LiteralSpot): YamlScalar | undefined {
  const { text } = lines;
  const from = lines.end + 1;
  let [indent, end, next] = [-1, from, from];
  while (next < text.length) {
    let first = next;
    while (text.charCodeAt(first) === SPACE) first++;
    const code = text.charCodeAt(first);
    if (code === NEWLINE || first >= text.length) {
      // Spaces on an empty line may be content or a mistake: the full parser decides.
      if (first > next) return undefined;
      next++;
      continue;
    }
    if (indent < 0) indent = first - next;
    if (indent <= at || (code === TAB && first - next <= indent)) return undefined;
    if (first - next < indent) break;
    next = lines.lineAfter(first);
    end = Math.min(next, text.length);
  }
  if (indent < 0) return undefined;
  lines.next(next);
  if (lines.indent > at) return undefined;
  // Empty lines contain no spaces, and every other line has at least this indentation.
  const block = `\n${text.slice(from, end)}`.replaceAll(`\n${' '.repeat(indent)}`, '\n').slice(1);
  // The value ends with a line ending even if the file does not.
  const bare = block.endsWith('\n') ? block.slice(0, -1) : block;
  return { type: 'scalar', value: strip ? bare : `${bare}\n`, start, end };
}

function has(pairs: readonly YamlPair[], first: number, name: string): boolean {
  for (let index = first; index < pairs.length; index++) {
    const key = pairs[index]?.key;
    if (key?.type === 'scalar' && key.value === name) return true;
  }
  return false;
}

function lastEnd(items: readonly YamlPair[]): number {
  const last = items.at(-1);
  return last ? endOfPair(last) : 0;
}
