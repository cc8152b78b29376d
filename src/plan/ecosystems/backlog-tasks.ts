/** Reads the files of a Backlog.md folder as items: which are done, ready and next by the rules of that tool. */
import { basename, dirname, join, relative } from 'node:path';
import type { Item, ItemStatus, PlanFiles, Problem } from '../../protocol.ts';
import { conflictMessage, findConflict } from '../conflict.ts';
import { type TakenIds, uniqueId } from '../unique-id.ts';
import { isPoint } from './backlog-edit.ts';
import { rootOf } from './beside.ts';
import { type Field, frontMatter } from './front-matter.ts';
import { linesOf } from './lines.ts';

export interface BacklogTask {
  readonly id: string;
  /** The id by which other tasks refer to it. */
  readonly own: string;
  readonly path: string;
  readonly text: string;
  readonly fields: ReadonlyMap<string, Field>;
  readonly completed: boolean;
}

export interface Backlog {
  readonly tasks: readonly BacklogTask[];
  readonly items: readonly Item[];
  readonly problems: readonly Problem[];
  readonly statuses: readonly string[];
}

interface Input {
  readonly config: ReadonlyMap<string, Field>;
  readonly folder: string;
  /** The file that represents the plan. */
  readonly plan: string;
  readonly files: PlanFiles;
}

const STATUSES = ['To Do', 'In Progress', 'Done'];

/** Ids are compared without case and leading zeros. */
const same = (id: string): string => id.toLowerCase().replace(/\d+/g, number => String(Number(number)));

export function readBacklog({ config, folder, plan, files }: Input): Backlog {
  const problems: Problem[] = [];
  const listed = config.get('statuses')?.list ?? [];
  const statuses = listed.length > 0 ? listed : STATUSES;
  const prefix = config.get('task_prefix')?.value || 'task';
  const tasks = tasksIn({ folder, files, prefix }, problems);
  const counts = new Map<string, number>();
  for (const { own } of tasks) counts.set(same(own), (counts.get(same(own)) ?? 0) + 1);
  const byName = new Map(tasks.map(task => [same(task.own), task]));
  const isDone = (task: BacklogTask) => task.completed || same(statusOf(task)) === same(statuses.at(-1) ?? '');
  const say = (task: BacklogTask, message: string) =>
    problems.push({ level: 'warning', line: 1, column: 1, message: `${basename(task.path)}: ${message}` });

  const root = rootOf(plan, files, dirname(folder));
  const isThere = (reference: string) =>
    isAddress(reference) || [root, folder].some(from => isIn(join(from, reference), files));

  // Tasks that somebody has begun are in a later column of the board; those that nobody has begun come first.
  const column = (task: BacklogTask) => statuses.findIndex(each => same(each) === same(statusOf(task)));
  const order = tasks.toSorted((a, b) => Math.max(0, column(a)) - Math.max(0, column(b)) || compare(a, b));
  const rank = new Map(order.map((task, index) => [task, index]));
  const items = tasks.map((task): Item => {
    const needs = (task.fields.get('dependencies')?.list ?? []).map(same);
    const lost = needs.filter(id => counts.get(id) !== 1);
    const own = isDone(task) ? { status: 'done' as const } : stateOf(task, { statuses, lost });
    if ('note' in own) say(task, own.note);
    const missing = own.status === 'done' ? [] : referencesOf(task).filter(each => !isThere(each));
    if (missing.length > 0) say(task, `it refers to ${missing.join(', ')}, which does not exist`);
    return itemOf(task, {
      plan,
      ...own,
      rank: rank.get(task) ?? 0,
      dependsOn: needs.flatMap(id => (counts.get(id) === 1 ? (byName.get(id)?.id ?? []) : [])),
    });
  });
  if (tasks.length === 0) {
    const message = 'there is no task in this backlog; make one: backlog task create "what to do"';
    problems.push({ level: 'error', line: 1, column: 1, message });
  }
  return { tasks, items, problems, statuses };
}

function tasksIn(
  { folder, files, prefix }: { readonly folder: string; readonly files: PlanFiles; readonly prefix: string },
  problems: Problem[],
): readonly BacklogTask[] {
  const taken: TakenIds = new Map();
  const named = new RegExp(`^(${prefix.replace(/[^\w-]/g, '')}-\\d+(?:\\.\\d+)*)\\b.*\\.md$`, 'i');
  const problem = (level: Problem['level'], message: string) => problems.push({ level, line: 1, column: 1, message });
  return ['tasks', 'completed'].flatMap(home =>
    files
      .list(join(folder, home))
      .toSorted()
      .flatMap((name): readonly BacklogTask[] => {
        const path = join(folder, home, name);
        const inName = named.exec(name)?.[1];
        if (inName === undefined) {
          if (home === 'tasks' && /\.md$/i.test(name) && !/^readme/i.test(name))
            problem('warning', `tasks/${name} is not read as a task: its name does not begin with ${prefix}-1`);
          return [];
        }
        const text = files.read(path);
        if (text === undefined) {
          problem('error', `${home}/${name} cannot be read as text`);
          return [];
        }
        if (findConflict(text) !== undefined) problem('error', `${home}/${name}: ${conflictMessage}`);
        if (/^---[ \t]*\r?\n/.test(text) && frontMatter(text).end === 0)
          problem('error', `${home}/${name}: its settings are not closed; add a line of --- after them`);
        const { fields } = frontMatter(text);
        const needs = fields.get('dependencies');
        if (needs && /^\[[^\]]*$/.test(text.slice(needs.start, needs.stop)))
          problem(
            'error',
            `${home}/${name}, line ${needs.line}: its list of dependencies is not closed; put a "]" after it`,
          );
        if (fields.size === 0 && home === 'tasks') {
          problem(
            'warning',
            `${home}/${name} is not read as a task: it has no settings between two lines of --- at its top`,
          );
          return [];
        }
        const own = fields.get('id')?.value || inName;
        const id = uniqueId(taken, own, '#');
        if (id !== own)
          problem('warning', `${home}/${name}: the id "${own}" is used more than once; this one is "${id}"`);
        return [{ id, own, path, text, fields, completed: home === 'completed' }];
      }),
  );
}

