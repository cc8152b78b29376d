/** prd.json: user stories with `passes` or a status word. */
import { basename } from 'node:path';
import type { Item, NewItem, Plan, PlanDocument, PlanFiles, PlanFormat, PlanPlace, Problem } from '../protocol.ts';
import { isRecord } from '../util/json.ts';
import { once } from '../util/once.ts';
import { fail, ok, type Result } from '../util/result.ts';
import { type Place, placeAt, places } from '../util/text.ts';
import { conflictMessage, findConflict } from './conflict.ts';
import { checkDependencies } from './dependencies.ts';
import { type TextReading, textDocument } from './document.ts';
import { applyEdits, type Edit } from './edit.ts';
import { type JsonObject, objectAt, parseJson } from './json.ts';
import { propertiesAt } from './json-spans.ts';
import { firstError, inOrder, lazyPlan, wholePlan } from './lazy-plan.ts';
import { namedItem, refuseNew, unknownItem } from './named-item.ts';
import { aboutOf } from './prd-about.ts';
import { appendEdits } from './prd-append.ts';
import { markEdits, reviewEdits } from './prd-edit.ts';
import { mistypedFields, textOf } from './prd-fields.ts';
import { allowedWrongly, itemOf } from './prd-item.ts';
import { findStories, type Stories, type Story, wrapped } from './prd-stories.ts';
import { promptBeside } from './prompt-beside.ts';
import { unreadablePlan } from './unreadable-plan.ts';

/** The format of prd.json and its variants. */
export const prd: PlanFormat = { name: 'prd', find, parse };

function find(path: string, files: PlanFiles): string | undefined {
  return /\.json$/i.test(path) && !files.isFolder(path) ? path : undefined;
}

function parse(text: string, path: string, files: PlanFiles): PlanDocument {
  return textDocument(text, words => {
    const read = readText(words);
    return read.ok ? readingOf(read.value, { path, files }) : broken(read.error, path);
  });
}

/** A text that is not JSON: every change is refused. */
function broken(error: Problem, path: string): TextReading {
  const told = { format: 'prd', path, repeats: false, name: fileName(path), instructions: '' };
  const refused = () => fail(unreadablePlan(error));
  return {
    plan: wholePlan({ ...told, items: [], problems: [error] }),
    mark: refused,
    append: refused,
    review: refused,
  };
}

function readingOf(read: Read, place: PlanPlace): TextReading {
  const { text } = read;
  const { stories } = read.stories;
  return {
    plan: planOf(read, place),
    mark: mark => {
      const found = findStory(read, mark.id);
      return found.ok ? ok(applyEdits(text, markEdits({ text, mark, ...found.value, stories }))) : found;
    },
    append: item => {
      const edits = appended(read, item);
      return edits.ok ? ok(applyEdits(text, edits.value)) : edits;
    },
    review: mark => {
      const found = findStory(read, mark.id);
      return found.ok ? ok(applyEdits(text, reviewEdits({ text, object: found.value.object, mark }))) : found;
    },
  };
}

const fileName = (path: string): string => basename(path).replace(/\.json$/i, '');

function planOf(read: Read, { path, files }: PlanPlace): Plan {
  const { root, stories, error } = read;
  const instructions = promptBeside(path, files);
  const found = once(() => readItems(read));
  return lazyPlan(
    { format: 'prd', path, repeats: false, ...afterIn(root), error },
    {
      name: () => nameOf(root) || fileName(path),
      ids: () => stories.stories.map(({ id }) => id),
      items: () => found().items,
      problems: () => found().problems,
      instructions: () => instructions,
      about: () => aboutOf(root),
    },
  );
}

