/** .ralph-tasks.json: the state of each group. */
import type { ItemStatus, Problem } from '../protocol.ts';
import { type Place, places } from '../util/text.ts';
import { conflictMessage, findConflict } from './conflict.ts';
import { type JsonNode, type JsonObject, parseJson } from './json.ts';
import { statusOfWord } from './prd-state.ts';

export interface GroupState {
  readonly id: number;
  readonly title: string;
  readonly status: ItemStatus;
  readonly attempts: number;
  readonly line: number;
  readonly object: JsonObject;
}

export interface GroupStates {
  readonly groups: readonly GroupState[];
  /** The list of groups, to which new groups are added. */
  readonly list?: Extract<JsonNode, { type: 'array' }>;
  readonly problems: readonly Problem[];
}

/** Reads the state; never throws, whatever the text. */
export function readStates(text: string): GroupStates {
  const place = places(text);
  const broken = (offset: number, message: string): GroupStates => ({
    groups: [],
    problems: [{ level: 'error', ...place(offset), message }],
  });
  if (text.trim() === '') return broken(0, 'the state file is empty; delete it to start from the beginning');
  const conflict = findConflict(text);
  const parsed = parseJson(text);
  if (!parsed.ok)
    return conflict === undefined ? broken(parsed.offset, parsed.message) : broken(conflict, conflictMessage);
  const list = parsed.root.type === 'object' ? valueOf(parsed.root, 'groups') : undefined;
  if (list?.type !== 'array') {
    return broken((list ?? parsed.root).start, 'there is no list "groups" in the state file');
  }
  return { list, ...readList(list.elements, place) };
}

function readList(elements: readonly JsonNode[], place: (offset: number) => Place) {
  const groups = new Map<number, GroupState>();
  const problems: Problem[] = [];
  for (const node of elements) {
    const warn = (message: string, at: JsonNode = node) =>
      problems.push({ level: 'warning', ...place(at.start), message });
    const id = node.type === 'object' ? Number(scalarOf(node, 'id') ?? Number.NaN) : Number.NaN;
    if (node.type !== 'object' || !Number.isSafeInteger(id) || id < 1) {
      warn('this group has no number as its "id"; it is left out');
      continue;
    }
    if (groups.has(id)) {
      warn(`group ${id} is listed twice; the first one counts`);
      continue;
    }
    const word = scalarOf(node, 'status');
    const status = typeof word === 'string' ? statusOfWord(word) : undefined;
    if (status === undefined) {
      const shown = JSON.stringify(word ?? null).slice(0, 40);
      warn(`group ${id}: the status ${shown} is not known; it counts as pending`, valueOf(node, 'status'));
    }
    const attempts = Number(scalarOf(node, 'attempts'));
    groups.set(id, {
      id,
      title: String(scalarOf(node, 'title') ?? ''),
      status: status ?? 'pending',
      attempts: Number.isSafeInteger(attempts) && attempts > 0 ? attempts : 0,
      line: place(node.start).line,
      object: node,
    });
  }
  return { groups: [...groups.values()], problems };
}

/** The last value of a key counts if it is given twice, as in every JSON parser. */
export const valueOf = (object: JsonObject, key: string): JsonNode | undefined =>
  object.properties.findLast(property => property.key === key)?.value;

export function scalarOf(object: JsonObject, key: string): string | number | boolean | null | undefined {
  const node = valueOf(object, key);
  return node?.type === 'scalar' ? node.value : undefined;
}
