/** YAML with offsets: every node knows its position, so that messages and edits are exact. Nothing here throws. */
import type { Problem } from '../../protocol.ts';
import { fail, ok, type Result } from '../../util/result.ts';
import { type Place, places } from '../../util/text.ts';
import { conflictMessage, findConflict } from '../conflict.ts';
import { readBlockYaml } from './block-yaml.ts';
import { readFullYaml } from './full-yaml.ts';
import { isMap, isScalar, isSeq, type YamlMap, type YamlNode, type YamlPair } from './nodes.ts';
import { PlainEntry } from './plain-entry.ts';

export interface Yaml {
  readonly text: string;
  readonly root: YamlMap;
  readonly place: (offset: number) => Place;
}

/** Reads a file that contains one mapping. */
export function readYaml(text: string): Result<Yaml, Problem> {
  const place = places(text);
  const wrong = (offset: number, message: string) => fail<Problem>({ level: 'error', ...place(offset), message });
  if (text.trim() === '') return wrong(0, 'the file is empty');
  const conflict = findConflict(text);
  if (conflict !== undefined) return wrong(conflict, conflictMessage);
  const quick = readBlockYaml(text);
  if (quick) return ok({ text, root: quick, place });
  const full = readFullYaml(text);
  return full.ok ? ok({ text, root: full.value, place }) : wrong(full.error.offset, full.error.message);
}

export const startOf = (node: YamlNode | undefined): number => node?.start ?? 0;

export function pairOf(map: YamlMap, key: string): YamlPair | undefined {
  if (map instanceof PlainEntry && !PlainEntry.mayHold(key)) return undefined;
  const { items } = map;
  for (let index = 0; index < items.length; index++) {
    const pair = items[index];
    if (pair?.key.type === 'scalar' && pair.key.value === key) return pair;
  }
  return undefined;
}

export function nodeOf(map: YamlMap, key: string): YamlNode | undefined {
  return pairOf(map, key)?.value;
}

/** A word, number or boolean as text; empty if there is none, or if it is a list or mapping. */
export function wordOf(map: YamlMap, key: string): string {
  const known = map instanceof PlainEntry ? map.word(key) : undefined;
  return known ?? scalarText(nodeOf(map, key));
}

export function scalarText(node: YamlNode | undefined): string {
  if (!isScalar(node)) return '';
  const { value } = node;
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
}

export function mapOf(map: YamlMap, key: string): YamlMap | undefined {
  const node = nodeOf(map, key);
  return isMap(node) ? node : undefined;
}

export const keysOf = (map: YamlMap): readonly string[] =>
  map.items.flatMap(({ key }) => (isScalar(key) && typeof key.value === 'string' ? [key.value] : []));

/** The plain data of a node. Aliases are left out, so that a small text cannot expand to a huge value. */
export function plainOf(node: YamlNode | undefined): unknown {
  if (isScalar(node)) return node.value;
  if (isSeq(node)) return node.items.map(plainOf);
  if (!isMap(node)) return null;
  return Object.fromEntries(keysOf(node).map(key => [key, plainOf(nodeOf(node, key))]));
}
