/** Reads any YAML with the full parser and converts it to the same nodes. Nothing here throws. */
import type * as Yaml from 'yaml';
import { fail, ok, type Result } from '../../util/result.ts';
import { yaml } from '../../util/yaml-package.ts';
import { endOfPair, type YamlMap, type YamlNode, type YamlPair } from './nodes.ts';

export interface YamlMistake {
  readonly offset: number;
  readonly message: string;
}

/** The single mapping in a text. */
export function readFullYaml(text: string): Result<YamlMap, YamlMistake> {
  const { isMap, parseDocument } = yaml();
  const wrong = (offset: number, message: string) => fail<YamlMistake>({ offset, message });
  try {
    const { errors, contents } = parseDocument(text, { prettyErrors: false, logLevel: 'silent' });
    const [error] = errors;
    if (error) return wrong(error.pos[0], error.message);
    if (!isMap(contents)) return wrong(contents?.range?.[0] ?? 0, 'this is not a mapping of keys to values');
    return ok(mapFrom(contents));
  } catch {
    // Nested too deeply for the call stack.
    return wrong(0, 'this cannot be read as YAML');
  }
}

function nodeFrom(node: unknown): YamlNode {
  const { isMap, isScalar, isSeq } = yaml();
  if (isMap(node)) return mapFrom(node);
  const [start, end] = (node as Yaml.Node).range ?? [0, 0];
  if (isScalar(node)) return { type: 'scalar', value: node.value, start, end };
  if (!isSeq(node)) return { type: 'other', start, end };
  const items = node.items.map(nodeFrom);
  const flow = node.flow === true;
  return { type: 'seq', flow, items, start, end: flow ? end : (items.at(-1)?.end ?? end) };
}

function mapFrom(map: Yaml.YAMLMap): YamlMap {
  const [start, end] = map.range ?? [0, 0];
  const items = map.items.map(({ key, value }): YamlPair => {
    // A key can be missing (null); it then counts as empty, at the start of the mapping.
    const at = (key as Yaml.Node | null) ?? { range: [start, start] };
    return { key: nodeFrom(at), value: value === null || value === undefined ? undefined : nodeFrom(value) };
  });
  const last = items.at(-1);
  const flow = map.flow === true;
  // The parser counts blank lines and comments below a block as part of it; the last value has the real end.
  return { type: 'map', flow, items, start, end: flow || !last ? end : endOfPair(last) };
}
