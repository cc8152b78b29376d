/** What a prd.json says that no item contains: keys of other tools, and duplicates with the same meaning. */
import {
  BODIES,
  DEPENDS,
  DONE_FLAGS,
  findStories,
  IDS,
  LISTS,
  PART_TEXTS,
  PARTS,
  REASONS,
  STATE_FLAGS,
  type Story,
  statusKey,
  TITLES,
  VERIFY,
  wrapped,
} from '../plan/index.ts';
import { isRecord, type JsonRecord } from '../util/json.ts';
import { places } from '../util/text.ts';
import { type Lost, lostOf } from './lost.ts';

export interface PrdExtras {
  readonly project: string;
  readonly description: string;
  readonly lost: readonly Lost[];
}

const READ: ReadonlySet<string> = new Set([
  'priority',
  'changeOptional',
  'noChange',
  'allow',
  ...BODIES,
  ...PARTS,
  ...VERIFY,
  ...DEPENDS,
  ...STATE_FLAGS.map(([field]) => field),
]);
/** Of these the first that says something counts. */
const ONE_OF: readonly (readonly string[])[] = [IDS, TITLES, DONE_FLAGS, REASONS];
const NAMES = ['project', 'name', 'title'];

/** For a text that the prd parser has read without an error. */
export function readExtras(text: string): PrdExtras {
  const root: unknown = JSON.parse(text);
  const { stories } = findStories({ text, root, place: places(text) });
  const outer = isRecord(root) ? root : {};
  const { name: wrapper, value: inner } = wrapped(outer);
  const top: JsonRecord = { ...inner, ...outer };
  const list = LISTS.find(name => Array.isArray(top[name]) && (top[name] as unknown[]).some(isRecord)) ?? '';
  const name = NAMES.find(key => said(top[key])) ?? '';
  const read = new Set([wrapper, list, name, 'description']);
  const keys = Object.keys(top).filter(key => !read.has(key));
  const grouped =
    isRecord(root) && list !== '' && !stories.every(({ value }) => (top[list] as unknown[]).includes(value));
  return {
    project: said(top[name]) ? String(top[name]) : '',
    description: typeof top['description'] === 'string' ? top['description'].trim() : '',
    lost: [
      ...(keys.length > 0 ? [{ what: `at the top: ${keys.join(', ')}` }] : []),
      ...(grouped ? [{ what: `the grouping in "${list}"` }] : []),
      ...inStories(stories),
    ],
  };
}

function inStories(stories: readonly Story[]): readonly Lost[] {
  const found = new Map<string, string[]>();
  for (const { id, value } of stories) {
    for (const key of unreadIn(value)) found.set(key, [...(found.get(key) ?? []), id]);
  }
  return [...found].map(([key, ids]) => lostOf(key, ids));
}

function unreadIn(story: JsonRecord): readonly string[] {
  const first = ONE_OF.flatMap(keys => keys.find(key => said(story[key])) ?? []);
  const used = new Set<string>([...first, statusKey(story)]);
  const unread = Object.keys(story).filter(key => !READ.has(key) && !used.has(key));
  const parts = PARTS.filter(key => Array.isArray(story[key]) && (story[key] as unknown[]).some(hasMore));
  return [...unread.map(key => `"${key}"`), ...parts.map(key => `all but the text in "${key}"`)];
}

/** A criterion that is an object may have a state of its own. */
const hasMore = (part: unknown): boolean =>
  isRecord(part) && Object.keys(part).length > 1 && PART_TEXTS.some(key => said(part[key]));

const said = (value: unknown): boolean => value !== undefined && value !== null && value !== '';
