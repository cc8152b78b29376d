/** Checklists: `- [ ]` and `- [x]` in Markdown. */
import { basename, dirname, join } from 'node:path';
import type { Mark, NewItem, Plan, PlanFiles, PlanFormat, Problem, ReviewMark } from '../protocol.ts';
import { type Failure, fail, ok, type Result } from '../util/result.ts';
import { appendEdits, markEdits, reviewEdits } from './checklist-edit.ts';
import { readTasks, type Task, type Tasks, tickedTask } from './checklist-items.ts';
import { applyEdits } from './edit.ts';
import { scanMarkdown } from './markdown.ts';
import { isPromptName } from './prompt.ts';
import { unknownItem } from './unknown-item.ts';
import { unreadablePlan } from './unreadable-plan.ts';

/** The format of PROGRESS.md, fix_plan.md and the like. */
export const checklist: PlanFormat = { name: 'checklist', find, parse, mark, append, review };

/** Files that are checklists by name: without a box they are broken ones, not prompts. */
const NAMES =
  /^(?:progress|todo|@?fix_plan|implementation[_-]plan|plan|tasks|backlog|ralph_task[^/]*)\.(?:md|markdown)$/i;

function find(path: string, files: PlanFiles): string | undefined {
  const name = basename(path);
  if (!/\.(?:md|markdown)$/i.test(name) || isPromptName(name) || files.isFolder(path)) return undefined;
  if (NAMES.test(name)) return path;
  const text = files.read(path);
  return text !== undefined && read(text).tasks.length > 0 ? path : undefined;
}

function parse(text: string, path: string, files: PlanFiles): Plan {
  const { tasks, problems, heading } = read(text);
  return {
    format: 'checklist',
    path,
    name: heading || basename(path).replace(/\.[^.]*$/, ''),
    items: tasks.map(({ item }) => item),
    problems,
    instructions: files.read(join(dirname(path), 'PROMPT.md')) ?? '',
    repeats: false,
  };
}

function mark(text: string, wanted: Mark): Result<string> {
  const found = findTask(text, wanted.id);
  if (!found.ok) return found;
  const { task, tasks, problems, heading } = found.value;
  const edits = markEdits({ task, tasks, mark: wanted });
  const marked = applyEdits(text, edits);
  const [edit] = edits;
  // A tick in its box moves nothing and changes no other task.
  if (wanted.to === 'done' && edits.length === 1 && edit && marked.length === text.length && problems.length === 0) {
    const ticked = tickedTask(task, edit.text);
    last = { text: marked, reading: { tasks: tasks.map(each => (each === task ? ticked : each)), problems, heading } };
  }
  return ok(marked);
}

function review(text: string, wanted: ReviewMark): Result<string> {
  const found = findTask(text, wanted.id);
  return found.ok ? ok(applyEdits(text, reviewEdits(found.value.task, wanted))) : found;
}

function findTask(text: string, id: string): Result<Reading & { readonly task: Task }> {
  const reading = read(text);
  const broken = reading.problems.find(({ level }) => level === 'error');
  if (broken) return fail(unreadablePlan(broken));
  const task = reading.tasks.find(({ item }) => item.id === id);
  if (task) return ok({ ...reading, task });
  return fail(
    unknownItem(
      id,
      reading.tasks.map(({ item }) => item.id),
    ),
  );
}

function append(text: string, item: NewItem): Result<string> {
  const { tasks, problems } = read(text);
  const broken = problems.find(({ level }) => level === 'error');
  if (broken) return fail(unreadablePlan(broken));
  if (tasks.some(task => task.item.id === item.id)) {
    return fail<Failure>({ reason: 'duplicate-item', message: `the plan already has an item "${item.id}"` });
  }
  const edits = appendEdits({ text, tasks, item });
  return edits.ok ? ok(applyEdits(text, edits.value)) : edits;
}

type Reading = Tasks & { readonly heading: string };

/** A text is found, parsed and marked in a row; in a long plan reading it again is most of the work. */
let last: { readonly text: string; readonly reading: Reading } | undefined;

function read(text: string): Reading {
  if (last?.text !== text) last = { text, reading: readAnew(text) };
  return last.reading;
}

function readAnew(text: string): Reading {
  const scan = scanMarkdown(text);
  const { tasks, problems } = readTasks(scan);
  const all: Problem[] = [...scan.problems, ...problems];
  if (tasks.length === 0) {
    const message = text.trim() === '' ? 'the plan is empty' : 'the plan holds no task boxes such as "- [ ] do this"';
    all.unshift({ level: 'error', line: 1, column: 1, message });
  }
  return { tasks, problems: all.toSorted((a, b) => a.line - b.line || a.column - b.column), heading: scan.heading };
}
