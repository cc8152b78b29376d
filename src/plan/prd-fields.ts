/** A story's texts and numbers, found under the various names that people use. */
import type { Item, ItemStatus } from '../protocol.ts';
import { isRecord, type JsonRecord } from '../util/json.ts';
import { slipOf } from '../util/suggest.ts';
import { DONE_FLAGS } from './prd-state.ts';
import { type Story } from './prd-stories.ts';

export const TITLES = ['title', 'name', 'feature', 'task', 'story', 'summary'] as const;
export const BODIES = ['description', 'userStory', 'user_story', 'details', 'notes'] as const;
export const CRITERIA = ['acceptanceCriteria', 'acceptance_criteria', 'acceptance', 'steps', 'requirements'] as const;
export const PARTS = [...CRITERIA, 'tasks', 'subtasks'] as const;
export const PART_TEXTS = ['text', 'description', 'criterion', 'criteria', 'title', 'name', 'task', 'step'] as const;
export const VERIFY = ['verify', 'verifyCommands', 'verify_commands'] as const;
export const DEPENDS = [
  'dependsOn',
  'dependencies',
  'depends_on',
  'deps',
  'blockedBy',
  'blocked_by',
  'requires',
  'prerequisites',
] as const;
export const REASONS = ['blockedReason', 'blocked_reason', 'skipReason', 'skip_reason', 'reason'] as const;

/** Fields that decide what is done and when; the name of any other is not checked, because a story may have fields of its own. */
const DECIDING: readonly string[] = [
  ...['passes', 'status', 'priority', 'changeOptional', 'noChange', 'allow'],
  ...[...CRITERIA, ...VERIFY, ...DEPENDS],
];

/** Fields that are not read, but almost have the name of one that is; each once, at the first story that has it. */
export function mistypedFields(
  stories: readonly Story[],
): readonly { readonly story: Story; readonly field: string; readonly message: string }[] {
  const read = new Set<string>([...DECIDING, ...TITLES, ...BODIES, ...PARTS, ...DONE_FLAGS, ...REASONS, 'state']);
  const first = new Map<string, Story>();
  for (const story of stories)
    for (const field of Object.keys(story.value)) if (!read.has(field) && !first.has(field)) first.set(field, story);
  return [...first]
    .filter(([field]) => field.length >= SHORTEST && field.length <= LONGEST)
    .slice(0, COMPARED)
    .flatMap(([field, story]) => {
      const meant = slipOf(field, DECIDING);
      return meant === undefined ? [] : [{ story, field, message: `"${field}" is not read; did you mean "${meant}"?` }];
    });
}

/** With fewer letters, one other letter makes another word. */
const SHORTEST = 5;
const LONGEST = 24;
const COMPARED = 100;

const PRIORITY_WORDS: ReadonlyMap<string, number> = new Map([
  ['critical', 0],
  ['urgent', 0],
  ['highest', 0],
  ['high', 1],
  ['medium', 2],
  ['normal', 2],
  ['low', 3],
  ['lowest', 4],
]);

/** Everything about an item that its own story says. */
export function readFields({ id, value }: Story, status: ItemStatus): Omit<Item, 'id' | 'status' | 'line'> {
  const priority = priorityOf(value['priority']);
  const note = status === 'blocked' || status === 'skipped' ? firstText(value, [...REASONS, 'notes']) : '';
  const title = titleOf(value) || id;
  const body = collect(value, BODIES, field => [wordsOf(field)]);
  return {
    title,
    body: body.filter(part => part !== title).join('\n\n'),
    criteria: collect(value, PARTS, partsOf),
    ...(priority !== undefined && { priority }),
    dependsOn: collect(value, DEPENDS, dependenciesOf),
    verify: collect(value, VERIFY, commandsOf),
    changeOptional: value['changeOptional'] === true || value['noChange'] === true,
    ...(note !== '' && { note }),
    ...allowOf(value['allow']),
  };
}

/** The values of all the named fields together, without duplicates and empty ones. */
function collect(
  story: JsonRecord,
  keys: readonly string[],
  read: (field: unknown) => readonly string[],
): readonly string[] {
  const all: string[] = [];
  for (const key of keys) {
    const field = story[key];
    if (field === undefined) continue;
    for (const part of read(field)) if (part !== '') all.push(part);
  }
  return all.length > 1 ? [...new Set(all)] : all;
}

function titleOf(story: JsonRecord): string {
  const words = firstText(story, TITLES) || (wordsOf(story['description']).split('\n', 1)[0] ?? '');
  // Most titles need no change, and `replace` would copy the string.
  return /\s\s|[^\S ]/.test(words) ? words.replace(/\s+/g, ' ').trim() : words.trim();
}

/** The priority as a number, lower first; undefined if there is none or it is not understood. */
export function priorityOf(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  if (typeof value !== 'string') return undefined;
  const word = value.trim().toLowerCase();
  const numbered = /^p?\s?(-?\d+(?:\.\d+)?)$/.exec(word);
  return numbered ? Number(numbered[1]) : PRIORITY_WORDS.get(word);
}

function dependenciesOf(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(dependenciesOf);
  if (isRecord(value)) return dependenciesOf(value['id'] ?? Object.values(value));
  const text = textOf(value);
  if (/^(?:|none|n\/a|-)$/i.test(text)) return [];
  if (!/[\s,;]/.test(text)) return [text];
  // "US-1, US-2" is a list; a sentence with a comma is a reason and is not split.
  const parts = text.split(/[,;]/).flatMap(part => part.trim() || []);
  return parts.length > 1 && parts.every(part => !/\s/.test(part)) ? parts : [text.replace(/\s+/g, ' ')];
}

function commandsOf(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(commandsOf);
  return typeof value === 'string' ? [value.trim()] : [];
}

/** The guards that a story lifts. */
export function allowOf(value: unknown): Pick<Item, 'allow'> {
  if (value === undefined) return {};
  const entries = (Array.isArray(value) ? value : [value]).map(textOf).filter(entry => entry !== '');
  return entries.length > 0 ? { allow: entries } : {};
}

function partsOf(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(partsOf);
  if (isRecord(value)) return [firstText(value, PART_TEXTS) || JSON.stringify(value)];
  const text = textOf(value);
  return text.includes('\n') ? text.split('\n').map(line => line.trim().replace(/^[-*]\s+/, '')) : [text];
}

/** Prose from a string or a list of strings; anything else stays JSON, because raw is better than lost. */
export function wordsOf(value: unknown): string {
  if (Array.isArray(value)) {
    return partsOf(value)
      .map(part => `- ${part}`)
      .join('\n');
  }
  return isRecord(value) ? JSON.stringify(value, null, 2) : textOf(value);
}

function firstText(value: JsonRecord, keys: readonly string[]): string {
  for (const key of keys) {
    const text = textOf(value[key]);
    if (text !== '') return text;
  }
  return '';
}

/** A string or number as text; anything else is empty. */
export const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
