/** Reads a story's state from its fields. */
import type { ItemStatus } from '../protocol.ts';
import type { JsonRecord } from '../util/json.ts';

/** Fields in which `true` means done; the first one that a story has decides. */
export const DONE_FLAGS = [
  'passes',
  'passed',
  'completed',
  'complete',
  'done',
  'finished',
  'isDone',
  'isComplete',
  'isCompleted',
  'is_done',
  'is_complete',
  'is_completed',
] as const;

export type DoneFlag = (typeof DONE_FLAGS)[number];

/** Fields in which `true` means another state. */
export const STATE_FLAGS: readonly (readonly [field: string, status: ItemStatus])[] = [
  ['blocked', 'blocked'],
  ['skipped', 'skipped'],
  ['inProgress', 'in-progress'],
  ['in_progress', 'in-progress'],
];

const WORDS: readonly (readonly [status: ItemStatus, words: string])[] = [
  ['done', 'done completed complete passed finished implemented verified merged closed resolved'],
  // A failed story is tried again: the limit on attempts, not this word, ends that.
  ['pending', 'pending todo open notstarted backlog ready planned new queued failed'],
  ['in-progress', 'inprogress active partial started doing wip current running'],
  ['blocked', 'blocked onhold paused waiting'],
  [
    'skipped',
    'skipped skip cancelled canceled dropped deferred wontfix wontdo superseded obsolete excluded duplicate abandoned removed',
  ],
];

const STATUS_BY_WORD: ReadonlyMap<string, ItemStatus> = new Map(
  WORDS.flatMap(([status, words]) => words.split(' ').map(word => [word, status] as const)),
);

/** The status that a word means, ignoring case, hyphens and underscores. */
export const statusOfWord = (word: string): ItemStatus | undefined =>
  word === '' ? 'pending' : STATUS_BY_WORD.get(word.toLowerCase().replace(/[\s_'-]/g, ''));

export interface StoryState {
  readonly status: ItemStatus;
  /** A warning about how the state was read, and the field it is about. */
  readonly warning?: { readonly field: string; readonly message: string };
}

/** The state of a story: `passes` (or a synonym) decides, then the flags, then the status word. */
export function stateOf(story: JsonRecord): StoryState {
  const flag = doneFlag(story);
  const word = statusWord(story);
  const said = word === undefined ? undefined : statusOfWord(word);
  const stepped = flaggedState(story);
  const field = statusKey(story);
  const conflict = (value: boolean) => ({
    field,
    message: `"${flag}" is ${value} but "${field}" is "${word}"; ${flag} decides`,
  });

  if (flag === undefined) {
    const status = said === 'done' ? said : (stepped ?? said ?? 'pending');
    if (said !== undefined || stepped !== undefined) return { status };
    if (word === undefined) return { status, ...unreadState(story) };
    return {
      status,
      warning: { field, message: `the status "${word}" is not known; it counts as ${status}` },
    };
  }
  const value = story[flag];
  if (value === true) {
    return said === undefined || said === 'done' ? { status: 'done' } : { status: 'done', warning: conflict(true) };
  }
  const open = stepped ?? (said === 'done' ? undefined : said) ?? 'pending';
  if (value === false) return said === 'done' ? { status: open, warning: conflict(false) } : { status: open };

  const meant = typeof value === 'string' ? statusOfWord(value) : undefined;
  const status = open === 'pending' && (meant === 'skipped' || meant === 'blocked') ? meant : open;
  const shown = JSON.stringify(value).slice(0, 40);
  return {
    status,
    warning: { field: flag, message: `"${flag}" is ${shown}, not true or false; it counts as ${status}` },
  };
}

/** The deciding field: `passes` with any value but null; the others only as booleans, because they may be dates. */
export function doneFlag(story: JsonRecord): DoneFlag | undefined {
  for (const key of DONE_FLAGS) {
    const value = story[key];
    if (typeof value === 'boolean' || (key === 'passes' && value !== undefined && value !== null)) return key;
  }
  return undefined;
}

export function statusWord(story: JsonRecord): string | undefined {
  const value = story[statusKey(story)];
  return typeof value === 'string' ? value.trim() : undefined;
}

/** The field with the status word. `state` counts only if it holds a known word: it may be part of an address. */
export function statusKey(story: JsonRecord): 'status' | 'state' {
  const { status, state } = story;
  return status === undefined && typeof state === 'string' && statusOfWord(state.trim()) !== undefined
    ? 'state'
    : 'status';
}

/** Fields in which people keep a state that is not read here; a warning says so. */
const UNREAD = ['status', 'state', 'progress', 'implemented', 'tested', 'verified', 'checked'] as const;

function unreadState(story: JsonRecord): Pick<StoryState, 'warning'> {
  const field = UNREAD.find(key => {
    const value = story[key];
    return value === true || (typeof value === 'number' && value > 0) || (typeof value === 'object' && value !== null);
  });
  if (field === undefined) return {};
  return {
    warning: { field, message: `"${field}" is not read as a state, so the item counts as pending; use "passes"` },
  };
}

function flaggedState(story: JsonRecord): ItemStatus | undefined {
  for (const [field, status] of STATE_FLAGS) if (story[field] === true) return status;
  return undefined;
}
