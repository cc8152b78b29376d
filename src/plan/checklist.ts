/** Checklists: `- [ ]` and `- [x]` in Markdown. */
import { basename } from 'node:path';
import type { Mark, NewItem, Plan, PlanFiles, PlanFormat, Problem, ReviewMark } from '../protocol.ts';
import { once } from '../util/once.ts';
import { type Failure, fail, ok, type Result } from '../util/result.ts';
import { appendEdits, markEdits, reviewEdits } from './checklist-edit.ts';
import { type Glance, glanceAtTasks } from './checklist-glance.ts';
import {
  allowError,
  type Named,
  nameTasks,
  readTask,
  readTasks,
  type Task,
  type Tasks,
  tickedTask,
} from './checklist-items.ts';
import { specsBeside } from './ecosystems/beside.ts';
import { applyEdits, moved } from './edit.ts';
import { readFrontMatter } from './front-matter.ts';
import { glancing } from './glance.ts';
import { firstError, inOrder, lazyPlan } from './lazy-plan.ts';
import { type Box, scanMarkdown } from './markdown.ts';
import { type BoxLines, type Prose, proseIn } from './markdown-prose.ts';
import { isPromptName } from './prompt.ts';
import { promptBeside } from './prompt-beside.ts';
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
  return text !== undefined && (glanceAt(text) || read(text).named.length > 0) ? path : undefined;
}

function parse(text: string, path: string, files: PlanFiles): Plan {
  const glance = glanceAt(text);
  const reading = once(() => read(text));
  const instructions = promptBeside(path, files);
  const { about, testCommand } = readFrontMatter(text);
  return lazyPlan(
    {
      format: 'checklist',
      path,
      error: glance ? undefined : reading().error,
      repeats: false,
      ...(testCommand === '' ? {} : { testCommand }),
    },
    {
      name: () => reading().heading || basename(path).replace(/\.[^.]*$/, ''),
      ids: () => glance?.ids ?? reading().named.map(({ id }) => id),
      items: () => foundIn(reading()).tasks.map(({ item }) => item),
      problems: () => foundIn(reading()).problems,
      instructions: () => instructions,
      about: () => [about, reading().prose().about].filter(Boolean).join('\n\n'),
      documents: () => specsBeside(path, files),
    },
  );
}

/** Nothing where the text was read as a whole already. */
const glanceAt = (text: string): Glance | undefined => (last?.text === text ? undefined : glanceOnce(text));
const glanceOnce = glancing(glanceAtTasks);

function mark(text: string, wanted: Mark): Result<string> {
  const found = findTask(text, wanted.id);
  if (!found.ok) return found;
  const { task, tick, offset, whole } = found.value;
  const edits = moved(markEdits({ task, tick, mark: wanted }), offset);
  const marked = applyEdits(text, edits);
  const [edit] = edits;
  // A tick in its box moves nothing and changes no other task.
  if (whole && wanted.to === 'done' && edits.length === 1 && edit && marked.length === text.length) {
    const after = readTicked(whole.reading, whole.index, edit.text);
    if (after) last = { text: marked, reading: after };
  }
  return ok(marked);
}

function review(text: string, wanted: ReviewMark): Result<string> {
  const found = findTask(text, wanted.id);
  if (!found.ok) return found;
  const { task, offset } = found.value;
  return ok(applyEdits(text, moved(reviewEdits(task, wanted), offset)));
}

interface TaskPlace {
  readonly task: Task;
  /** The places of the task are counted from here. */
  readonly offset: number;
  readonly tick: () => string;
  /** Where the whole plan was read. */
  readonly whole?: { readonly reading: Reading; readonly index: number };
}

function findTask(text: string, id: string): Result<TaskPlace> {
  const glance = glanceAt(text);
  const line = glance?.lineOf(id);
  // Its line says all about a task but its words.
  const [named] = line ? nameTasks(scanMarkdown(line.text).boxes) : [];
  if (!glance || !line || !named) return findAmongAll(text, id);
  return ok({ task: readTask(named, '').task, offset: line.start, tick: () => glance.tick() ?? TICK });
}

/** Where no box is ticked yet. */
const TICK = 'x';

