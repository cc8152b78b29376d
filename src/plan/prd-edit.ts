/** Writes state into a prd.json with the words and layout of the file. */
import type { Item, ItemStatus, Mark, ReviewMark } from '../protocol.ts';
import type { JsonRecord } from '../util/json.ts';
import { once } from '../util/once.ts';
import { type Edit, insertProperties, removeProperties, replaceNode } from './edit.ts';
import type { JsonObject, JsonProperty } from './json.ts';
import { REASONS } from './prd-fields.ts';
import { DONE_FLAGS, doneFlag, STATE_FLAGS, stateOf, statusKey, statusOfWord, statusWord } from './prd-state.ts';
import type { Story } from './prd-stories.ts';
import { type Vocabulary, vocabularyOf } from './prd-words.ts';

interface MarkInput {
  readonly text: string;
  readonly story: Pick<Story, 'value'>;
  /** The story with the offsets of everything in it. */
  readonly object: JsonObject;
  /** All stories, for the few marks that depend on the others. */
  readonly stories: readonly Story[];
  readonly mark: Mark;
}

/** Changes inside one story: values to replace, properties to remove and to append. */
interface Changes {
  readonly replace: Map<string, string>;
  readonly remove: Set<string>;
  readonly insert: [key: string, value: string][];
}

/** The smallest edits after which the story reads as marked. */
export function markEdits({ text, story, object, stories, mark }: MarkInput): readonly Edit[] {
  const changes: Changes = { replace: new Map(), remove: new Set(), insert: [] };
  const was = stateOf(story.value).status;
  changeFlags({ story: story.value, was, to: mark.to, changes });
  changeStatus({ story: story.value, object, stories, was, to: mark.to, changes });
  changeReason({ story: story.value, stories, was, mark, changes });

  const byKey = new Map(object.properties.map(property => [property.key, property]));
  const chosen = (keys: Iterable<string>) => [...keys].flatMap(key => byKey.get(key) ?? []);
  const removed = new Set<JsonProperty>(chosen(changes.remove));
  return [
    ...chosen(changes.replace.keys()).map(({ key, value }) => replaceNode(value, changes.replace.get(key) ?? '')),
    ...removeProperties(object, property => removed.has(property)),
    ...insertProperties(text, object, changes.insert),
  ];
}

const REVIEW = 'review';

/** The result that a review wrote; any other text was written by a person. */
export function reviewOf({ [REVIEW]: words }: JsonRecord): Item['reviewed'] {
  if (typeof words !== 'string') return undefined;
  return words === 'passed' ? 'passed' : /^needs-fix(?:: |$)/.test(words) ? 'needs-fix' : undefined;
}

/** Writes `"review": "passed"` or `"needs-fix: FIX-1"` at the end of the story; a `review` field with other text is left alone. */
export function reviewEdits({
  text,
  object,
  mark,
}: {
  readonly text: string;
  readonly object: JsonObject;
  readonly mark: ReviewMark;
}): readonly Edit[] {
  const words = mark.to === 'reviewed' ? 'passed' : ['needs-fix', mark.note].filter(Boolean).join(': ');
  const own = object.properties.findLast(({ key }) => key === REVIEW);
  if (!own) return insertProperties(text, object, [[REVIEW, JSON.stringify(words)]]);
  const isOurs = /^"(?:passed|needs-fix(?:: [^"]*)?)"$/.test(text.slice(own.value.start, own.value.end));
  return isOurs ? [replaceNode(own.value, JSON.stringify(words))] : [];
}

interface FlagInput {
  readonly story: JsonRecord;
  readonly was: ItemStatus;
  readonly to: Mark['to'];
  readonly changes: Changes;
}

function changeFlags({ story, was, to, changes }: FlagInput): void {
  const set = (field: string, wanted: boolean) => {
    if (story[field] !== wanted) changes.replace.set(field, String(wanted));
  };
  const deciding = doneFlag(story);
  for (const field of DONE_FLAGS) {
    // A story marked skipped may already say so by `passes: "cancelled"`, which must not be overwritten.
    if (typeof story[field] === 'boolean' || (field === deciding && was !== to)) set(field, to === 'done');
  }
  for (const [field, status] of STATE_FLAGS) if (typeof story[field] === 'boolean') set(field, status === to);
}

interface StatusInput extends FlagInput {
  readonly object: JsonObject;
  readonly stories: readonly Story[];
}

function changeStatus({ story, object, stories, was, to, changes }: StatusInput): void {
  const words = once(() => vocabularyOf(stories));
  const flag = doneFlag(story);
  const word = statusWord(story);
  const field = statusKey(story);
  const stepped = to === 'blocked' || to === 'skipped';
  const byFlag = STATE_FLAGS.some(([field, status]) => status === to && typeof story[field] === 'boolean');
  const chosen = () => JSON.stringify(words().choose(to, word));

  if (story[field] !== undefined) {
    const dispensable = to === 'pending' || (to === 'done' && flag !== undefined);
    if (dispensable && field === 'status' && wasInserted(object, words)) {
      changes.remove.add('status');
      return;
    }
    const wrong =
      word === undefined ? was !== to && (flag === undefined || (stepped && !byFlag)) : statusOfWord(word) !== to;
    if (wrong) changes.replace.set(field, chosen());
  } else if (stepped && !byFlag && was !== to) {
    changes.insert.push(['status', chosen()]);
  } else if (to === 'done' && flag === undefined) {
    const used = stories.map(other => doneFlag(other.value)).find(found => found !== undefined);
    const key = used ?? (words().all.length === 0 ? 'passes' : words().key);
    const value = key === words().key ? chosen() : 'true';
    if (story[key] === undefined) changes.insert.push([key, value]);
    else changes.replace.set(key, value);
  }
}

/** Whether a mark inserted the status: it is the last field, and all statuses of the file say blocked or skipped. */
function wasInserted(object: JsonObject, words: () => Vocabulary): boolean {
  const [last, before] = object.properties.toReversed().map(({ key }) => key);
  const atEnd = last === 'status' || (before === 'status' && last === 'blockedReason');
  return atEnd && words().all.every(word => word === 'blocked' || word === 'skipped');
}

interface ReasonInput {
  readonly story: JsonRecord;
  readonly stories: readonly Story[];
  readonly was: ItemStatus;
  readonly mark: Mark;
  readonly changes: Changes;
}

/** The reason is added with a blocked or skipped state and removed with it. */
function changeReason({ story, stories, was, mark, changes }: ReasonInput): void {
  const key = REASONS.find(name => story[name] !== undefined);
  if (mark.to === 'blocked' || mark.to === 'skipped') {
    const note = JSON.stringify(mark.note ?? '');
    if (note === '""') return;
    if (key === undefined) changes.insert.push(['blockedReason', note]);
    else changes.replace.set(key, note);
    return;
  }
  if (key === undefined || (was !== 'blocked' && was !== 'skipped')) return;
  // If other stories have the field empty, it is part of the file's layout: it is emptied instead of removed.
  const empty = stories.map(other => other.value[key]).find(value => value === '' || value === null);
  if (empty === undefined) changes.remove.add(key);
  else changes.replace.set(key, JSON.stringify(empty));
}
