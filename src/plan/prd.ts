/** prd.json: user stories with `passes` or a status word. */
import { basename } from 'node:path';
import type { Item, Mark, NewItem, Plan, PlanFiles, PlanFormat, Problem } from '../protocol.ts';
import { type Failure, fail, ok, type Result } from '../util/result.ts';
import { type Place, placeAt, places } from '../util/text.ts';
import { allowProblem } from './allow.ts';
import { conflictMessage, findConflict } from './conflict.ts';
import { checkDependencies } from './dependencies.ts';
import { applyEdits } from './edit.ts';
import { objectAt, parseJson } from './json.ts';
import { appendEdits } from './prd-append.ts';
import { markEdits } from './prd-edit.ts';
import { priorityOf, readFields, textOf } from './prd-fields.ts';
import { stateOf } from './prd-state.ts';
import { findStories, isRecord, type Stories, type Story } from './prd-stories.ts';
import { unknownItem } from './unknown-item.ts';
import { unreadablePlan } from './unreadable-plan.ts';

/** The format of prd.json and its many relatives. */
export const prd: PlanFormat = { name: 'prd', find, parse, mark, append };

function find(path: string, files: PlanFiles): string | undefined {
  return /\.json$/i.test(path) && !files.isFolder(path) ? path : undefined;
}

function parse(text: string, path: string): Plan {
  const read = readText(text);
  if (!read.ok) return planOf(path, { name: '', items: [], problems: [read.error] });
  const { root, place, stories } = read.value;
  const problems: Problem[] = [...stories.problems];
  const items = stories.stories.map((story): Item => {
    const state = stateOf(story.value);
    const warn = (field: string, message: string) =>
      problems.push({ level: 'warning', ...place(offsetOf(text, story, field)), message: `${story.id}: ${message}` });
    if (state.warning) warn(state.warning.field, state.warning.message);
    const priority = story.value['priority'] ?? '';
    if (priority !== '' && priorityOf(priority) === undefined) {
      warn('priority', `the priority ${JSON.stringify(priority).slice(0, 40)} is not understood; it counts as none`);
    }
    const fields = readFields(story, state.status);
    const wrong = fields.told.allow?.map(allowProblem).find(problem => problem !== undefined);
    if (wrong !== undefined) {
      const at = place(offsetOf(text, story, 'allow'));
      problems.push({ level: 'error', ...at, message: `${story.id}: ${wrong}` });
    }
    return {
      id: story.id,
      status: state.status,
      ...fields.told,
      get line() {
        return place(story.start).line;
      },
      get title() {
        return fields.words().title;
      },
      get body() {
        return fields.words().body;
      },
      get criteria() {
        return fields.words().criteria;
      },
    };
  });
  problems.push(...checkDependencies(items));
  return planOf(path, { name: nameOf(root), items, problems });
}

function planOf(path: string, read: Pick<Plan, 'name' | 'items' | 'problems'>): Plan {
  return {
    format: 'prd',
    path,
    name: read.name || basename(path).replace(/\.json$/i, ''),
    items: read.items,
    problems: read.problems.toSorted((a, b) => a.line - b.line || a.column - b.column),
    instructions: '',
    repeats: false,
  };
}

function nameOf(root: unknown): string {
  if (!isRecord(root)) return '';
  const inner = isRecord(root['prd']) ? root['prd'] : {};
  const get = (key: string) => textOf(root[key]) || textOf(inner[key]);
  // Some people write the branch they start from: it names no plan.
  const branch = get('branchName').replace(/^(?:ralph\/|(?:main|master|dev|develop)$)/, '');
  return branch || get('project') || get('name') || get('title');
}

/** Only what is reported needs its place, so the story is read a second time for it. */
function offsetOf(text: string, story: Story, field: string): number {
  const found = objectAt(text, story.start)?.properties.findLast(({ key }) => key === field);
  return found?.value.start ?? story.start;
}

function mark(text: string, wanted: Mark): Result<string> {
  const read = readText(text);
  if (!read.ok) return fail(unreadablePlan(read.error));
  const { stories, problems } = read.value.stories;
  const broken = problems.find(({ level }) => level === 'error');
  if (broken) return fail(unreadablePlan(broken));
  const story = stories.find(({ id }) => id === wanted.id);
  const object = story && objectAt(text, story.start);
  if (story === undefined || object === undefined) {
    const known = stories.map(({ id }) => id);
    return fail(unknownItem(wanted.id, known));
  }
  return ok(applyEdits(text, markEdits({ text, story, object, stories, mark: wanted })));
}

function append(text: string, item: NewItem): Result<string> {
  const read = readText(text);
  if (!read.ok) return fail(unreadablePlan(read.error));
  const { stories, problems } = read.value.stories;
  const broken = problems.find(({ level }) => level === 'error');
  if (broken) return fail(unreadablePlan(broken));
  if (stories.some(({ id }) => id === item.id)) {
    return fail<Failure>({ reason: 'duplicate-item', message: `the plan already has an item "${item.id}"` });
  }
  return ok(applyEdits(text, appendEdits({ text, stories, item })));
}

interface Read {
  readonly root: unknown;
  readonly place: (offset: number) => Place;
  readonly stories: Stories;
}

/** A text is marked right after it was parsed; in a long plan reading it twice is most of the work. */
let last: { readonly text: string; readonly read: Read } | undefined;

function readText(text: string): Result<Read, Problem> {
  if (last?.text === text) return ok(last.read);
  const read = readAnew(text);
  last = read.ok ? { text, read: read.value } : undefined;
  return read;
}

function readAnew(text: string): Result<Read, Problem> {
  let root: unknown;
  try {
    root = JSON.parse(text);
  } catch {
    return fail(whatIsWrong(text));
  }
  const place = places(text);
  return ok({ root, place, stories: findStories({ text, root, place }) });
}

/** `JSON.parse` says that a text is broken, but not on which line. */
function whatIsWrong(text: string): Problem {
  if (text.trim() === '') return { level: 'error', line: 1, column: 1, message: 'the plan is empty' };
  const conflict = findConflict(text);
  if (conflict !== undefined) return { level: 'error', ...placeAt(text, conflict), message: conflictMessage };
  const parsed = parseJson(text);
  const { offset, message } = parsed.ok ? { offset: 0, message: 'this is not JSON' } : parsed;
  return { level: 'error', ...placeAt(text, offset), message };
}
