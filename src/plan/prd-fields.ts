/** A story's words and numbers, from the names that people give them. */
import type { Item, ItemStatus } from '../protocol.ts';
import type { JsonNode } from './json.ts';
import { scalar } from './prd-state.ts';
import type { Story } from './prd-stories.ts';

export const TITLES = ['title', 'name', 'feature', 'task', 'story', 'summary'] as const;
const BODIES = ['description', 'userStory', 'user_story', 'details', 'notes'] as const;
export const CRITERIA = ['acceptanceCriteria', 'acceptance_criteria', 'acceptance', 'steps', 'requirements'] as const;
const PARTS = ['tasks', 'subtasks'] as const;
const PART_TEXTS = ['text', 'description', 'criterion', 'criteria', 'title', 'name', 'task', 'step'] as const;
const VERIFY = ['verify', 'verifyCommands', 'verify_commands'] as const;
const DEPENDS = ['dependsOn', 'dependencies', 'depends_on', 'deps', 'blockedBy', 'blocked_by'] as const;
export const REASONS = ['blockedReason', 'blocked_reason', 'skipReason', 'skip_reason', 'reason'] as const;

const PRIORITY_WORDS: Readonly<Record<string, number>> = {
  critical: 0,
  urgent: 0,
  highest: 0,
  high: 1,
  medium: 2,
  normal: 2,
  low: 3,
  lowest: 4,
};

export type StoryFields = Omit<Item, 'id' | 'status' | 'line'>;

/** Everything of an item that its own story says. */
export function readFields(story: Story, text: string, status: ItemStatus): StoryFields {
  const get = (key: string) => story.fields.get(key)?.value;
  const description = wordsOf(get('description'), text);
  const named = TITLES.map(key => textOf(get(key))).find(value => value !== '');
  const title = oneLineOf(named ?? firstLine(description)) || story.id;
  const priority = priorityOf(get('priority'));
  const reason = REASONS.map(key => textOf(get(key))).find(value => value !== '') ?? textOf(get('notes'));
  const stepped = status === 'blocked' || status === 'skipped';
  return {
    title,
    ...(priority !== undefined && { priority }),
    dependsOn: unique(DEPENDS.flatMap(key => dependenciesOf(get(key)))),
    body: unique(BODIES.map(key => wordsOf(get(key), text)))
      .filter(part => part !== '' && part !== title)
      .join('\n\n'),
    criteria: unique([...CRITERIA, ...PARTS].flatMap(key => partsOf(get(key), text)).filter(part => part !== '')),
    verify: VERIFY.flatMap(key => commandsOf(get(key))),
    changeOptional: scalar(get('changeOptional')) === true || scalar(get('noChange')) === true,
    ...(stepped && reason !== '' && { note: reason }),
  };
}

/** Lower runs first. `undefined` is both "none" and "not understood"; `hasOddPriority` tells them apart. */
export function priorityOf(node: JsonNode | undefined): number | undefined {
  const value = scalar(node);
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  if (typeof value !== 'string') return undefined;
  const word = value.trim().toLowerCase();
  const numbered = /^p?\s?(-?\d+(?:\.\d+)?)$/.exec(word);
  if (numbered) return Number(numbered[1]);
  return Object.hasOwn(PRIORITY_WORDS, word) ? PRIORITY_WORDS[word] : undefined;
}

export function hasOddPriority(node: JsonNode | undefined): boolean {
  if (node === undefined || scalar(node) === null || scalar(node) === '') return false;
  return priorityOf(node) === undefined;
}

function dependenciesOf(node: JsonNode | undefined): readonly string[] {
  if (node?.type === 'array') return node.elements.flatMap(dependenciesOf);
  if (node?.type === 'object') return dependenciesOf(node.properties.find(({ key }) => key === 'id')?.value);
  const text = textOf(node).replace(/\s+/g, ' ').trim();
  if (/^(|none|n\/a|-)$/i.test(text)) return [];
  // "US-1, US-2" is a list; a sentence with a comma is a reason and stays whole.
  const parts = text.split(/\s*[,;]\s*/);
  return parts.length > 1 && parts.every(part => /^\S+$/.test(part)) ? parts : [text];
}

function commandsOf(node: JsonNode | undefined): readonly string[] {
  if (node?.type === 'array') return node.elements.flatMap(commandsOf);
  const value = scalar(node);
  return typeof value === 'string' && value.trim() !== '' ? [value.trim()] : [];
}

function partsOf(node: JsonNode | undefined, text: string): readonly string[] {
  if (node === undefined) return [];
  if (node.type === 'array') return node.elements.flatMap(element => partsOf(element, text));
  if (node.type === 'object') {
    const named = PART_TEXTS.map(name => textOf(node.properties.find(({ key }) => key === name)?.value));
    return [named.find(value => value !== '') ?? text.slice(node.start, node.end)];
  }
  return textOf(node)
    .split('\n')
    .map(line => line.replace(/^\s*[-*]\s+/, '').trim());
}

/** Prose from a string, a list of strings, or, failing that, the JSON itself: better shown raw than lost. */
function wordsOf(node: JsonNode | undefined, text: string): string {
  if (node?.type === 'array')
    return partsOf(node, text)
      .filter(part => part !== '')
      .map(part => `- ${part}`)
      .join('\n');
  if (node?.type === 'object') return text.slice(node.start, node.end);
  return textOf(node);
}

/** A string or number as text; anything else is empty. */
export function textOf(node: JsonNode | undefined): string {
  const value = scalar(node);
  return typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
}

const unique = (values: readonly string[]): readonly string[] => [...new Set(values)];
const firstLine = (text: string): string => text.split('\n', 1)[0] ?? '';
const oneLineOf = (text: string): string => text.replace(/\s+/g, ' ').trim();
