/** Makes a plan format from a dialect: which lines its tool reads as tasks, and what its marks mean. */

import { dirname } from 'node:path';
import type {
  Item,
  ItemStatus,
  Mark,
  NewItem,
  Plan,
  PlanFiles,
  PlanFormat,
  PlanPlace,
  Problem,
} from '../../protocol.ts';
import { once } from '../../util/once.ts';
import { fail, ok, type Result } from '../../util/result.ts';
import { appendEdits, markEdits, reviewEdits } from '../checklist-edit.ts';
import type { Task } from '../checklist-items.ts';
import { conflictMessage } from '../conflict.ts';
import { checkDependencies } from '../dependencies.ts';
import { type TextReading, textDocument } from '../document.ts';
import { applyEdits, type Edit } from '../edit.ts';
import { readFrontMatter } from '../front-matter.ts';
import { firstError, inOrder, lazyPlan } from '../lazy-plan.ts';
import { isUnknownBox } from '../markdown.ts';
import { namedItem, refuseNew } from '../named-item.ts';
import { readTaskText } from '../task-text.ts';
import type { Document } from './beside.ts';
import { type BoxLine, type Line, linesBelowSettings, linesOf } from './lines.ts';
import type { Owned } from './outline.ts';

/** A task with the boxes that change together with it. */
export interface Entry extends Task {
  /** Boxes above it, innermost first: each is ticked when the last of its required parts is done. */
  readonly parents: readonly ParentBox[];
}

export interface ParentBox {
  readonly box: BoxLine;
  /** Ids of the parts that have to be done. */
  readonly parts: readonly string[];
}

export interface DialectReading {
  readonly entries: readonly Entry[];
  readonly problems: readonly Problem[];
  readonly about: string;
}

/** Adds what the front matter of the file says. */
interface Reading extends DialectReading {
  readonly testCommand: string;
}

export interface Dialect {
  readonly name: string;
  /** Whether a file is a plan of this dialect. */
  readonly isOne: (path: string, files: PlanFiles) => boolean;
  /** Names of files in a folder that may be a plan. */
  readonly inFolder?: readonly string[];
  /** Never throws. */
  readonly read: (lines: readonly Line[], place: Place) => DialectReading;
  /** The name of the plan: for most dialects, its folder. */
  readonly nameOf: (path: string) => string;
  /** The tick that the tool itself writes, used if the file has no tick yet. */
  readonly tick: 'x' | 'X';
  readonly documents: (path: string, files: PlanFiles) => readonly Document[];
  /** The problem of a file without tasks, and what to do about it. */
  readonly empty: string;
}

export type Place = PlanPlace;