function findAmongAll(text: string, id: string): Result<TaskPlace> {
  const reading = read(text);
  const { named, heading, error } = reading;
  if (error) return fail(unreadablePlan(error));
  const index = named.findIndex(each => each.id === id);
  const found = named[index];
  if (found) {
    const task = reading.found?.tasks[index] ?? readTask(found, heading, reading.prose).task;
    const tick = () => named.find(({ box: { mark: own } }) => own === 'x' || own === 'X')?.box.mark ?? TICK;
    return ok({ task, offset: 0, tick, whole: { reading, index } });
  }
  const known = named.map(each => each.id);
  return fail(unknownItem(id, known));
}

/** What is read after a box was ticked; only where the items were read before, and nothing is wrong with them. */
function readTicked(was: Reading, index: number, tick: string): Reading | undefined {
  const { found } = was;
  const task = found?.tasks[index];
  if (!found || !task || found.problems.length > 0) return undefined;
  const ticked = tickedTask(task, tick);
  const { id, own } = was.named[index] ?? { id: '', own: undefined };
  return {
    ...was,
    named: was.named.with(index, { box: ticked.box, id, own }),
    found: { tasks: found.tasks.with(index, ticked), problems: [] },
  };
}

function append(text: string, item: NewItem): Result<string> {
  const { named, error } = read(text);
  if (error) return fail(unreadablePlan(error));
  if (named.some(({ id }) => id === item.id)) {
    return fail<Failure>({ reason: 'duplicate-item', message: `the plan already has an item "${item.id}"` });
  }
  const edits = appendEdits({ text, tasks: named, item });
  return edits.ok ? ok(applyEdits(text, edits.value)) : edits;
}

interface Reading {
  readonly heading: string;
  readonly named: readonly Named[];
  /** Of the file as a whole. */
  readonly problems: readonly Problem[];
  readonly error: Problem | undefined;
  /** What is written around the tasks; a tick moves none of it. */
  readonly prose: () => Prose;
  /** Once somebody has asked for it. */
  found?: Tasks;
}

const foundIn = (reading: Reading): Tasks => (reading.found ??= findIn(reading));

function findIn({ named, heading, problems, prose }: Reading): Tasks {
  const read = readTasks(named, heading, prose);
  return { tasks: read.tasks, problems: inOrder([...problems, ...read.problems]) };
}

/** A text is found, parsed and marked in a row; in a long plan reading it again is most of the work. */
let last: { readonly text: string; readonly reading: Reading } | undefined;

function read(text: string): Reading {
  if (last?.text !== text) last = { text, reading: readAnew(text) };
  return last.reading;
}

function readAnew(text: string): Reading {
  const scan = scanMarkdown(text);
  const named = nameTasks(scan.boxes);
  const empty = text.trim() === '' ? 'the plan is empty' : 'the plan holds no task boxes such as "- [ ] do this"';
  const missing: readonly Problem[] = named.length > 0 ? [] : [{ level: 'error', line: 1, column: 1, message: empty }];
  const problems = [...missing, ...scan.problems, ...legendNote(scan.boxes, named)];
  const error = firstError([...problems, ...named.flatMap(each => allowError(each) ?? [])]);
  const prose = once(() => proseIn(text, linesOf(text, named)));
  return { heading: scan.heading, named, problems, error, prose };
}

/** The lines that each task takes up. */
function linesOf(text: string, named: readonly Named[]): readonly BoxLines[] {
  return named.map(({ box: { line, textStart, end } }) => ({
    first: line,
    last: line + breaksIn(text, textStart, end),
  }));
}

function breaksIn(text: string, from: number, to: number): number {
  let count = 0;
  for (let at = text.indexOf('\n', from); at >= 0 && at < to; at = text.indexOf('\n', at + 1)) count++;
  return count;
}

/** What explains boxes is no task; that it was seen is told, in case it was one. */
function legendNote(boxes: readonly Box[], named: readonly Named[]): readonly Problem[] {
  if (boxes.length === named.length) return [];
  const tasks = new Set(named.map(({ box }) => box));
  const lines = boxes.filter(box => !tasks.has(box)).map(({ line }) => line);
  const message = `${lines.length === 1 ? '1 box is' : `${lines.length} boxes are`} read as a legend and not as a task (${lines.length === 1 ? 'line' : 'lines'} ${lines.slice(0, 5).join(', ')})`;
  return [{ level: 'warning', line: lines[0] ?? 1, column: 1, message }];
}
