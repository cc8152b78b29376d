/** Turns one story into an item, with the problems found in it. */
import type { Item, Problem } from '../protocol.ts';
import type { Place } from '../util/text.ts';
import { allowProblem } from './allow.ts';
import { sectionOf } from './prd-about.ts';
import { reviewOf } from './prd-edit.ts';
import { allowOf, priorityOf, readFields } from './prd-fields.ts';
import { stateOf } from './prd-state.ts';
import type { Story } from './prd-stories.ts';

export interface StoryItem {
  readonly item: Item;
  readonly wrong: readonly { readonly level: Problem['level']; readonly field: string; readonly message: string }[];
}

/** What is wrong with a story's `allow` entries, or undefined. */
export const allowedWrongly = ({ value }: Story): string | undefined =>
  allowOf(value['allow'])
    .allow?.map(allowProblem)
    .find(problem => problem !== undefined);

export function itemOf(story: Story, place: (offset: number) => Place): StoryItem {
  const wrong: StoryItem['wrong'][number][] = [];
  const state = stateOf(story.value);
  if (state.warning) wrong.push({ level: 'warning', ...state.warning });
  const priority = story.value['priority'] ?? '';
  if (priority !== '' && priorityOf(priority) === undefined) {
    const message = `the priority ${JSON.stringify(priority).slice(0, 40)} is not understood; it counts as none`;
    wrong.push({ level: 'warning', field: 'priority', message });
  }
  const told = readFields(story, state.status);
  const refused = allowedWrongly(story);
  if (refused !== undefined) wrong.push({ level: 'error', field: 'allow', message: refused });
  const { within } = story;
  const reviewed = reviewOf(story.value);
  const item: Item = {
    id: story.id,
    status: state.status,
    ...told,
    ...(reviewed ? { reviewed } : {}),
    line: place(story.start).line,
  };
  if (within) Object.defineProperty(item, 'section', { enumerable: true, get: () => sectionOf(within) });
  return { item, wrong };
}