function readItems({ text, place, stories }: Read): Found {
  const problems: Problem[] = [...stories.problems];
  const items = stories.stories.map(story => {
    const { item, wrong } = itemOf(story, place);
    if (propertiesAt(text, story.start) > Object.keys(story.value).length) {
      const message = 'this item has the same property twice; the last one counts';
      problems.push({ level: 'warning', ...place(story.start), message });
    }
    for (const { level, field, message } of wrong) {
      problems.push({ level, ...place(offsetOf(text, story, field)), message: `${story.id}: ${message}` });
    }
    return item;
  });
  for (const { story, field, message } of mistypedFields(stories.stories))
    problems.push({ level: 'warning', ...place(offsetOf(text, story, field)), message: `${story.id}: ${message}` });
  problems.push(...checkDependencies(items));
  return { items, problems: inOrder(problems) };
}

/** The only errors that a single story can have; warnings are left out. */
function findError({ text, place, stories }: Omit<Read, 'error'>): Problem | undefined {
  const wrong: Problem[] = [];
  for (const story of stories.stories) {
    const message = story.value['allow'] === undefined ? undefined : allowedWrongly(story);
    if (message === undefined) continue;
    wrong.push({ level: 'error', ...place(offsetOf(text, story, 'allow')), message: `${story.id}: ${message}` });
  }
  return firstError([...stories.problems, ...wrong]);
}

function nameOf(root: unknown): string {
  if (!isRecord(root)) return '';
  const inner = wrapped(root).value;
  const get = (key: string) => textOf(root[key]) || textOf(inner[key]);
  // Some people write the branch they start from, which says nothing about the plan.
  const branch = get('branchName').replace(/^(?:ralph\/|(?:main|master|dev|develop)$)/, '');
  return branch || get('project') || get('name') || get('title');
}

/** The plan or run that this one comes after. */
function afterIn(root: unknown): Pick<Plan, 'after'> {
  const after = isRecord(root) ? textOf(root['after']) : '';
  return after ? { after } : {};
}

/** The offset of a field. Only problems need it, so the story is parsed a second time for it. */
function offsetOf(text: string, story: Story, field: string): number {
  const found = objectAt(text, story.start)?.properties.findLast(({ key }) => key === field);
  return found?.value.start ?? story.start;
}

interface StoryPlace {
  readonly story: Story;
  readonly object: JsonObject;
}

function findStory(read: Read, id: string): Result<StoryPlace> {
  const { stories } = read.stories;
  const story = namedItem(stories, id, read.error);
  if (!story.ok) return story;
  const object = objectAt(read.text, story.value.start);
  return object ? ok({ story: story.value, object }) : fail(unknownItem(id, []));
}

function appended(read: Read, item: NewItem): Result<readonly Edit[]> {
  const { stories } = read.stories;
  const refused = refuseNew(stories, item, read.error);
  return refused ? fail(refused) : ok(appendEdits({ text: read.text, stories, item }));
}

interface Found {
  readonly items: readonly Item[];
  readonly problems: readonly Problem[];
}

interface Read {
  readonly text: string;
  readonly root: unknown;
  readonly place: (offset: number) => Place;
  readonly stories: Stories;
  readonly error: Problem | undefined;
}

function readText(text: string): Result<Read, Problem> {
  let root: unknown;
  try {
    root = JSON.parse(text);
  } catch {
    return fail(whatIsWrong(text));
  }
  const place = places(text);
  const stories = findStories({ text, root, place });
  const read = { text, root, place, stories };
  return ok({ ...read, error: findError(read) });
}

/** Locates a syntax error: `JSON.parse` does not say on which line it is. */
function whatIsWrong(text: string): Problem {
  if (text.trim() === '') return { level: 'error', line: 1, column: 1, message: 'the plan is empty' };
  const conflict = findConflict(text);
  if (conflict !== undefined) return { level: 'error', ...placeAt(text, conflict), message: conflictMessage };
  const parsed = parseJson(text);
  const { offset, message } = parsed.ok ? { offset: 0, message: 'this is not JSON' } : parsed;
  return { level: 'error', ...placeAt(text, offset), message };
}
