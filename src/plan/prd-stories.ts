/** Where the stories of a prd.json are, and what each is called. */
import type { Problem } from '../protocol.ts';
import type { Place } from '../util/text.ts';
import type { JsonArray, JsonNode, JsonObject, JsonProperty } from './json.ts';
import { type TakenIds, uniqueId } from './unique-id.ts';

/** One story as it stands in the file. */
export interface Story {
  readonly id: string;
  readonly node: JsonObject;
  readonly fields: ReadonlyMap<string, JsonProperty>;
  /** The list it is an element of. */
  readonly list: JsonArray;
}

export interface Stories {
  readonly stories: readonly Story[];
  readonly problems: readonly Problem[];
}

const LISTS = ['userStories', 'stories', 'features', 'tasks', 'items', 'phases'] as const;

/** Only these group other stories; tasks inside a user story are parts of it, not items. */
const GROUPS: ReadonlySet<string> = new Set(['features', 'phases']);

const LISTS_TEXT = `${LISTS.slice(0, -1)
  .map(name => `"${name}"`)
  .join(', ')} or "phases[].tasks", or a bare array`;

/** Finds every story; without any there is exactly one error that says where it looked. */
export function findStories(root: JsonNode, place: (offset: number) => Place): Stories {
  const problems: Problem[] = [];
  const found: Omit<Story, 'id'>[] = [];
  const problem = (level: Problem['level'], offset: number, message: string) => {
    problems.push({ level, ...place(offset), message });
  };
  const take = (list: JsonArray, name: string) => {
    for (const [index, node] of list.elements.entries()) {
      if (node.type !== 'object') {
        problem('error', node.start, `entry ${index + 1} of ${name} is not an object, so it cannot be an item`);
        continue;
      }
      const fields = fieldsOf(node);
      const inner = GROUPS.has(name) ? listIn(fields) : undefined;
      if (inner === undefined) found.push({ node, fields, list });
      else take(inner.list, inner.name);
    }
  };

  const top = listOf(root);
  if (top !== undefined) take(top.list, top.name);
  if (found.length === 0 && problems.length === 0) {
    problem('error', (top?.list ?? root).start, `the plan holds no items; they belong in ${LISTS_TEXT}`);
  }
  return { stories: name(found, problem), problems };
}

type Listed = { readonly name: string; readonly list: JsonArray };

function listOf(root: JsonNode): Listed | undefined {
  if (root.type === 'array') return { name: 'the list', list: root };
  if (root.type !== 'object') return undefined;
  const fields = fieldsOf(root);
  const wrapped = fields.get('prd')?.value;
  return listIn(fields) ?? (wrapped?.type === 'object' ? listIn(fieldsOf(wrapped)) : undefined) ?? emptyListIn(fields);
}

/** The first known list with an object in it: `features` may also be a list of plain words beside the stories. */
function listIn(fields: ReadonlyMap<string, JsonProperty>): Listed | undefined {
  for (const key of LISTS) {
    const value = fields.get(key)?.value;
    if (value?.type === 'array' && value.elements.some(element => element.type === 'object')) {
      return { name: key, list: value };
    }
  }
  return undefined;
}

function emptyListIn(fields: ReadonlyMap<string, JsonProperty>): Listed | undefined {
  for (const key of LISTS) {
    const value = fields.get(key)?.value;
    if (value?.type === 'array') return { name: key, list: value };
  }
  return undefined;
}

/** By name; of a name given twice the last one counts, as in every JSON reader. */
export const fieldsOf = (node: JsonObject): ReadonlyMap<string, JsonProperty> =>
  new Map(node.properties.map(property => [property.key, property]));

type Report = (level: Problem['level'], offset: number, message: string) => void;

function name(found: readonly Omit<Story, 'id'>[], problem: Report): readonly Story[] {
  const taken: TakenIds = new Map();
  let unnamed = false;
  return found.map((story, index) => {
    const own = idText(story.fields.get('id')?.value);
    if (own === undefined && !unnamed) {
      unnamed = true;
      problem('warning', story.node.start, `items without an "id" are named by their position: item-${index + 1}`);
    }
    if (story.fields.size < story.node.properties.length) {
      problem('warning', story.node.start, 'this item has the same property twice; the last one counts');
    }
    const wanted = own ?? `item-${index + 1}`;
    const id = uniqueId(taken, wanted, '#');
    if (id !== wanted) {
      problem('warning', story.node.start, `the id "${wanted}" is used more than once; this one is "${id}"`);
    }
    return { id, ...story };
  });
}

function idText(node: JsonNode | undefined): string | undefined {
  if (node?.type !== 'scalar' || (typeof node.value !== 'string' && typeof node.value !== 'number')) return undefined;
  return String(node.value).replace(/\s+/g, ' ').trim() || undefined;
}
