/** prd.json: user stories with `passes` or a status word. */
import { basename } from 'node:path';
import type { Item, NewItem, Plan, PlanDocument, PlanFiles, PlanFormat, PlanPlace, Problem } from '../protocol.ts';
import { isRecord } from '../util/json.ts';
import { once } from '../util/once.ts';
import { type Failure, fail, ok, type Result } from '../util/result.ts';
import { type Place, placeAt, places } from '../util/text.ts';
import { conflictMessage, findConflict } from './conflict.ts';
import { checkDependencies } from './dependencies.ts';
import { laterDocument } from './document.ts';
import { applyEdits, type Edit } from './edit.ts';
import { type JsonObject, objectAt, parseJson } from './json.ts';
import { propertiesAt } from './json-spans.ts';
import { firstError, inOrder, lazyPlan, wholePlan } from './lazy-plan.ts';
import { aboutOf } from './prd-about.ts';
import { appendEdits } from './prd-append.ts';
import { markEdits, reviewEdits } from './prd-edit.ts';
import { textOf } from './prd-fields.ts';
import { allowedWrongly, itemOf } from './prd-item.ts';
import { findStories, type Stories, type Story, wrapped } from './prd-stories.ts';
import { promptBeside } from './prompt-beside.ts';
import { unknownItem } from './unknown-item.ts';
import { unreadablePlan } from './unreadable-plan.ts';

/** The format of prd.json and its variants. */
export const prd: PlanFormat = { name: 'prd', find, parse };

function find(path: string, files: PlanFiles): string | undefined {
  return /\.json$/i.test(path) && !files.isFolder(path) ? path : undefined;
}

function parse(text: string, path: string, files: PlanFiles): PlanDocument {
  const place = { path, files };
  const read = readText(text);
  return read.ok ? documentOf(read.value, place) : brokenDocument(text, read.error, place);
}

/** The document of a text that is not JSON: every change is refused. */
function brokenDocument(text: string, error: Problem, { path }: PlanPlace): PlanDocument {
  const told = { format: 'prd', path, repeats: false, name: fileName(path), instructions: '' };
  const refused = () => fail(unreadablePlan(error));
  return {
    text,
    plan: wholePlan({ ...told, items: [], problems: [error] }),
    mark: refused,
    append: refused,
    review: refused,
  };
}

function documentOf(read: Read, place: PlanPlace): PlanDocument {
  const { text } = read;
  const again = (marked: string, after?: Read): PlanDocument =>
    laterDocument(marked, document, () => (after ? documentOf(after, place) : parse(marked, place.path, place.files)));
  const document: PlanDocument = {
    text,
    plan: planOf(read, place),
    mark: mark => {
      const found = findStory(read, mark.id);
      if (!found.ok) return found;
      const { story, object } = found.value;
      const { stories } = read.stories;
      const marked = applyEdits(text, markEdits({ text, mark, story, object, stories: () => stories }));
      const after = mark.to === 'done' ? readMarked(read, story, marked) : undefined;
      return ok(again(marked, after));
    },
    append: item => {
      const edits = appended(read, item);
      return edits.ok ? ok(again(applyEdits(text, edits.value))) : edits;
    },
    review: mark => {
      const found = findStory(read, mark.id);
      return found.ok ? ok(again(applyEdits(text, reviewEdits({ text, object: found.value.object, mark })))) : found;
    },
  };
  return document;
}

const fileName = (path: string): string => basename(path).replace(/\.json$/i, '');

function planOf(read: Read, { path, files }: PlanPlace): Plan {
  const { root, stories, error } = read;
  const instructions = promptBeside(path, files);
  return lazyPlan(
    { format: 'prd', path, repeats: false, ...afterIn(root), error: error() },
    {
      name: () => nameOf(root) || fileName(path),
      ids: () => stories.stories.map(({ id }) => id),
      items: () => foundIn(read).items,
      problems: () => foundIn(read).problems,
      instructions: () => instructions,
      about: () => aboutOf(root),
    },
  );
}

const foundIn = (read: Read): Found => (read.found ??= readItems(read));

function readItems({ text, place, stories }: Pick<Read, 'text' | 'place' | 'stories'>): Found {
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
  problems.push(...checkDependencies(items));
  return { items, problems: inOrder(problems) };
}

/** The only errors that a single story can have; warnings are left out. */
function findError({ text, place, stories }: Pick<Read, 'text' | 'place' | 'stories'>): Problem | undefined {
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
  const broken = read.error();
  if (broken) return fail(unreadablePlan(broken));
  const { stories } = read.stories;
  const story = stories.find(candidate => candidate.id === id);
  const object = story && objectAt(read.text, placed(read, story).start);
  if (story && object) return ok({ story, object });
  const known = stories.map(candidate => candidate.id);
  return fail(unknownItem(id, known));
}

const noError = (): undefined => undefined;

/** The reading after one story was marked, without parsing the others again; undefined if that is not possible. */
function readMarked(was: Read, story: Story, text: string): Read | undefined {
  // If the items were never read, there are none to reuse.
  if (was.found === undefined) return undefined;
  const { items, problems } = was.found;
  const by = text.length - was.text.length;
  const { start, end } = placed(was, story);
  const [before, after] = [was.text.slice(start, end), text.slice(start, end + by)];
  // With problems, or after a change of line numbers, more than one story has to be read again.
  if (problems.length > 0 || before.split('\n').length !== after.split('\n').length) return undefined;
  const value: unknown = JSON.parse(after);
  if (!isRecord(value)) return undefined;
  const now: Story = { ...story, value };
  const index = was.stories.stories.indexOf(story);
  const stories = was.stories.stories.with(index, now);
  const moves = by === 0 ? was.moves : [...was.moves, { from: story.start, by }];
  const { line = 1 } = items[index] ?? {};
  const { item, wrong } = itemOf(now, () => ({ line, column: 1 }));
  if (wrong.length > 0) return undefined;
  const found = { items: items.with(index, item), problems };
  return { ...was, text, place: places(text), stories: { stories, problems: [] }, moves, error: noError, found };
}

/** Where a story is now: earlier marks have shifted it. Computed per story on demand, because there may be thousands. */
function placed({ moves }: Pick<Read, 'moves'>, story: Story): Story {
  let [before, inside] = [0, 0];
  for (const { from, by } of moves) {
    if (from < story.start) before += by;
    else if (from === story.start) inside += by;
  }
  const after = { ...story.after, offset: story.after.offset + before };
  return { ...story, start: story.start + before, end: story.end + before + inside, after };
}

function appended(read: Read, item: NewItem): Result<readonly Edit[]> {
  const broken = read.error();
  if (broken) return fail(unreadablePlan(broken));
  const { stories } = read.stories;
  if (stories.some(({ id }) => id === item.id)) {
    return fail<Failure>({ reason: 'duplicate-item', message: `the plan already has an item "${item.id}"` });
  }
  return ok(appendEdits({ text: read.text, stories: stories.map(story => placed(read, story)), item }));
}

interface Found {
  readonly items: readonly Item[];
  readonly problems: readonly Problem[];
}

interface Read {
  readonly text: string;
  readonly root: unknown;
  readonly place: (offset: number) => Place;
  /** With offsets in the text as first read; `placed` converts them to the current text. */
  readonly stories: Stories;
  /** Marks since then: the story's offset in that first text, and by how many characters it grew. */
  readonly moves: readonly { readonly from: number; readonly by: number }[];
  readonly error: () => Problem | undefined;
  /** Filled on first use. */
  found?: Found;
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
  const read = { text, root, place, stories, moves: [] };
  return ok({ ...read, error: once(() => findError(read)) });
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
