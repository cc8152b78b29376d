/**
 * A checklist at a glance, for a mark on one task of thousands. Patterns prove that every box stands at the start of its
 * line, and that nothing could hide it or be an error. Whatever is not certainly so is not seen at all: undefined means
 * "read the whole".
 */
import { nameTasks } from './checklist-items.ts';
import { findConflict } from './conflict.ts';
import { PLAIN_ID, PLAIN_ID_CHARS } from './task-text.ts';

export interface Glance {
  readonly ids: readonly string[];
  /** The line of a task, and where it starts. */
  readonly lineOf: (id: string) => Line | undefined;
  /** What the first ticked box is ticked with. */
  readonly tick: () => string | undefined;
}

interface Line {
  readonly text: string;
  readonly start: number;
}

const BULLET = '[-*+] \\[[ xX]\\]';
const START = `(?:^|\\n)${BULLET}`;
/** A box that is not at the start of its line, or without words; an empty one is none behind a word. */
const ODD_BOX = new RegExp(`\\[[ \\txX~-]\\](?:(?<!${START})|(?! \\S))|(?<!\\w)\\[\\][ \\t]`);
const TICKED = /(?:^|\n)[-*+] \[([xX])\]/;

/** Line ends of other systems, fences, and brackets with code in them, which may be read without it. */
const UNSURE = ['\r', '```', '~~~', '[`', '`]'];
/** Comments and raw HTML hide boxes, too. */
const HIDING = /<(?:!--|pre|script|style|textarea)/i;
/** Guards can be lifted by a name that none has. */
const LIFTING = /allow(?:\*\*)?:/;
/** Boxes under such a heading explain what boxes mean. */
const LEGEND = /(?:^|\n)[^\S\n]*#[^\n]*(?:legend|key)/i;

export function glanceAtTasks(text: string): Glance | undefined {
  if (text.startsWith('---') || ODD_BOX.test(text) || UNSURE.some(mark => text.includes(mark))) return undefined;
  if ((text.includes('<') && HIDING.test(text)) || LIFTING.test(text) || LEGEND.test(text)) return undefined;
  if (findConflict(text) !== undefined) return undefined;
  const { ids, lineOf } = plainNames(text) ?? anyNames(text);
  return ids.length === 0 ? undefined : { ids, lineOf, tick: () => TICKED.exec(text)?.[1] };
}

type Names = Pick<Glance, 'ids' | 'lineOf'>;

const NO_PLAIN_ID = new RegExp(`${START}(?! ${PLAIN_ID})`);
const BOXES = new RegExp(`${BULLET} ${PLAIN_ID}`, 'g');
const BEFORE_ID = new RegExp(`${BULLET} `);

/** Where every task has an id of its own in the most usual form. */
function plainNames(text: string): Names | undefined {
  if (NO_PLAIN_ID.test(text)) return undefined;
  // Joined and taken apart again as a whole: a call for each of thousands takes longer.
  const ids = (text.match(BOXES) ?? []).join('').split(BEFORE_ID).slice(1);
  const known = new Set(ids);
  if (known.size < ids.length || ids.some(id => id.length > PLAIN_ID_CHARS)) return undefined;
  // An id that is there has no characters that mean something in a pattern.
  const startOf = (id: string) => (known.has(id) ? (new RegExp(`${START} ${id}:`).exec(text)?.index ?? -1) : -1);
  return { ids, lineOf: id => lineAt(text, startOf(id)) };
}

const TASKS = new RegExp(`${START}[^\\n]*`, 'g');
const BEFORE_WORDS = '- [ ] '.length;

/** Where tasks are named one after the other. */
function anyNames(text: string): Names {
  const boxes = (text.match(TASKS) ?? []).map((line, index) => ({
    text: line.trim().slice(BEFORE_WORDS).trimStart(),
    section: NO_SECTION,
    index,
  }));
  const named = nameTasks(boxes);
  return {
    ids: named.map(({ id }) => id),
    lineOf: id => {
      const found = named.find(each => each.id === id);
      return found && lineAt(text, startOfTask(text, found.box.index));
    },
  };
}

const NO_SECTION: readonly string[] = [];

function startOfTask(text: string, index: number): number {
  TASKS.lastIndex = 0;
  for (let passed = 0; passed < index; passed++) TASKS.test(text);
  return TASKS.exec(text)?.index ?? -1;
}

/** The line at an offset, or after the line end there. */
function lineAt(text: string, offset: number): Line | undefined {
  if (offset < 0) return undefined;
  const start = text[offset] === '\n' ? offset + 1 : offset;
  const end = text.indexOf('\n', start);
  return { text: text.slice(start, end < 0 ? text.length : end), start };
}
