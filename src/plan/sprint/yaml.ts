/** YAML with its places: every node knows its offset, so that messages and edits can be exact. Nothing here throws. */
import { isMap, isScalar, isSeq, type Node, type Pair, parseDocument, type YAMLMap } from 'yaml';
import type { Problem } from '../../protocol.ts';
import { fail, ok, type Result } from '../../util/result.ts';
import { type Place, places } from '../../util/text.ts';
import { conflictMessage, findConflict } from '../conflict.ts';

export interface Yaml {
  readonly text: string;
  readonly root: YAMLMap;
  readonly place: (offset: number) => Place;
}

/** A file that holds one mapping. */
export function readYaml(text: string): Result<Yaml, Problem> {
  const place = places(text);
  const wrong = (offset: number, message: string) => fail<Problem>({ level: 'error', ...place(offset), message });
  if (text.trim() === '') return wrong(0, 'the file is empty');
  const conflict = findConflict(text);
  if (conflict !== undefined) return wrong(conflict, conflictMessage);
  let parsed: ReturnType<typeof parseDocument>;
  try {
    parsed = parseDocument(text, { prettyErrors: false, logLevel: 'silent' });
  } catch {
    // Nested deeper than the stack.
    return wrong(0, 'this cannot be read as YAML');
  }
  const [error] = parsed.errors;
  if (error) return wrong(error.pos[0], error.message);
  const root = parsed.contents;
  if (!isMap(root)) return wrong(root?.range?.[0] ?? 0, 'this is not a mapping of keys to values');
  return ok({ text, root, place });
}

export const startOf = (node: Node | null | undefined): number => node?.range?.[0] ?? 0;

export function pairOf(map: YAMLMap, key: string): Pair | undefined {
  return map.items.find(({ key: found }) => isScalar(found) && found.value === key);
}

export function nodeOf(map: YAMLMap, key: string): Node | undefined {
  return (pairOf(map, key)?.value as Node | null | undefined) ?? undefined;
}

/** A word, number or switch as text; empty where there is none or something larger. */
export function wordOf(map: YAMLMap, key: string): string {
  return scalarText(nodeOf(map, key));
}

export function scalarText(node: Node | undefined): string {
  if (!isScalar(node)) return '';
  const { value } = node;
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
}

export function mapOf(map: YAMLMap, key: string): YAMLMap | undefined {
  const node = nodeOf(map, key);
  return isMap(node) ? node : undefined;
}

export const keysOf = (map: YAMLMap): readonly string[] =>
  map.items.flatMap(({ key }) => (isScalar(key) && typeof key.value === 'string' ? [key.value] : []));

/** Plain data of a node. An alias is data elsewhere: it is left out, so that no text can grow beyond its size. */
export function plainOf(node: unknown): unknown {
  if (isScalar(node)) return node.value;
  if (isSeq(node)) return node.items.map(plainOf);
  if (!isMap(node)) return null;
  return Object.fromEntries(keysOf(node).map(key => [key, plainOf(nodeOf(node, key))]));
}
