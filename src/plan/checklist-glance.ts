/**
 * A checklist at a glance, for a mark on one task of thousands. Patterns prove that every box stands at the start of its
 * line with an id of its own behind it, and that nothing could hide it or be an error. Whatever is not certainly so is
 * not seen at all: undefined means "read the whole".
 */
import { findConflict } from './conflict.ts';
import { PLAIN_ID, PLAIN_ID_CHARS } from './task-text.ts';

export interface Glance {
  readonly ids: readonly string[];
  /** The line of a task, and where it starts. */
  readonly lineOf: (id: string) => { readonly text: string; readonly start: number } | undefined;
  /** What the first ticked box is ticked with. */
  readonly tick: () => string | undefined;
}

const BULLET = '[-*+] \\[[ xX]\\]';
/** A box that is not at the start of its line, or that no plain id follows; an empty one is none behind a word. */
const ODD_BOX = new RegExp(`\\[[ \\txX~-]\\](?:(?<!(?:^|\\n)${BULLET})|(?! ${PLAIN_ID}))|(?<!\\w)\\[\\][ \\t]`);
const BOXES = new RegExp(`${BULLET} ${PLAIN_ID}`, 'g');
const BEFORE_ID = new RegExp(`${BULLET} `);
const TICKED = /(?:^|\n)[-*+] \[([xX])\]/;

/** Line ends of other systems, fences, and brackets with code in them, which may be read without it. */
const UNSURE = ['\r', '```', '~~~', '[`', '`]'];
/** Comments and raw HTML hide boxes, too. */
const HIDING = /<(?:!--|pre|script|style|textarea)/i;
/** Guards can be lifted by a name that none has. */
const LIFTING = /allow(?:\*\*)?:/;
/** Boxes under such a heading explain what boxes mean. */
const LEGEND = /(?:^|\n)[ \t]*#[^\n]*(?:legend|key)/i;

export function glanceAtTasks(text: string): Glance | undefined {
  if (text.startsWith('---') || ODD_BOX.test(text) || UNSURE.some(mark => text.includes(mark))) return undefined;
  if ((text.includes('<') && HIDING.test(text)) || LIFTING.test(text) || LEGEND.test(text)) return undefined;
  // Joined and taken apart again as a whole: a call for each of thousands takes longer.
  const ids = (text.match(BOXES) ?? []).join('').split(BEFORE_ID).slice(1);
  const known = new Set(ids);
  if (known.size === 0 || known.size < ids.length || ids.some(id => id.length > PLAIN_ID_CHARS)) return undefined;
  if (findConflict(text) !== undefined) return undefined;
  return {
    ids,
    lineOf: id => (known.has(id) ? lineAt(text, id) : undefined),
    tick: () => TICKED.exec(text)?.[1],
  };
}

/** Only for an id that is there: it then has no characters that mean something in a pattern. */
function lineAt(text: string, id: string): { readonly text: string; readonly start: number } | undefined {
  const found = new RegExp(`(?:^|\\n)${BULLET} ${id}:`).exec(text);
  if (!found) return undefined;
  const start = found.index + (found[0].startsWith('\n') ? 1 : 0);
  const end = text.indexOf('\n', start);
  return { text: text.slice(start, end < 0 ? text.length : end), start };
}
