/** Phases, steps and sub-phases as the compiler writes them and marks leave them, found by patterns. */
import { once } from '../../util/once.ts';

/** No word that means something else than itself. */
const WORD = '(?!(?:[Nn]ull|NULL|[Tt]rue|TRUE|[Ff]alse|FALSE)\\n)[A-Za-z][\\w-]{0,80}';
/** Line ends of other systems, byte-order marks and control characters have rules of their own. */
const ODD = '\\n\\r\\0-\\x08\\x0b\\x0c\\x0e-\\x1f\\x7f\\ufeff';
const QUOTED = `(?:'[^'\\t${ODD}]{0,400}'|"[^"\\\\\\t${ODD}]{0,400}")`;
/** Without what could be a key, a comment or one of the words above. */
const PLAIN = `[A-Za-z][^:#\\t${ODD}]* [^:#\\t${ODD}]*`;
/** Of a block, in which a pattern may have to take lines back. */
const MOST_LINES = 200;

/** The columns of their keys. */
const [PHASE, STEP, SUB_PHASE] = [4, 8, 12];

const indent = (column: number): string => ' '.repeat(column);
const dash = (column: number): string => `${indent(column - 2)}- `;

function promptAt(column: number): string {
  const line = `[^ \\t${ODD}][^${ODD}]*\\n`;
  const block = `\\|-?\\n${indent(column + 2)}${line}(?:\\n*${indent(column + 2)} *${line}){0,${MOST_LINES}}`;
  return `${indent(column)}prompt: (?:${block}|${WORD}\\n|${PLAIN}\\n|${QUOTED}\\n)`;
}

/** The state, its times, and what a mark says besides, in the order in which marks add them. */
function stateAt(column: number, word: string): string {
  const key = indent(column);
  const times = ['started-at', 'completed-at'].map(name => `(?:${key}${name}: ${QUOTED}\\n)?`).join('');
  const note = `(?:${key}(?:error|reason): ${QUOTED}\\n)?(?:${key}retry-count: \\d{1,9}\\n)?`;
  return `${key}status: ${word}\\n${note}${times}`;
}

const modelAt = (column: number): string => `(?:${indent(column)}model: [A-Za-z][\\w.-]{0,80}\\n)?`;

/** A phase or step without what is below it: its name, and its state before or after its prompt. */
function entryAt(column: number): string {
  const [state, prompt, model] = [stateAt(column, `(${WORD})`), promptAt(column), modelAt(column)];
  return `${dash(column)}id: (${WORD})\\n(?:${prompt}${state}${model}|${state}(?:${prompt})?${model})`;
}

function subPhase(): string {
  const prompt = `(?:${promptAt(SUB_PHASE)})?`;
  return `${dash(SUB_PHASE)}id: ${WORD}\\n${stateAt(SUB_PHASE, WORD)}${prompt}${modelAt(SUB_PHASE)}`;
}

/** A phase or step that was seen. */
export interface SeenEntry {
  readonly name: string;
  /** Of its state. */
  readonly word: string;
  /** Its first key. */
  readonly start: number;
  readonly end: number;
  /** The text of its sub-phases. */
  readonly parts: string | undefined;
}

type Finder = (text: string, at: number) => SeenEntry | undefined;

const PARTS = `${indent(STEP)}phases:\\n`;
export const STEPS = `${indent(PHASE)}steps:\n`;
export const phaseAt = finder(() => entryAt(PHASE), PHASE);
export const stepAt = finder(() => `${entryAt(STEP)}(?:${PARTS}((?:${subPhase()})+))?`, STEP);

/** Of each sub-phase its name and state. */
const HEADS = new RegExp(`(?:^|\\n)${dash(SUB_PHASE)}id: [^\\n]*\\n${indent(SUB_PHASE)}status: [^\\n]*`, 'g');

/** The lines with the names and states of sub-phases. */
export const headsIn = (parts: string): readonly string[] => parts.match(HEADS) ?? [];

export interface Head {
  readonly name: string;
  readonly word: string;
}

export function headOf(lines: string): Head {
  const [, name = '', word = ''] = /id: (.*)\n *status: (.*)/.exec(lines) ?? [];
  return { name, word };
}

/** A long pattern, and most plans are no sprints: it is made when it is first wanted. */
function finder(pattern: () => string, column: number): Finder {
  const made = once(() => new RegExp(pattern(), 'y'));
  return (text, at) => {
    const entry = made();
    entry.lastIndex = at;
    const found = entry.exec(text);
    if (!found) return undefined;
    const [, name = '', behind, before, parts] = found;
    return { name, word: behind ?? before ?? '', start: at + column, end: entry.lastIndex, parts };
  };
}
