/** task-master: .taskmaster/tasks/tasks.json, tasks with subtasks, under the current tag. */

import { basename, dirname, join } from 'node:path';
import type { Item, Mark, NewItem, Plan, PlanFiles, PlanFormat, PlanPlace, Problem } from '../../protocol.ts';
import { jsonFields } from '../../util/json.ts';
import { type Failure, fail, ok, type Result } from '../../util/result.ts';
import { type Place, places } from '../../util/text.ts';
import { checkDependencies } from '../dependencies.ts';
import { textDocument } from '../document.ts';
import { applyEdits, type Edit, insertProperties, replaceNode } from '../edit.ts';
import type { JsonObject } from '../json.ts';
import { firstError, inOrder, wholePlan } from '../lazy-plan.ts';
import { namedItem } from '../named-item.ts';
import { type Document, present, rootOf } from './beside.ts';
import { itemsOf } from './task-master-items.ts';
import { isClosed, readTag, type TagReading, type Unit, unitsOf } from './task-master-read.ts';

/** The format of task-master. */
export const taskMaster: PlanFormat = {
  name: 'task-master',
  find,
  parse: (text, path, files) =>
    textDocument(text, words => {
      const reading = read(words, { path, files });
      return { plan: planOf(reading, { path, files }), mark: mark => marked(words, reading, mark), append };
    }),
};

const HOME = join('.taskmaster', 'tasks', 'tasks.json');

function find(path: string, files: PlanFiles): string | undefined {
  if (files.isFolder(path)) {
    const inside = [path, dirname(path), dirname(dirname(path))].map(folder => join(folder, HOME));
    return basename(path) === '.taskmaster' || (basename(path) === 'tasks' && basename(dirname(path)) === '.taskmaster')
      ? inside.find(file => files.read(file) !== undefined)
      : undefined;
  }
  if (path.endsWith(HOME)) return path;
  // Older versions kept the file in tasks/, where other tools may also have a tasks.json.
  if (basename(path) !== 'tasks.json' || basename(dirname(path)) !== 'tasks') return undefined;
  return /"(?:testStrategy|subtasks)"\s*:/.test(files.read(path) ?? '') ? path : undefined;
}

interface Read {
  readonly units: readonly Unit[];
  readonly items: readonly Item[];
  readonly problems: readonly Problem[];
  readonly tag: string;
  readonly about: string;
}

function read(text: string, place: PlanPlace): Read {
  const at = places(text);
  const tag = readTag(text, currentTag(place));
  if (!tag.ok) return { units: [], items: [], tag: '', about: '', problems: [{ ...tag.error, level: 'error' }] };
  const { units, problems } = unitsOf(tag.value, at);
  const found = itemsOf(units, at);
  const all = [...problems, ...found.problems, ...checkDependencies(found.items), ...otherTags(tag.value, at)];
  if (tag.value.tasks.elements.length === 0) {
    const message = `the tag "${tag.value.name}" has no tasks; make some: task-master parse-prd PRD.txt`;
    all.push({ level: 'error', ...at(tag.value.tasks.start), message });
  }
  return { units, items: found.items, tag: tag.value.name, about: tag.value.about, problems: inOrder(all) };
}

function planOf({ items, problems, tag, about }: Read, { path, files }: PlanPlace): Plan {
  const named = tag === '' || tag === 'master' ? 'taskmaster' : `taskmaster-${tag}`;
  const plan = { format: 'task-master', path, name: named, items, problems, instructions: '', repeats: false, about };
  return { ...wholePlan(plan), documents: documents(path, files) };
}

/** The tag that task-master itself works on. */
function currentTag({ path, files }: PlanPlace): string | undefined {
  const { currentTag: tag } = jsonFields(files.read(join(dirname(path), '..', 'state.json')));
  return typeof tag === 'string' && tag !== '' ? tag : undefined;
}

function otherTags({ others, name }: TagReading, at: (offset: number) => Place): readonly Problem[] {
  return others
    .filter(({ open }) => open > 0)
    .map(({ name: other, open, start }) => ({
      level: 'warning',
      ...at(start),
      message: `this is the tag "${name}"; "${other}" has ${open} open ${open === 1 ? 'task' : 'tasks'} more: task-master use-tag ${other}`,
    }));
}

function marked(text: string, { units, items, problems }: Read, { id, to }: Mark): Result<string> {
  const found = namedItem(units, id, firstError(problems));
  if (!found.ok) return found;
  const unit = found.value;
  const now = items.find(item => item.id === id)?.status;
  const edits: Edit[] = now === to && to !== 'done' ? [] : [...statusEdit(text, unit.node, WORDS[to])];
  const { parent } = unit;
  if (parent) {
    const rest = units.filter(each => each.parent === parent && each !== unit);
    const isLast = rest.every(each => isClosed(each.status) || each.status === 'cancelled');
    if (to === 'done' && isLast && !isClosed(parent.status)) edits.push(...statusEdit(text, parent.node, 'done'));
    // task-master never offers a part of a task that is done.
    if (to === 'pending' && isClosed(parent.status)) edits.push(...statusEdit(text, parent.node, 'pending'));
  }
  return ok(applyEdits(text, edits));
}

const WORDS: Readonly<Record<Mark['to'], string>> = {
  done: 'done',
  pending: 'pending',
  blocked: 'blocked',
  skipped: 'cancelled',
};

function statusEdit(text: string, node: JsonObject, word: string): readonly Edit[] {
  const own = node.properties.findLast(({ key }) => key === 'status');
  const value = JSON.stringify(word);
  if (!own) return insertProperties(text, node, [['status', value]]);
  return text.slice(own.value.start, own.value.end) === value ? [] : [replaceNode(own.value, value)];
}

function append({ title }: NewItem): Result<string> {
  return fail<Failure>({
    reason: 'cannot-append',
    message: 'task-master numbers its tasks itself, so Ralph adds none',
    hint: `Add it there: task-master add-task --prompt=${JSON.stringify(title)}`,
  });
}

function documents(path: string, files: PlanFiles): readonly Document[] {
  const top = join(dirname(path), '..');
  const docs = join(top, 'docs');
  const names = files.list(docs).filter(name => /\.(?:txt|md)$/i.test(name));
  return present(
    { root: rootOf(path, files, join(top, '..')), files },
    names.toSorted().map(name => [join(docs, name), 'requirements'] as const),
  );
}
