/** What a story's fields say about its state. */
import type { ItemStatus } from '../protocol.ts';
import type { JsonNode, JsonProperty } from './json.ts';
import type { Story } from './prd-stories.ts';

/** Fields that say done by `true`; the first that a story has decides. */
export const DONE_FLAGS = ['passes', 'passed', 'completed', 'complete', 'done'] as const;

/** Fields that say another state by `true`. */
export const STATE_FLAGS: readonly (readonly [field: string, status: ItemStatus])[] = [
  ['blocked', 'blocked'],
  ['skipped', 'skipped'],
  ['inProgress', 'in-progress'],
  ['in_progress', 'in-progress'],
];

const WORDS: Readonly<Record<ItemStatus, readonly string[]>> = {
  done: ['done', 'completed', 'complete', 'passed'],
  // A failed story is one to try again: the attempts limit, not the word, keeps that from going on forever.
  pending: ['pending', 'todo', 'open', 'notstarted', 'backlog', 'ready', 'planned', 'new', 'queued', 'failed', ''],
  'in-progress': ['inprogress', 'active', 'partial', 'started', 'doing', 'wip', 'current', 'running'],
  blocked: ['blocked', 'onhold', 'paused', 'waiting'],
  skipped: [
    'skipped',
    'skip',
    'cancelled',
    'canceled',
    'dropped',
    'deferred',
    'wontfix',
    'wontdo',
    'superseded',
    'obsolete',
    'excluded',
  ],
};

const STATUS_BY_WORD: ReadonlyMap<string, ItemStatus> = new Map(
  Object.entries(WORDS).flatMap(([status, words]) => words.map(word => [word, status as ItemStatus] as const)),
);

/** The status a word stands for, whatever its case, hyphens and underscores. */
export const statusOfWord = (word: string): ItemStatus | undefined =>
  STATUS_BY_WORD.get(word.toLowerCase().replace(/[\s_'-]/g, ''));

export interface StoryState {
  readonly status: ItemStatus;
  /** What a person should know about how the state was read, and where. */
  readonly warning?: { readonly offset: number; readonly message: string };
}

/** The state of a story: `passes` (or its like) decides, then the flags, then the status word. */
export function stateOf(story: Story): StoryState {
  const flag = doneFlag(story);
  const status = story.fields.get('status');
  const word = statusWord(story);
  const said = word === undefined ? undefined : statusOfWord(word);
  const warn = (property: JsonProperty | undefined, message: string) => ({
    offset: (property?.value ?? story.node).start,
    message: `${story.id}: ${message}`,
  });

  if (flag === undefined) {
    if (said === 'done') return { status: 'done' };
    const unknown = word !== undefined && said === undefined;
    const warning = unknown ? warn(status, `the status "${word}" is not known; it counts as pending`) : undefined;
    return { status: flagged(story) ?? said ?? 'pending', ...(warning && { warning }) };
  }
  const value = scalar(flag.value);
  if (value === true) {
    if (said === undefined || said === 'done') return { status: 'done' };
    return {
      status: 'done',
      warning: warn(status, `"${flag.key}" is true but "status" is "${word}"; ${flag.key} decides`),
    };
  }
  const open = flagged(story) ?? (said === 'done' ? undefined : said);
  if (value !== false) {
    const meant = typeof value === 'string' ? statusOfWord(value) : undefined;
    const stepped = meant === 'skipped' || meant === 'blocked' ? meant : undefined;
    const result = open !== undefined && open !== 'pending' ? open : (stepped ?? 'pending');
    const shown = flag.value.type === 'scalar' ? JSON.stringify(value) : `an ${flag.value.type}`;
    return {
      status: result,
      warning: warn(flag, `"${flag.key}" is ${shown}, not true or false; it counts as ${result}`),
    };
  }
  if (said === 'done') {
    return {
      status: open ?? 'pending',
      warning: warn(status, `"${flag.key}" is false but "status" is "${word}"; ${flag.key} decides`),
    };
  }
  return { status: open ?? 'pending' };
}

/** The field that decides; `passes` with any value but null, the others only as booleans (they may be dates). */
export function doneFlag(story: Story): JsonProperty | undefined {
  for (const key of DONE_FLAGS) {
    const property = story.fields.get(key);
    const value = property && scalar(property.value);
    if (property && (typeof value === 'boolean' || (key === 'passes' && value !== null))) return property;
  }
  return undefined;
}

export function statusWord(story: Story): string | undefined {
  const value = scalar(story.fields.get('status')?.value);
  return typeof value === 'string' ? value.trim() : undefined;
}

function flagged(story: Story): ItemStatus | undefined {
  return STATE_FLAGS.find(([field]) => scalar(story.fields.get(field)?.value) === true)?.[1];
}

/** The value of a scalar; undefined for what is missing, a list or an object. */
export const scalar = (node: JsonNode | undefined): string | number | boolean | null | undefined =>
  node?.type === 'scalar' ? node.value : undefined;