const BULLET_AND_WORDS = /^([ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+)(\[.*)$/;

/** The plan format of a dialect. */
export function markdownFormat(dialect: Dialect): PlanFormat {
  return {
    name: dialect.name,
    find: (path, files) => findIn(dialect, path, files),
    parse: (text, path, files) => textDocument(text, words => readingOf(dialect, { text: words, path, files })),
  };
}

function readingOf(dialect: Dialect, source: Source): TextReading {
  const { text } = source;
  const reading = readWith(dialect, source);
  return {
    plan: planOf(dialect, reading, source),
    mark: mark => {
      const entry = entryOf(reading, mark.id);
      return entry.ok ? ok(applyEdits(text, editsFor(dialect, reading, { entry: entry.value, mark }))) : entry;
    },
    append: item => append(reading, text, item),
    review: mark => {
      const entry = entryOf(reading, mark.id);
      return entry.ok ? ok(applyEdits(text, reviewEdits(entry.value, mark))) : entry;
    },
  };
}

function findIn({ isOne, inFolder = [] }: Dialect, path: string, files: PlanFiles): string | undefined {
  if (!files.isFolder(path)) return isOne(path, files) ? path : undefined;
  const names = files.list(path);
  return inFolder
    .filter(name => names.includes(name))
    .map(name => `${path}/${name}`)
    .find(file => isOne(file, files));
}

interface Source extends Place {
  readonly text: string;
}

function planOf(dialect: Dialect, reading: Reading, { path, files }: Place): Plan {
  const { entries, about, testCommand } = reading;
  return lazyPlan(
    {
      format: dialect.name,
      path,
      error: firstError(reading.problems),
      repeats: false,
      ...(testCommand === '' ? {} : { testCommand }),
    },
    {
      name: () => dialect.nameOf(path) || dirname(path),
      ids: () => entries.map(({ item }) => item.id),
      items: () => entries.map(({ item }) => item),
      problems: () => inOrder(reading.problems),
      instructions: () => '',
      about: () => about,
      documents: () => dialect.documents(path, files),
    },
  );
}

function readWith(dialect: Dialect, { text, ...place }: Source): Reading {
  const lines = linesBelowSettings(text);
  const reading = dialect.read(lines, place);
  const settings = readFrontMatter(text);
  const problems: Problem[] = [...reading.problems, ...unknownBoxes(lines)];
  for (const { conflict, number } of linesOf(text)) {
    if (conflict) problems.push({ level: 'error', line: number, column: 1, message: conflictMessage });
  }
  if (reading.entries.length === 0) {
    const message = text.trim() === '' ? 'the plan is empty' : dialect.empty;
    problems.push({ level: 'error', line: 1, column: 1, message });
  }
  problems.push(...checkDependencies(reading.entries.map(({ item }) => item)));
  const about = [settings.about, reading.about].filter(Boolean).join('\n\n');
  return { ...reading, problems, about, testCommand: settings.testCommand };
}

function unknownBoxes(lines: readonly Line[]): readonly Problem[] {
  return lines.flatMap(({ text, number, hidden, box }) => {
    const [, bullet = '', words = ''] = BULLET_AND_WORDS.exec(hidden || box || !text.includes('[') ? '' : text) ?? [];
    if (!isUnknownBox(words)) return [];
    const message = `${words.slice(0, 3)} is not a known box, so this is no task`;
    return [{ level: 'warning' as const, line: number, column: bullet.length + 1, message }];
  });
}

function entryOf({ entries, problems }: DialectReading, id: string): Result<Entry> {
  const known = entries.map(entry => ({ id: entry.item.id, entry }));
  const found = namedItem(known, id, firstError(problems));
  return found.ok ? ok(found.value.entry) : found;
}

const isTicked = (mark: string): boolean => mark === 'x' || mark === 'X';

/** Edits the character in the box, and in the boxes above it that change with it. */
function editsFor(
  dialect: Dialect,
  { entries }: DialectReading,
  { entry, mark }: { readonly entry: Entry; readonly mark: Mark },
): readonly Edit[] {
  const used = entries.find(({ box }) => isTicked(box.mark))?.box.mark;
  const tick = used ?? dialect.tick;
  const edits = [...markEdits({ task: entry, tick, mark })];
  const closed = new Set(entries.filter(({ item }) => item.status === 'done').map(({ item }) => item.id));
  if (mark.to === 'done') closed.add(entry.item.id);
  else closed.delete(entry.item.id);
  for (const { box, parts } of entry.parents) {
    const all = parts.every(id => closed.has(id));
    if (mark.to === 'done' && all && !isTicked(box.mark)) edits.push(boxEdit(box, tick));
    if (mark.to === 'pending' && !all && isTicked(box.mark)) edits.push(boxEdit(box, ' '));
  }
  return edits;
}

const boxEdit = ({ at, mark }: BoxLine, text: string): Edit => ({ start: at, end: at + mark.length, text });

function append({ entries, problems }: DialectReading, text: string, item: NewItem): Result<string> {
  const known = entries.map(entry => entry.item);
  const refused = refuseNew(known, item, firstError(problems));
  if (refused) return fail(refused);
  const edits = appendEdits({ text, tasks: entries, item });
  return edits.ok ? ok(applyEdits(text, edits.value)) : edits;
}

/** What the characters of a dialect mean. A tick always means done; a marker at the end of the line overrides an open box. */
export type MarkMeanings = Readonly<Record<string, ItemStatus>>;

export interface EntryInput {
  readonly owned: Owned;
  readonly id: string;
  readonly marks: MarkMeanings;
  readonly parents?: readonly ParentBox[];
  readonly more: Partial<Item>;
}

/** The entry of a box line. */
export function entryFrom({ owned, id, marks, parents = [], more }: EntryInput): Entry {
  const { line, under } = owned;
  const box = line.box as BoxLine;
  const text = readTaskText(box.text);
  const stepped = text.markers.find(({ kind }) => kind === 'blocked' || kind === 'skipped');
  const redo = text.markers.some(({ kind }) => kind === 'needs-fix');
  const status = isTicked(box.mark)
    ? redo
      ? 'pending'
      : 'done'
    : ((stepped?.kind as ItemStatus | undefined) ?? (text.struck ? 'skipped' : (marks[box.mark] ?? 'pending')));
  const note = status === 'done' ? '' : (stepped?.why ?? (text.struck ? text.remark || 'struck out' : ''));
  const last = under.findLast(({ text: words }) => words !== '');
  const body = once(() => dedented(under));
  const item: Item = {
    id,
    title: text.title,
    status,
    dependsOn: [],
    line: line.number,
    get body() {
      return body();
    },
    criteria: [],
    verify: [],
    changeOptional: false,
    ...(note === '' ? {} : { note }),
  };
  Object.defineProperties(item, Object.getOwnPropertyDescriptors(more));
  return {
    item,
    text,
    parents,
    box: {
      mark: box.mark as Task['box']['mark'],
      at: box.at,
      textStart: box.textStart,
      text: box.text,
      line: line.number,
      section: [],
      inner: [],
      under: [],
      verify: [],
      allow: [],
      // A new task goes to the end of the file, at the top level.
      lead: box.lead.trimStart(),
      column: 0,
      end: last?.end ?? line.end,
    },
  };
}

function dedented(lines: readonly Line[]): string {
  const filled = lines.filter(({ text }) => text !== '');
  const least = Math.min(...filled.map(({ indent }) => indent));
  return lines
    .map(({ text }) => text.slice(Math.min(least, text.length - text.trimStart().length)))
    .join('\n')
    .trim();
}
