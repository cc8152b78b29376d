/** Writing state into a prd.json in the file's own words and layout. */
import type { ItemStatus, Mark, NewItem } from '../protocol.ts';
import { type Edit, insertProperties, removeProperties, replaceNode, separatorOf } from './edit.ts';
import type { JsonObject } from './json.ts';
import { CRITERIA, REASONS, TITLES } from './prd-fields.ts';
import { DONE_FLAGS, doneFlag, STATE_FLAGS, scalar, stateOf, statusOfWord, statusWord } from './prd-state.ts';
import type { Story } from './prd-stories.ts';

interface MarkInput {
  readonly text: string;
  readonly story: Story;
  readonly stories: readonly Story[];
  readonly mark: Mark;
}

/** The smallest edits after which the story reads as marked. */
export function markEdits({ text, story, stories, mark }: MarkInput): readonly Edit[] {
  const now = stateOf(story).status;
  const edits: Edit[] = [...flagEdits(story, mark.to, now)];
  const insert: [string, string][] = [];
  const flag = doneFlag(story);
  const status = story.fields.get('status');
  const word = statusWord(story);
  const words = vocabulary(stories);
  const stepped = mark.to === 'blocked' || mark.to === 'skipped';
  const byFlag = STATE_FLAGS.some(([field, to]) => to === mark.to && hasBoolean(story, field));

  const dropStatus =
    (mark.to === 'pending' || (mark.to === 'done' && flag !== undefined)) && wasInserted(story, words.all);

  if (status !== undefined && !dropStatus) {
    const wrongOther = flag === undefined ? now !== mark.to : stepped && !byFlag;
    if (word !== undefined ? statusOfWord(word) !== mark.to : wrongOther) {
      edits.push(replaceNode(status.value, JSON.stringify(words.choose(mark.to, word))));
    }
  } else if (stepped && !byFlag && now !== mark.to) {
    insert.push(['status', JSON.stringify(words.choose(mark.to, word))]);
  } else if (mark.to === 'done' && flag === undefined) {
    const field = stories.map(doneFlag).find(found => found !== undefined)?.key;
    const key = field ?? (words.all.length === 0 ? 'passes' : 'status');
    const value = key === 'status' ? JSON.stringify(words.choose('done', undefined)) : 'true';
    const empty = story.fields.get(key);
    if (empty === undefined) insert.push([key, value]);
    else edits.push(replaceNode(empty.value, value));
  }

  const reason = reasonEdits({ story, stories, mark, was: now });
  edits.push(...reason.edits);
  insert.push(...reason.insert);
  edits.push(
    ...removeProperties(story.node, property => (dropStatus && property === status) || property === reason.drop),
  );
  edits.push(...insertProperties(text, story.node, insert));
  return edits;
}

/** A status at the end of a story, in a file whose statuses only ever say blocked or skipped, came with a mark. */
function wasInserted(story: Story, words: readonly string[]): boolean {
  const [last, before] = story.node.properties.toReversed();
  const status = story.fields.get('status');
  const atEnd = status !== undefined && (status === last || (status === before && last?.key === 'blockedReason'));
  return atEnd && words.every(word => word === 'blocked' || word === 'skipped');
}

function flagEdits(story: Story, to: ItemStatus, now: ItemStatus): readonly Edit[] {
  const deciding = doneFlag(story);
  const edits: Edit[] = [];
  const set = (field: string, wanted: boolean) => {
    const property = story.fields.get(field);
    if (property && scalar(property.value) !== wanted) edits.push(replaceNode(property.value, String(wanted)));
  };
  for (const field of DONE_FLAGS) {
    // `passes: "cancelled"` already says what is to be said when the story is to be skipped.
    if (hasBoolean(story, field) || (deciding?.key === field && now !== to)) set(field, to === 'done');
  }
  for (const [field, status] of STATE_FLAGS) if (hasBoolean(story, field)) set(field, status === to);
  return edits;
}

const hasBoolean = (story: Story, field: string): boolean =>
  typeof scalar(story.fields.get(field)?.value) === 'boolean';

type ReasonInput = Omit<MarkInput, 'text'> & { readonly was: ItemStatus };

