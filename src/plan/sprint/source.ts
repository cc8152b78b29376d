/** The files that a sprint is compiled from: SPRINT.yaml and workflows, checked as far as a single file can be. */
import { type Failure, fail, ok, type Result } from '../../util/result.ts';
import { isMap, isScalar, isSeq, type YamlMap, type YamlNode } from './nodes.ts';
import { keysOf, mapOf, nodeOf, plainOf, readYaml, scalarText, startOf, wordOf, type Yaml } from './yaml.ts';

export interface Source extends Yaml {
  readonly path: string;
}

/** A failure at the position of a node. */
export function failAt(
  source: Source,
  node: YamlNode | undefined,
  { message, hint, within = 0 }: { readonly message: string; readonly hint?: string; readonly within?: number },
): Result<never> {
  return fail<Failure>({
    reason: 'sprint-invalid',
    message,
    file: source.path,
    ...source.place(startOf(node) + within),
    ...(hint === undefined ? {} : { hint }),
  });
}

export interface ItemSource {
  readonly id: string;
  readonly prompt: string;
  readonly model: string;
  readonly workflow: string;
  /** All its fields, for `{{item.<key>}}`. */
  readonly fields: Readonly<Record<string, unknown>>;
  readonly node: YamlNode;
}

export interface SprintSource extends Source {
  readonly id: string;
  readonly name: string;
  readonly model: string;
  readonly workflow: string;
  readonly collections: ReadonlyMap<string, readonly ItemSource[]>;
}

export interface PhaseSource {
  readonly id: string;
  readonly prompt: string;
  readonly promptNode: YamlNode | undefined;
  readonly workflow: string;
  readonly forEach: string;
  readonly collection: string;
  readonly model: string;
  /** Fields that are only copied: `parallel`, `gate`, `break` and any other. */
  readonly extra: Readonly<Record<string, unknown>>;
  readonly map: YamlMap;
}

export interface WorkflowSource extends Source {
  /** The name by which others refer to it. */
  readonly name: string;
  readonly model: string;
  readonly worktree: unknown;
  readonly phases: readonly PhaseSource[];
}

export function readSprint(text: string, path: string): Result<SprintSource> {
  const source = readSource(text, path);
  if (!source.ok) return source;
  const { root } = source.value;
  const collections = readCollections(source.value);
  if (!collections.ok) return collections;
  return ok({
    ...source.value,
    id: wordOf(root, 'sprint-id'),
    name: wordOf(root, 'name'),
    model: wordOf(root, 'model'),
    workflow: wordOf(root, 'workflow'),
    collections: collections.value,
  });
}

function readCollections(source: Source): Result<ReadonlyMap<string, readonly ItemSource[]>> {
  const { root } = source;
  const collections = new Map<string, readonly ItemSource[]>();
  const named = nodeOf(root, 'collections');
  const all = isMap(named) ? keysOf(named).map(name => [name, nodeOf(named, name)] as const) : [];
  if (named && !isMap(named) && plainOf(named) !== null) {
    return failAt(source, named, { message: 'collections has to be a mapping of names to lists' });
  }
  const steps = nodeOf(root, 'steps');
  if (steps && plainOf(steps) !== null) {
    const twice = all.find(([name]) => singular(name) === 'step');
    if (twice) return failAt(source, twice[1], { message: 'the steps are given twice: in steps and in collections' });
    all.push(['step', steps]);
  }
  for (const [name, node] of all) {
    const items = readItems(source, name, node);
    if (!items.ok) return items;
    collections.set(singular(name), items.value);
  }
  return ok(collections);
}

function readItems(source: Source, name: string, node: YamlNode | undefined): Result<readonly ItemSource[]> {
  if (!isSeq(node)) return failAt(source, node, { message: `${name} has to be a list` });
  const items: ItemSource[] = [];
  for (const [index, entry] of node.items.entries()) {
    const item = entry;
    const id = `${singular(name)}-${index}`;
    if (isScalar(item) && scalarText(item) !== '') {
      const prompt = scalarText(item);
      items.push({ id, prompt, model: '', workflow: '', fields: { prompt }, node: item });
      continue;
    }
    const prompt = isMap(item) ? wordOf(item, 'prompt') : '';
    if (!isMap(item) || prompt === '') return failAt(source, item, { message: `${name} ${index + 1} has no prompt` });
    items.push({
      id: wordOf(item, 'id') || id,
      prompt,
      model: wordOf(item, 'model'),
      workflow: wordOf(item, 'workflow'),
      fields: plainOf(item) as Record<string, unknown>,
      node: item,
    });
  }
  const seen = new Map<string, ItemSource>();
  for (const item of items) {
    if (seen.has(item.id))
      return failAt(source, item.node, { message: `${name} has two items with the id "${item.id}"` });
    seen.set(item.id, item);
  }
  return ok(items);
}

const OWN_KEYS = ['id', 'status', 'prompt', 'workflow', 'for-each', 'collection', 'model', 'steps', 'phases'];

export function readWorkflowFile(text: string, path: string, name: string): Result<WorkflowSource> {
  const source = readSource(text, path);
  if (!source.ok) return source;
  const { root } = source.value;
  const list = nodeOf(root, 'phases');
  if (!isSeq(list) || list.items.length === 0) {
    return failAt(source.value, list, { message: `the workflow ${name} has no phases` });
  }
  const phases: PhaseSource[] = [];
  for (const [index, entry] of list.items.entries()) {
    const phase = readPhase(source.value, entry, index);
    if (!phase.ok) return phase;
    if (phases.some(({ id }) => id === phase.value.id)) {
      return failAt(source.value, nodeOf(phase.value.map, 'id'), {
        message: `two phases have the id "${phase.value.id}"`,
      });
    }
    phases.push(phase.value);
  }
  const worktree = mapOf(root, 'worktree');
  return ok({ ...source.value, name, model: wordOf(root, 'model'), worktree: worktree && plainOf(worktree), phases });
}

function readPhase(source: Source, node: YamlNode, index: number): Result<PhaseSource> {
  if (!isMap(node)) return failAt(source, node, { message: `phase ${index + 1} is not a mapping with id and prompt` });
  const id = wordOf(node, 'id');
  if (id === '') return failAt(source, node, { message: `phase ${index + 1} has no id` });
  const prompt = wordOf(node, 'prompt');
  const workflow = wordOf(node, 'workflow');
  const forEach = wordOf(node, 'for-each');
  if (prompt === '' && workflow === '' && forEach === '') {
    return failAt(source, node, { message: `the phase ${id} has neither a prompt nor a workflow` });
  }
  const extra = Object.fromEntries(
    keysOf(node)
      .filter(key => !OWN_KEYS.includes(key))
      .map(key => [key, plainOf(nodeOf(node, key))]),
  );
  return ok({
    id,
    prompt,
    promptNode: nodeOf(node, 'prompt'),
    workflow,
    forEach,
    collection: wordOf(node, 'collection'),
    model: wordOf(node, 'model'),
    extra,
    map: node,
  });
}

function readSource(text: string, path: string): Result<Source> {
  const read = readYaml(text);
  if (read.ok) return ok({ ...read.value, path });
  const { message, line, column } = read.error;
  return fail<Failure>({ reason: 'sprint-invalid', message, file: path, line, column });
}

/** `steps` and `step`, `stories` and `story` name the same collection. */
export const singular = (name: string): string =>
  /[^s]s$/.test(name) ? name.slice(0, -1).replace(/([^aeiou])ie$/, '$1y') : name;
