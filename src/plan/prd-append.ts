/** Adds a story to a prd.json, with the field names and layout of the story before it. */
import type { NewItem } from '../protocol.ts';
import type { Edit } from './edit.ts';
import { CRITERIA, DEPENDS, priorityOf, TITLES, VERIFY } from './prd-fields.ts';
import { doneFlag } from './prd-state.ts';
import type { Story } from './prd-stories.ts';
import { vocabularyOf } from './prd-words.ts';

interface AppendInput {
  readonly text: string;
  readonly stories: readonly Story[];
  readonly item: NewItem;
}

/** Adds the story after the last one; without any story, there is no layout to copy and nothing is added. */
export function appendEdits({ text, stories, item }: AppendInput): readonly Edit[] {
  const last = stories.at(-1);
  if (last === undefined) return [];
  const uses = (key: string) => last.value[key] !== undefined;
  const words = vocabularyOf(stories);
  const entries: [key: string, value: unknown][] = [
    ['id', item.id],
    [TITLES.find(uses) ?? 'title', item.title],
    ['description', item.body],
    [CRITERIA.find(uses) ?? 'acceptanceCriteria', item.criteria],
  ];
  const { dependsOn = [], verify = [], priority } = item;
  // In the plan's own words, such as "high", where it has one for it.
  const ranked = stories.find(({ value }) => priorityOf(value['priority']) === priority);
  if (priority !== undefined) entries.push(['priority', ranked?.value['priority'] ?? priority]);
  if (dependsOn.length > 0) entries.push([DEPENDS.find(uses) ?? 'dependsOn', dependsOn]);
  if (verify.length > 0) entries.push([VERIFY.find(uses) ?? 'verify', verify]);
  const flag = doneFlag(last.value) ?? (words.all.length === 0 ? 'passes' : undefined);
  if (flag !== undefined) entries.push([flag, false]);
  if (uses(words.key) || flag === undefined) entries.push([words.key, words.choose('pending')]);

  const lead = text.slice(last.after.offset, last.start);
  const separator = !last.after.isFirst ? lead : lead.includes('\n') ? `,${lead}` : ', ';
  return [{ start: last.end, end: last.end, text: separator + render(text.slice(last.start, last.end), entries) }];
}

/** Formats an object like the given one: one property per line with its indentation, or everything on one line. */
function render(like: string, entries: readonly (readonly [string, unknown])[]): string {
  const lead = like.slice(1, like.length - like.slice(1).trimStart().length);
  if (!lead.includes('\n')) {
    const inside = entries.map(([key, value]) => `${JSON.stringify(key)}: ${JSON.stringify(value)}`).join(', ');
    return `{${lead}${inside}${lead}}`;
  }
  const eol = lead.includes('\r\n') ? '\r\n' : '\n';
  const indent = lead.slice(lead.lastIndexOf('\n') + 1);
  const tail = like.slice(like.lastIndexOf('\n') + 1, -1);
  const close = tail.trim() === '' && indent.startsWith(tail) ? tail : '';
  const unit = indent.slice(close.length) || '  ';
  const lines = entries.map(([key, value]) => {
    const shown = JSON.stringify(value, null, unit).replaceAll('\n', `${eol}${indent}`);
    return `${indent}${JSON.stringify(key)}: ${shown}`;
  });
  return `{${eol}${lines.join(`,${eol}`)}${eol}${close}}`;
}
