/** Sets, adds and removes fields of a mapping by offset: comments, quotes and layout around them stay as they are. */
import type { Edit } from '../edit.ts';
import { endOfPair, isMap, isScalar, isSeq, type YamlMap, type YamlNode, type YamlPair } from './nodes.ts';
import { pairOf, scalarText, startOf } from './yaml.ts';

/** A scalar as written in YAML: `completed`, `3`, `null`, `"a reason"`. */
export type Written = string;

/** The line ending that a text uses. */
const eolOf = (text: string): string => (text.includes('\r\n') ? '\r\n' : '\n');

/** Sets a field: replaces its value, or adds the field after the first of `after` that exists. */
export function setField(
  text: string,
  map: YamlMap,
  { key, value, after = [] }: { readonly key: string; readonly value: Written; readonly after?: readonly string[] },
): readonly Edit[] {
  const pair = pairOf(map, key);
  if (pair === undefined) return addField(text, map, { field: `${key}: ${value}`, after });
  const node = pair.value;
  if (isScalar(node)) {
    if (scalarText(node) === value) return [];
    const { start, end } = node;
    const old = text.slice(start, end);
    // A key without a value: YAML needs a space after the colon.
    if (old === '') return [{ start, end, text: /[ \t]/.test(text[start - 1] ?? '') ? value : ` ${value}` }];
    return [{ start, end, text: old.endsWith('\n') ? `${value}${eolOf(text)}` : value }];
  }
  if (node) return [...dropField(text, map, key), ...addField(text, map, { field: `${key}: ${value}`, after })];
  const end = pair.key.end;
  return [{ start: end, end, text: `: ${value}` }];
}

function addField(
  text: string,
  map: YamlMap,
  { field, after }: { readonly field: string; readonly after: readonly string[] },
): readonly Edit[] {
  const pairs = map.items;
  const [first] = pairs;
  if (first === undefined) return [insert(startOf(map) + 1, field)];
  const anchor = after
    .map(key => pairOf(map, key))
    .find(pair => pair !== undefined && (map.flow || isOneLine(text, pair)));
  if (map.flow) return anchor ? [insert(endOfPair(anchor), `, ${field}`)] : [insert(keyStart(first), `${field}, `)];
  const eol = eolOf(text);
  const indent = ' '.repeat(columnOf(text, keyStart(first)));
  return anchor
    ? [insert(lineEnd(text, endOfPair(anchor)), `${eol}${indent}${field}`)]
    : [insert(keyStart(first), `${field}${eol}${indent}`)];
}

/** Removes a field with its line; no edit if the field does not exist. */
export function dropField(text: string, map: YamlMap, key: string): readonly Edit[] {
  const pairs = map.items;
  const pair = pairOf(map, key);
  if (pair === undefined) return [];
  const index = pairs.indexOf(pair);
  const [before, next] = [pairs[index - 1], pairs[index + 1]];
  const [start, end] = [keyStart(pair), endOfPair(pair)];
  if (map.flow) {
    if (before) return [{ start: endOfPair(before), end, text: '' }];
    return [{ start, end: next ? keyStart(next) : end, text: '' }];
  }
  const lineStart = text.lastIndexOf('\n', start - 1) + 1;
  if (text.slice(lineStart, start).trim() === '') {
    const newline = text[end - 1] === '\n' ? end - 1 : text.indexOf('\n', end);
    // If the file has no final line ending, removing its last line also removes the line ending before it.
    if (newline < 0) return [{ start: trimmedLineEnd(text, lineStart), end: text.length, text: '' }];
    return [{ start: lineStart, end: newline + 1, text: '' }];
  }
  // The first key shares its line with the dash of the list.
  return next ? [{ start, end: keyStart(next), text: '' }] : [{ start, end, text: `${key}: null` }];
}

/** Adds an entry at the end of a list of mappings, formatted like the entries before it. */
export function addEntry(text: string, list: YamlNode, lines: readonly string[], flow: Written): readonly Edit[] {
  if (!isSeq(list)) return [];
  const lastItem = list.items.at(-1);
  if (list.flow || lastItem === undefined) {
    const end = list.end - 1;
    return lastItem ? [insert(lastItem.end, `, ${flow}`)] : [insert(end, flow)];
  }
  const eol = eolOf(text);
  const dash = text.lastIndexOf('-', startOf(list.items[0]) - 1);
  const indent = ' '.repeat(columnOf(text, dash));
  const entry = lines.map((line, i) => (line === '' ? '' : `${indent}${i === 0 ? '- ' : '  '}${line}`)).join(eol);
  const { end } = lastItem;
  if (text[end - 1] === '\n') return [insert(end, `${entry}${eol}`)];
  return [insert(lineEnd(text, end), `${eol}${entry}`)];
}

const insert = (at: number, text: string): Edit => ({ start: at, end: at, text });

const keyStart = (pair: YamlPair): number => startOf(pair.key);

const columnOf = (text: string, offset: number): number => offset - (text.lastIndexOf('\n', offset - 1) + 1);

const isOneLine = (text: string, pair: YamlPair): boolean =>
  !isMap(pair.value) && !isSeq(pair.value) && !text.slice(keyStart(pair), endOfPair(pair)).includes('\n');

/** The offset before the line ending, including its carriage return. */
function lineEnd(text: string, offset: number): number {
  const newline = text.indexOf('\n', offset);
  if (newline < 0) return text.length;
  return text[newline - 1] === '\r' ? newline - 1 : newline;
}

function trimmedLineEnd(text: string, lineStart: number): number {
  return text[lineStart - 2] === '\r' ? lineStart - 2 : Math.max(0, lineStart - 1);
}
