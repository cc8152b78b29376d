/** What a prd.json says around its stories: about the project as a whole, and about a phase or an epic. */

import { isRecord, type JsonRecord } from '../util/json.ts';
import { TITLES, textOf, wordsOf } from './prd-fields.ts';
import { IDS, LISTS, wrapped } from './prd-stories.ts';

/** Fields that most authors put first; the others follow in the order of the file. */
const FIRST = ['description', 'overview', 'summary', 'goal', 'goals', 'vision', 'problem', 'context'];

/** Names, states and metadata, which are for programs. */
const NOT_PROSE: ReadonlySet<string> = new Set([
  ...LISTS,
  ...IDS,
  ...TITLES,
  'prd',
  'plan',
  'master',
  'project',
  'projectName',
  'branchName',
  'branch',
  'after',
  '$schema',
  'version',
  'author',
  'passes',
  'status',
  'priority',
  'metadata',
  'meta',
]);
const BOOKKEEPING =
  /^(?:created|updated|generated|modified|completed|last)|(?:_at|At|_date|Date|_version|Version|_by|By)$/;

/** The project's fields beside its stories, each with its label. */
export function aboutOf(root: unknown): string {
  if (!isRecord(root)) return '';
  return proseOf({ ...wrapped(root).value, ...root });
}

/** The title and the fields of each phase or epic around a story. */
export function sectionOf(groups: readonly JsonRecord[]): string {
  return groups
    .map(group => {
      const title = TITLES.map(key => textOf(group[key])).find(Boolean) ?? '';
      const prose = proseOf(group);
      return prose === '' ? '' : [title === '' ? '' : `## ${title}`, prose].filter(Boolean).join('\n\n');
    })
    .filter(Boolean)
    .join('\n\n');
}

function proseOf(fields: JsonRecord): string {
  const keys = Object.keys(fields).filter(key => !NOT_PROSE.has(key) && !BOOKKEEPING.test(key));
  const ranked = [...FIRST.filter(key => keys.includes(key)), ...keys.filter(key => !FIRST.includes(key))];
  return ranked.flatMap(key => fieldText(key, fields[key])).join('\n\n');
}

/** Bare numbers and booleans are settings, not prose. */
function fieldText(key: string, value: unknown): readonly string[] {
  if (typeof value !== 'string' && typeof value !== 'object') return [];
  const words = isRecord(value) ? factsOf(value) : value === null ? '' : wordsOf(value);
  if (words.trim() === '') return [];
  return [
    key === 'description' ? words : words.includes('\n') ? `${labelOf(key)}:\n\n${words}` : `${labelOf(key)}: ${words}`,
  ];
}

/** `{"frontend": "React"}` becomes a list; deeper nesting stays JSON. */
function factsOf(value: JsonRecord): string {
  return Object.entries(value)
    .map(([key, field]) => [
      key,
      isRecord(field) ? JSON.stringify(field) : Array.isArray(field) ? listed(field) : textOf(field),
    ])
    .filter(([, text]) => text !== '')
    .map(([key = '', text = '']) => `- ${labelOf(key)}: ${text}`)
    .join('\n');
}

const listed = (list: readonly unknown[]): string =>
  list.map(entry => (isRecord(entry) || Array.isArray(entry) ? JSON.stringify(entry) : String(entry))).join(', ');

/** `techStack` and `tech_stack` as `Tech stack`. */
function labelOf(key: string): string {
  const words = key
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replace(/[_-]+/g, ' ')
    .trim()
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
