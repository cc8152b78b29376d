/** prd.json: user stories with `passes` or a status word. */
import { basename } from 'node:path';
import type { Item, Mark, NewItem, Plan, PlanFiles, PlanFormat, Problem } from '../protocol.ts';
import { type Failure, fail, ok, type Result } from '../util/result.ts';
import { type Place, placeAt, places } from '../util/text.ts';
import { conflictMessage, findConflict } from './conflict.ts';
import { checkDependencies } from './dependencies.ts';
import { applyEdits } from './edit.ts';
import { type JsonNode, parseJson } from './json.ts';
import { appendEdits, markEdits } from './prd-edit.ts';
import { hasOddPriority, readFields, textOf } from './prd-fields.ts';
import { stateOf } from './prd-state.ts';
import { fieldsOf, findStories, type Stories } from './prd-stories.ts';
import { unknownItem } from './unknown-item.ts';

/** The format of prd.json and its many relatives. */
export const prd: PlanFormat = { name: 'prd', find, parse, mark, append };

function find(path: string, files: PlanFiles): string | undefined {
  return /\.json$/i.test(path) && !files.isFolder(path) ? path : undefined;
}

function parse(text: string, path: string): Plan {
  const read = readText(text);
  if (!read.ok) return plan(path, { items: [], problems: [{ level: 'error', ...read.error }] });
  const { root, place, stories } = read.value;
  const problems: Problem[] = [...stories.problems];
  const items = stories.stories.map((story): Item => {
    const state = stateOf(story);
    if (state.warning) {
      problems.push({ level: 'warning', ...place(state.warning.offset), message: state.warning.message });
    }
    const priority = story.fields.get('priority')?.value;
    if (priority && hasOddPriority(priority)) {
      const shown = text.slice(priority.start, Math.min(priority.end, priority.start + 40));
      problems.push({
        level: 'warning',
        ...place(priority.start),
        message: `${story.id}: the priority ${shown} is not understood; it counts as none`,
      });
    }
    return {
      id: story.id,
      status: state.status,
      line: place(story.node.start).line,
      ...readFields(story, text, state.status),
    };
  });
  problems.push(...checkDependencies(items));
  return plan(path, { items, problems, name: nameOf(root) });
}

function plan(path: string, read: { items: readonly Item[]; problems: readonly Problem[]; name?: string }): Plan {
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

function nameOf(root: JsonNode): string {
  if (root.type !== 'object') return '';
  const fields = fieldsOf(root);
  const wrapped = fields.get('prd')?.value;
  const inner = wrapped?.type === 'object' ? fieldsOf(wrapped) : undefined;
  const get = (key: string) => textOf(fields.get(key)?.value) || textOf(inner?.get(key)?.value);
  return get('branchName').replace(/^ralph\//, '') || get('project') || get('name') || get('title');
}

function mark(text: string, wanted: Mark): Result<string> {
  const read = readText(text);
  if (!read.ok) return fail(unreadable(read.error));
  const { stories } = read.value.stories;
  const story = stories.find(({ id }) => id === wanted.id);
  if (story === undefined)
    return fail(
      unknownItem(
        wanted.id,
        stories.map(({ id }) => id),
      ),
    );
  return ok(applyEdits(text, markEdits({ text, story, stories, mark: wanted })));
}

function append(text: string, item: NewItem): Result<string> {
  const read = readText(text);
  if (!read.ok) return fail(unreadable(read.error));
  const { stories, problems } = read.value.stories;
  const broken = problems.find(({ level }) => level === 'error');
  if (broken) return fail(unreadable(broken));
  if (stories.some(({ id }) => id === item.id)) {
    return fail<Failure>({ reason: 'duplicate-item', message: `the plan already has an item "${item.id}"` });
  }
  return ok(applyEdits(text, appendEdits({ text, stories, item })));
}

interface Read {
  readonly root: JsonNode;
  readonly place: (offset: number) => Place;
  readonly stories: Stories;
}

function readText(text: string): Result<Read, Place & { readonly message: string }> {
  const parsed = parseJson(text);
  if (!parsed.ok) {
    if (text.trim() === '') return fail({ line: 1, column: 1, message: 'the plan is empty' });
    const conflict = findConflict(text);
    if (conflict !== undefined) return fail({ ...placeAt(text, conflict), message: conflictMessage });
    return fail({ ...placeAt(text, parsed.offset), message: parsed.message });
  }
  const place = places(text);
  return ok({ root: parsed.root, place, stories: findStories(parsed.root, place) });
}

const unreadable = (at: Place & { readonly message: string }): Failure => ({
  reason: 'plan-unreadable',
  message: at.message,
  line: at.line,
  column: at.column,
  hint: 'Repair the plan; `ralph check` shows what it can read.',
});
