/** Reads the tasks of one tag with their offsets; a task without subtasks, and each subtask, is a unit of work. */
import type { Problem } from '../../protocol.ts';
import { isRecord, type JsonRecord } from '../../util/json.ts';
import { fail, ok, type Result } from '../../util/result.ts';
import { type Place, placeAt } from '../../util/text.ts';
import { conflictMessage, findConflict } from '../conflict.ts';
import { type JsonNode, type JsonObject, parseJson } from '../json.ts';
import { type TakenIds, uniqueId } from '../unique-id.ts';

/** A task or subtask as written in the file. */
export interface RawTask {
  readonly id: string;
  readonly value: JsonRecord;
  readonly node: JsonObject;
  readonly status: string;
}

export interface Unit extends RawTask {
  readonly parent?: RawTask;
}

export interface TagReading {
  readonly name: string;
  readonly about: string;
  readonly values: readonly unknown[];
  readonly tasks: Extract<JsonNode, { type: 'array' }>;
  readonly others: readonly { readonly name: string; readonly open: number; readonly start: number }[];
}

type Wrong = Omit<Problem, 'level'>;

/** The tasks under the wanted tag. Never throws. */
export function readTag(text: string, wanted: string | undefined): Result<TagReading, Wrong> {
  const conflict = findConflict(text);
  if (conflict !== undefined) return fail({ ...placeAt(text, conflict), message: conflictMessage });
  const parsed = parseJson(text);
  if (!parsed.ok) return fail({ ...placeAt(text, parsed.offset), message: parsed.message });
  const root: unknown = JSON.parse(text);
  const start = { line: 1, column: 1 };
  if (parsed.root.type !== 'object' || !isRecord(root)) return fail({ ...start, message: 'this is not a tasks.json' });
  // Older versions had no tags: the tasks are at the top level.
  const flat = parsed.root.properties.findLast(({ key }) => key === 'tasks')?.value;
  if (flat?.type === 'array') {
    return ok({ name: 'master', about: aboutOf(root), values: listOf(root['tasks']), tasks: flat, others: [] });
  }
  const tags = parsed.root.properties.filter(({ value }) => value.type === 'object');
  const names = tags.map(({ key }) => key);
  const only = names.length === 1 ? names[0] : undefined;
  const name = wanted ?? (names.includes('master') ? 'master' : only) ?? 'master';
  const tag = tags.findLast(({ key }) => key === name);
  if (!tag) {
    const known = names.length === 0 ? 'none' : names.join(', ');
    const next = names[0] === undefined ? 'task-master init' : `task-master use-tag ${names[0]}`;
    return fail({ ...start, message: `the current tag is "${name}", and the file has: ${known}. Choose one: ${next}` });
  }
  const value = root[name];
  const tasks = (tag.value as JsonObject).properties.findLast(({ key }) => key === 'tasks')?.value;
  if (tasks?.type !== 'array' || !isRecord(value)) {
    const message = `the tag "${name}" has no list of "tasks"; it may be half written. See: task-master list --tag=${name}`;
    return fail({ ...placeAt(text, tag.start), message });
  }
  const others = tags
    .filter(({ key }) => key !== name)
    .map(({ key, start: at }) => ({ name: key, open: openIn(root[key]), start: at }));
  return ok({ name, about: aboutOf(value), values: listOf(value['tasks']), tasks, others });
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

const aboutOf = (tag: JsonRecord): string => {
  const meta = tag['metadata'];
  const words = isRecord(meta) ? meta['description'] : undefined;
  // The tool's default description carries no information.
  return typeof words === 'string' && !/^(?:Tasks for \w+ context|Default tasks context)$/i.test(words) ? words : '';
};

const openIn = (tag: unknown): number =>
  listOf(isRecord(tag) ? tag['tasks'] : undefined).filter(
    task => isRecord(task) && ['pending', 'in-progress'].includes(statusOf(task)),
  ).length;

const statusOf = (value: JsonRecord): string =>
  typeof value['status'] === 'string' && value['status'] !== '' ? value['status'].toLowerCase() : 'pending';

/** Only these two statuses satisfy a dependency. */
export const isClosed = (status: string): boolean => status === 'done' || status === 'completed';

interface Units {
  readonly units: readonly Unit[];
  readonly problems: readonly Problem[];
}

export function unitsOf({ tasks, values }: TagReading, at: (offset: number) => Place): Units {
  const problems: Problem[] = [];
  const taken: TakenIds = new Map();
  const name = (wanted: string, node: JsonNode): string => {
    const id = uniqueId(taken, wanted, '#');
    if (id !== wanted) {
      const message = `the id "${wanted}" is used more than once; this one is "${id}"`;
      problems.push({ level: 'warning', ...at(node.start), message });
    }
    return id;
  };
  const raw = (node: JsonNode, value: unknown, id: (own: string) => string): RawTask | undefined => {
    const own = isRecord(value) && /^(?:string|number)$/.test(typeof value['id']) ? String(value['id']) : '';
    if (node.type !== 'object' || !isRecord(value) || own === '') {
      const message = 'this is no task: it has no id, and task-master cannot name it';
      problems.push({ level: 'error', ...at(node.start), message });
      return undefined;
    }
    return { id: name(id(own), node), value, node, status: statusOf(value) };
  };
  const units = tasks.elements.flatMap((node, index): readonly Unit[] => {
    const task = raw(node, values[index], own => own);
    if (!task) return [];
    const list = task.node.properties.findLast(({ key }) => key === 'subtasks')?.value;
    const inner = listOf(task.value['subtasks']);
    if (list?.type !== 'array' || inner.length === 0) return [task];
    return list.elements.flatMap((part, n) => {
      const unit = raw(part, inner[n], own => (own.startsWith(`${task.id}.`) ? own : `${task.id}.${own}`));
      return unit ? [{ ...unit, parent: task }] : [];
    });
  });
  return { units, problems };
}