/** The reason beside a blocked or skipped state comes and goes with it. */
function reasonEdits({ story, stories, mark, was }: ReasonInput) {
  const none = { edits: [], insert: [], drop: undefined };
  const property = REASONS.map(key => story.fields.get(key)).find(found => found !== undefined);
  if (mark.to === 'blocked' || mark.to === 'skipped') {
    if (mark.note === undefined || mark.note === '') return none;
    const text = JSON.stringify(mark.note);
    if (property) return { ...none, edits: [replaceNode(property.value, text)] };
    return { ...none, insert: [['blockedReason', text] as [string, string]] };
  }
  if (property === undefined || (was !== 'blocked' && was !== 'skipped')) return none;
  // Where other stories carry the field empty, it belongs to the file and is emptied instead of taken out.
  const empty = stories
    .map(other => other.fields.get(property.key)?.value)
    .find(value => scalar(value) === '' || scalar(value) === null);
  if (empty) return { ...none, edits: [replaceNode(property.value, scalar(empty) === '' ? '""' : 'null')] };
  return { ...none, drop: property };
}

/** The status words of a file, so that a mark speaks its language. */
function vocabulary(stories: readonly Story[]) {
  const counts = new Map<string, number>();
  for (const story of stories) {
    const word = statusWord(story);
    if (word !== undefined) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  const all = [...counts.keys()];
  const choose = (status: Mark['to'], now: string | undefined): string => {
    // Never "failed" for pending or "cancelled" for skipped: near in meaning, but not what was decided.
    const fits = all.filter(word => statusOfWord(word) === status && !/^(?:failed|)$/i.test(word));
    const exact = status === 'done' || status === 'pending' ? fits : fits.filter(word => word.toLowerCase() === status);
    const best = exact.toSorted((a, b) => (counts.get(b) ?? 0) - (counts.get(a) ?? 0))[0];
    return best ?? inCaseOf(status, now ?? all[0] ?? '');
  };
  return { all, choose };
}

function inCaseOf(word: string, sample: string): string {
  if (!/[A-Z]/.test(sample)) return word;
  return /[a-z]/.test(sample) ? word.charAt(0).toUpperCase() + word.slice(1) : word.toUpperCase();
}

interface AppendInput {
  readonly text: string;
  readonly stories: readonly Story[];
  readonly item: NewItem;
}

/** A new story after the last one, with the field names, indentation and line ends of its neighbour. */
export function appendEdits({ text, stories, item }: AppendInput): readonly Edit[] {
  const last = stories.at(-1);
  if (last === undefined) return [];
  const uses = (key: string) => last.fields.has(key);
  const words = vocabulary(stories);
  const entries: [string, string | boolean | readonly string[]][] = [
    ['id', item.id],
    [TITLES.find(uses) ?? 'title', item.title],
    ['description', item.body],
    [CRITERIA.find(uses) ?? 'acceptanceCriteria', item.criteria],
  ];
  const flag = doneFlag(last)?.key ?? (words.all.length === 0 ? 'passes' : undefined);
  if (flag !== undefined) entries.push([flag, false]);
  if (uses('status') || flag === undefined) entries.push(['status', words.choose('pending', undefined)]);
  const added = separatorOf(text, last.list) + render(text, last.node, entries);
  return [{ start: last.node.end, end: last.node.end, text: added }];
}

function render(text: string, like: JsonObject, entries: readonly (readonly [string, unknown])[]): string {
  const first = like.properties[0];
  const lead = first === undefined ? '' : text.slice(like.start + 1, first.start);
  if (!lead.includes('\n')) {
    const inside = entries.map(([key, value]) => `${JSON.stringify(key)}: ${JSON.stringify(value)}`).join(', ');
    return `{${lead}${inside}${lead}}`;
  }
  const eol = lead.includes('\r\n') ? '\r\n' : '\n';
  const indent = lead.slice(lead.lastIndexOf('\n') + 1);
  const close = text.slice(text.lastIndexOf('\n', like.end - 1) + 1, like.end - 1);
  const unit = indent.startsWith(close) && close.trim() === '' ? indent.slice(close.length) : '  ';
  const lines = entries.map(([key, value]) => {
    const shown = JSON.stringify(value, null, unit || '  ').replace(/\n/g, `${eol}${indent}`);
    return `${indent}${JSON.stringify(key)}: ${shown}`;
  });
  return `{${eol}${lines.join(`,${eol}`)}${eol}${close.trim() === '' ? close : ''}}`;
}
