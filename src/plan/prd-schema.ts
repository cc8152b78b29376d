/** The schema of prd.json, made from the names that its parser knows. Permissive, because real files vary and are read anyway. */
import * as z from 'zod/mini';
import { BODIES, DEPENDS, PARTS, REASONS, TITLES, VERIFY } from './prd-fields.ts';
import { DONE_FLAGS, STATE_FLAGS } from './prd-state.ts';
import { IDS, LISTS } from './prd-stories.ts';

const anything = z.unknown();
const commands = z.union([z.string(), z.null(), z.array(z.string())]);

/** The same field under each of the names that people use. */
const fields = (names: readonly string[], schema: z.ZodMiniType, about: string): Record<string, z.ZodMiniType> =>
  Object.fromEntries(names.map(name => [name, field(schema, about)]));

const field = (schema: z.ZodMiniType, about: string): z.ZodMiniType => z.optional(schema).check(z.describe(about));

const story = z
  .looseObject({
    ...fields(IDS, anything, 'The id, where there is no "id".'),
    id: field(z.union([z.string(), z.number(), z.null()]), 'Used once; the agent claims the item by it.'),
    ...fields(TITLES, anything, 'What the item is called: the first of these that is there.'),
    ...fields(BODIES, anything, 'The item in words, for the agent.'),
    ...fields(PARTS, anything, 'What holds when the item is done: statements that can be checked.'),
    ...fields(VERIFY, commands, 'Commands that are red before the item and green after it.'),
    ...fields(DEPENDS, anything, 'Ids of items that have to be done first.'),
    ...fields(REASONS, anything, 'Why the item is blocked or skipped.'),
    ...fields(DONE_FLAGS, anything, 'Done is true, and no other value.'),
    ...fields(
      STATE_FLAGS.map(([name]) => name),
      anything,
      'The state by this name, where it is true.',
    ),
    priority: field(z.union([z.number(), z.string(), z.null()]), 'Lower runs first; ties in the order of the file.'),
    status: field(anything, 'pending, in-progress, done, blocked or skipped; `passes` decides where both are there.'),
    state: field(anything, 'The same as status, where it is a word for one and there is no status.'),
    changeOptional: field(anything, 'True where the item may be accepted without any change.'),
    noChange: field(anything, 'The same as changeOptional.'),
    allow: field(anything, 'Guards that a person lifts for this item: `rule` or `rule:glob`.'),
  })
  .check(z.meta({ id: 'story' }));

const stories = z.array(story);

/** A bare list of stories, or an object that contains one, with any other fields. */
export const prdSchema = z.union([
  z.looseObject({
    $schema: z.optional(z.string()),
    ...fields(['project', 'name', 'title', 'branchName'], anything, 'What the plan calls itself.'),
    description: field(anything, 'What all of it is for.'),
    ...fields(LISTS, z.union([stories, z.array(anything)]), 'The items, or groups of them.'),
    userStories: field(stories, 'The items.'),
  }),
  stories,
]);