const referencesOf = ({ fields }: BacklogTask): readonly string[] =>
  ['references', 'documentation'].flatMap(name => fields.get(name)?.list ?? []);
const isAddress = (reference: string): boolean => /^\w+:/.test(reference) || !/[./]/.test(reference);
const isIn = (path: string, files: PlanFiles): boolean =>
  files.isFolder(path) || files.list(dirname(path)).includes(basename(path));

const statusOf = ({ fields }: BacklogTask): string => fields.get('status')?.value ?? '';

interface State {
  readonly status: ItemStatus;
  readonly note?: string;
}

function stateOf(
  task: BacklogTask,
  { statuses, lost }: { readonly statuses: readonly string[]; readonly lost: readonly string[] },
): State {
  const word = statusOf(task);
  const at = statuses.findIndex(each => same(each) === same(word));
  if (word !== '' && at < 0) {
    return {
      status: 'blocked',
      note: `its status "${word}" is not one of ${statuses.join(', ')}, so it is left alone`,
    };
  }
  if (lost.length > 0)
    return { status: 'blocked', note: `it waits for ${lost.join(', ')}, which is not one task of this backlog` };
  return { status: at > 0 ? 'in-progress' : 'pending' };
}

const PRIORITY: Readonly<Record<string, number>> = { high: 1, medium: 2, low: 3 };
const priorityOf = ({ fields }: BacklogTask): number | undefined =>
  PRIORITY[fields.get('priority')?.value.toLowerCase() ?? ''];

/** In the order of its board: by ordinal, then priority, then id. */
function compare(a: BacklogTask, b: BacklogTask): number {
  const ordinal = (task: BacklogTask) => {
    const value = Number(task.fields.get('ordinal')?.value || Number.NaN);
    return Number.isNaN(value) ? Number.POSITIVE_INFINITY : value;
  };
  const [first, second] = [ordinal(a), ordinal(b)];
  if (first !== second) return first - second;
  const none = 9;
  return (priorityOf(a) ?? none) - (priorityOf(b) ?? none) || compareIds(a.own, b.own);
}

function compareIds(a: string, b: string): number {
  const numbers = (id: string) => (id.match(/\d+/g) ?? []).map(Number);
  const [first, second] = [numbers(a), numbers(b)];
  for (let n = 0; n < Math.max(first.length, second.length); n++) {
    const difference = (first[n] ?? -1) - (second[n] ?? -1);
    if (difference !== 0) return difference;
  }
  return 0;
}

interface Found extends State {
  readonly plan: string;
  readonly rank: number;
  readonly dependsOn: readonly string[];
}

/** Removes headings with nothing under them: their boxes became criteria. */
function withoutEmptySections(text: string): string {
  const kept = text.replace(/^(#{1,6})[ \t].*\n\s*(?=(#{1,6})[ \t])/gm, (section, own: string, next: string) =>
    next.length > own.length ? section : '',
  );
  return kept.replace(/^#{1,6}[ \t].*\s*$(?![\s\S])/m, '').trim();
}

function itemOf(task: BacklogTask, { plan, status, note, rank, dependsOn }: Found): Item {
  const { id, path, text, fields } = task;
  const { end, lines: above } = frontMatter(text);
  const lines = linesOf(text);
  const points = lines.filter(line => isPoint(line, lines));
  const priority = priorityOf(task);
  const body = lines
    .filter(line => line.start >= end && !points.includes(line) && !/^\s*<!--.*-->\s*$/.test(line.text))
    .map(line => line.text)
    .join('\n')
    .trim();
  const parent = fields.get('parent_task_id')?.value;
  const references = referencesOf(task);
  return {
    id,
    title: fields.get('title')?.value || basename(path).replace(/^[^ ]+ - |\.md$/g, ''),
    status,
    rank,
    dependsOn,
    line: 1,
    source: { path: relative(dirname(plan), path).split('\\').join('/'), line: above + 1 },
    body: [withoutEmptySections(body), ...(references.length > 0 ? [`References: ${references.join(', ')}`] : [])]
      .filter(Boolean)
      .join('\n\n'),
    criteria: points.map(({ box }) => (box?.text ?? '').replace(/^#\d+[ \t]+/, '')),
    verify: [],
    changeOptional: false,
    ...(priority === undefined ? {} : { priority }),
    ...(parent ? { refs: [parent] } : {}),
    ...(note === undefined ? {} : { note }),
  };
}
