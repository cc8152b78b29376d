/** Checklists: `- [ ]` and `- [x]` in Markdown. */
import { basename } from 'node:path';
import type { NewItem, Plan, PlanDocument, PlanFiles, PlanFormat, PlanPlace, Problem } from '../protocol.ts';
import { once } from '../util/once.ts';
import { fail, ok, type Result } from '../util/result.ts';
import { appendEdits, markEdits, reviewEdits } from './checklist-edit.ts';
import { allowError, type Named, nameTasks, readTask, readTasks, type Task, type Tasks } from './checklist-items.ts';
import { type TextReading, textDocument } from './document.ts';
import { specsBeside } from './ecosystems/beside.ts';
import { applyEdits } from './edit.ts';
import { readFrontMatter } from './front-matter.ts';
import { firstError, inOrder, lazyPlan } from './lazy-plan.ts';
import { type Box, scanMarkdown } from './markdown.ts';
import { type BoxLines, type Prose, proseIn } from './markdown-prose.ts';
import { namedItem, refuseNew } from './named-item.ts';
import { isPromptName } from './prompt.ts';
import { promptBeside } from './prompt-beside.ts';

/** The format of PROGRESS.md, fix_plan.md and the like. */
export const checklist: PlanFormat = { name: 'checklist', find, parse };

/** File names that always mean a checklist: without a box, such a file is a broken checklist, not a prompt. */
const NAMES =
  /^(?:progress|todo|@?fix_plan|implementation[_-]plan|plan|tasks|backlog|ralph_task[^/]*)\.(?:md|markdown)$/i;

function find(path: string, files: PlanFiles): string | undefined {
  const name = basename(path);
  if (!/\.(?:md|markdown)$/i.test(name) || isPromptName(name) || files.isFolder(path)) return undefined;
  if (NAMES.test(name)) return path;
  const text = files.read(path);
  return text !== undefined && nameTasks(scanMarkdown(text).boxes).length > 0 ? path : undefined;
}

function parse(text: string, path: string, files: PlanFiles): PlanDocument {
  return textDocument(text, words => readingOf({ text: words, reading: read(words) }, { path, files }));
}

interface Source {
  readonly text: string;
  readonly reading: Reading;
}

function readingOf(source: Source, place: PlanPlace): TextReading {
  const { text, reading } = source;
  return {
    plan: planOf(source, place),
    mark: mark => {
      const task = findTask(reading, mark.id);
      const edits = task.ok ? ok(markEdits({ task: task.value, tick: tickIn(reading), mark })) : task;
      return edits.ok ? ok(applyEdits(text, edits.value)) : edits;
    },
    append: item => append(source, item),
    review: mark => {
      const task = findTask(reading, mark.id);
      return task.ok ? ok(applyEdits(text, reviewEdits(task.value, mark))) : task;
    },
  };
}

function planOf({ text, reading }: Source, { path, files }: PlanPlace): Plan {
  const instructions = promptBeside(path, files);
  const { about, testCommand } = readFrontMatter(text);
  const found = once(() => findIn(reading));
  return lazyPlan(
    {
      format: 'checklist',
      path,
      error: reading.error,
      repeats: false,
      ...(testCommand === '' ? {} : { testCommand }),
    },
    {
      name: () => reading.heading || basename(path).replace(/\.[^.]*$/, ''),
      ids: () => reading.named.map(({ id }) => id),
      items: () => found().tasks.map(({ item }) => item),
      problems: () => found().problems,
      instructions: () => instructions,
      about: () => [about, reading.prose().about].filter(Boolean).join('\n\n'),
      documents: () => specsBeside(path, files),
    },
  );
}

/** The tick character that the file already uses; `x` if no box is ticked yet. */
const tickIn = ({ named }: Reading): string =>
  named.find(({ box: { mark } }) => mark === 'x' || mark === 'X')?.box.mark ?? 'x';

function findTask({ named, heading, error, prose }: Reading, id: string): Result<Task> {
  const found = namedItem(named, id, error);
  return found.ok ? ok(readTask(found.value, heading, prose).task) : found;
}

function append({ text, reading: { named, error } }: Source, item: NewItem): Result<string> {
  const refused = refuseNew(named, item, error);
  if (refused) return fail(refused);
  const edits = appendEdits({ text, tasks: named, item });
  return edits.ok ? ok(applyEdits(text, edits.value)) : edits;
}

interface Reading {
  readonly heading: string;
  readonly named: readonly Named[];
  /** Problems of the file as a whole. */
  readonly problems: readonly Problem[];
  readonly error: Problem | undefined;
  /** The text around the tasks. */
  readonly prose: () => Prose;
}

function findIn({ named, heading, problems, prose }: Reading): Tasks {
  const read = readTasks(named, heading, prose);
  return { tasks: read.tasks, problems: inOrder([...problems, ...read.problems]) };
}

function read(text: string): Reading {
  const scan = scanMarkdown(text);
  const named = nameTasks(scan.boxes);
  const empty = text.trim() === '' ? 'the plan is empty' : 'the plan holds no task boxes such as "- [ ] do this"';
  const missing: readonly Problem[] = named.length > 0 ? [] : [{ level: 'error', line: 1, column: 1, message: empty }];
  const problems = [...missing, ...scan.problems, ...legendNote(scan.boxes, named)];
  const error = firstError([...problems, ...named.flatMap(each => allowError(each) ?? [])]);
  const prose = once(() => proseIn(text, linesOf(text, named)));
  return { heading: scan.heading, named, problems, error, prose };
}

/** The range of lines of each task. */
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

/** A legend is not a task. The note names its lines in case one of them was meant as a task. */
function legendNote(boxes: readonly Box[], named: readonly Named[]): readonly Problem[] {
  if (boxes.length === named.length) return [];
  const tasks = new Set(named.map(({ box }) => box));
  const lines = boxes.filter(box => !tasks.has(box)).map(({ line }) => line);
  const message = `${lines.length === 1 ? '1 box is' : `${lines.length} boxes are`} read as a legend and not as a task (${lines.length === 1 ? 'line' : 'lines'} ${lines.slice(0, 5).join(', ')})`;
  return [{ level: 'warning', line: lines[0] ?? 1, column: 1, message }];
}
