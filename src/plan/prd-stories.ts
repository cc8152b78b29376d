/** Finds the stories of a prd.json and their ids. */
import type { Problem } from '../protocol.ts';
import { isRecord, type JsonRecord } from '../util/json.ts';
import type { Place } from '../util/text.ts';
import { MAX_DEPTH } from './json.ts';
import { elementsAt, propertyAt, type Span, skipSpace } from './json-spans.ts';
import { type TakenIds, uniqueId } from './unique-id.ts';

/** One story: what it says, and where it is in the text. */
export interface Story extends Span {
  readonly id: string;
  readonly value: JsonRecord;
  /** Offset of the end of the previous element in its list, or of the start of the list. */
  readonly after: { readonly offset: number; readonly isFirst: boolean };
  /** The phases or epics around it, outermost first; absent if there are none. */
  readonly within?: readonly JsonRecord[];
}

export interface Stories {
  readonly stories: readonly Story[];
  readonly problems: readonly Problem[];
}

/** Fields that may hold the stories; the first one that does is used. */
export const LISTS = [
  'userStories',
  'user_stories',
  'stories',
  'features',
  'tasks',
  'items',
  'units',
  'phases',
  'epics',
  'sprints',
  'milestones',
] as const;

/** Fields that a whole plan may be wrapped in. */
const WRAPPERS = ['prd', 'plan', 'master'] as const;

/** Fields that may hold a story's id; the first one that does is used. */
export const IDS = ['id', 'storyId', 'story_id', 'taskId', 'task_id', 'key'] as const;

/** Only these group other stories; tasks inside a user story are parts of it and not items. */
const GROUPS: ReadonlySet<string> = new Set(['features', 'phases', 'epics', 'sprints', 'milestones']);

const LISTS_TEXT =
  '"userStories", "stories", "features", "tasks", "items", "units", "phases[].tasks" or "epics[].stories", or in a bare array of objects';

interface StoriesInput {
  /** Text that `JSON.parse` has read as `root`. */
  readonly text: string;
  readonly root: unknown;
  readonly place: (offset: number) => Place;
}

type Report = (level: Problem['level'], offset: number, message: string) => void;

/** Finds every story; if there are none, one error says where it looked. */
export function findStories({ text, root, place }: StoriesInput): Stories {
  const problems: Problem[] = [];
  const stories: Story[] = [];
  const problem: Report = (level, offset, message) => problems.push({ level, ...place(offset), message });
  const nameOf = namer(problem);

  const take = (list: List, within: readonly JsonRecord[] = []) => {
    let after = { offset: list.start + 1, isFirst: true };
    let index = 0;
    for (const element of elementsAt(text, list.start)) {
      const value = list.value[index++];
      if (element.depth > MAX_DEPTH) {
        problem('error', element.start, `entry ${index} of ${list.name} is nested more than ${MAX_DEPTH} deep`);
      } else if (isRecord(value)) {
        const inner = GROUPS.has(list.name)
          ? listIn({ text, value, start: element.start, fits: hasStories })
          : undefined;
        if (inner) take(inner, [...within, value]);
        else
          stories.push({
            id: nameOf(value, element.start),
            value,
            start: element.start,
            end: element.end,
            after,
            ...(within.length > 0 ? { within } : {}),
          });
      } else {
        problem('error', element.start, `entry ${index} of ${list.name} is not an object, so it cannot be an item`);
      }
      after = { offset: element.end, isFirst: false };
    }
  };

  const top = topList(text, root);
  if (top) take(top);
  if (stories.length === 0 && problems.length === 0) {
    problem('error', top?.start ?? skipSpace(text, 0), `the plan holds no items; they belong in ${LISTS_TEXT}`);
  }
  return { stories, problems };
}

interface List {
  readonly name: string;
  readonly value: readonly unknown[];
  readonly start: number;
}

function topList(text: string, root: unknown): List | undefined {
  const start = skipSpace(text, 0);
  if (Array.isArray(root)) return { name: 'the list', value: root, start };
  if (!isRecord(root)) return undefined;
  return (
    listIn({ text, value: root, start, fits: hasStories }) ??
    wrappedList(text, root, start) ??
    listIn({ text, value: root, start, fits: () => true })
  );
}

/** The object that a plan is wrapped in, or an empty one. */
export function wrapped(root: JsonRecord): { readonly name: string; readonly value: JsonRecord } {
  for (const name of WRAPPERS) {
    const value = root[name];
    if (isRecord(value)) return { name, value };
  }
  return { name: '', value: {} };
}

function wrappedList(text: string, root: JsonRecord, start: number): List | undefined {
  const { name, value } = wrapped(root);
  const inside = name === '' ? undefined : propertyAt(text, start, name);
  return inside === undefined ? undefined : listIn({ text, value, start: inside, fits: hasStories });
}

/** `features` may also be a list of plain words beside the stories. */
const hasStories = (list: readonly unknown[]): boolean => list.some(isRecord);

interface ListInput {
  readonly text: string;
  readonly value: JsonRecord;
  readonly start: number;
  readonly fits: (list: readonly unknown[]) => boolean;
}

function listIn({ text, value, start, fits }: ListInput): List | undefined {
  for (const name of LISTS) {
    const list = value[name];
    if (!Array.isArray(list) || !fits(list)) continue;
    const at = propertyAt(text, start, name);
    if (at !== undefined) return { name, value: list, start: at };
  }
  return undefined;
}

/** Gives one story after the other the id it is known by. */
function namer(problem: Report): (value: JsonRecord, start: number) => string {
  const taken: TakenIds = new Map();
  let count = 0;
  let unnamed = false;
  return (value, start) => {
    count++;
    const own = idOf(value);
    if (own === '' && !unnamed) {
      unnamed = true;
      problem('warning', start, `items without an "id" are named by their position, as item-${count} here`);
    }
    const wanted = own || `item-${count}`;
    const id = uniqueId(taken, wanted, '#');
    if (id !== wanted) {
      problem('warning', start, `the id "${wanted}" is used more than once; this one is "${id}"`);
    }
    return id;
  };
}

function idOf(story: JsonRecord): string {
  const own = idText(story['id']);
  if (own !== '') return own;
  // Other fields may hold anything: only a value that looks like an id counts.
  return IDS.map(name => idText(story[name])).find(text => /^\S+$/.test(text)) ?? '';
}

function idText(value: unknown): string {
  if (typeof value === 'number') return String(value);
  if (typeof value !== 'string') return '';
  return /\s/.test(value) ? value.replace(/\s+/g, ' ').trim() : value;
}
