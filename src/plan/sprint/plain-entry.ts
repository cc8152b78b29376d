/**
 * An entry of a list as the compiler writes it and marks leave it: its name, its state, times, a prompt. Thousands of
 * them are seen at a glance; what is asked about one is mostly its name and state, and only then is it taken apart.
 */
import type { YamlMap, YamlPair } from './nodes.ts';

const WORD = '([A-Za-z][\\w-]{0,80})';
const TIME = "'[^'\\n\\t]{0,40}'";
const KEYS: ReadonlySet<string> = new Set(['id', 'status', 'started-at', 'completed-at', 'prompt']);
/** Further in than programs write. */
const WIDEST = 40;
const PATTERNS: RegExp[] = [];

/** For entries whose keys stand in this column. The bound is on what the pattern may have to take back. */
function patternFor(column: number): RegExp {
  const key = ' '.repeat(column);
  const line = '[^ \\t\\n][^\\n]*\\n';
  const prompt = `${key}prompt: \\|-?\\n(${key} +)${line}(?:\\n*\\3 *${line}){0,100}`;
  const times = ['started-at', 'completed-at'].map(name => `(?:${key}${name}: ${TIME}\\n)?`).join('');
  return new RegExp(`id: ${WORD}\\n${key}status: ${WORD}\\n${times}(?:${prompt})?`, 'y');
}

export interface EntryPlace {
  readonly text: string;
  /** Where its first key stands, and in which column. */
  readonly start: number;
  readonly column: number;
}

export class PlainEntry implements YamlMap {
  readonly type = 'map';
  readonly flow = false;
  readonly start: number;
  readonly end: number;
  readonly #id: string;
  readonly #status: string;
  readonly #place: EntryPlace;
  readonly #read: (place: EntryPlace) => readonly YamlPair[];
  #items: readonly YamlPair[] | undefined;

  constructor(
    { place, end, id, status }: { place: EntryPlace; end: number; id: string; status: string },
    read: (place: EntryPlace) => readonly YamlPair[],
  ) {
    this.start = place.start;
    this.end = end;
    this.#id = id;
    this.#status = status;
    this.#place = place;
    this.#read = read;
  }

  get items(): readonly YamlPair[] {
    this.#items ??= this.#read(this.#place);
    return this.#items;
  }

  /** What is known without taking it apart. */
  word(key: string): string | undefined {
    return key === 'id' ? this.#id : key === 'status' ? this.#status : undefined;
  }

  /** It has no other keys than these. */
  static mayHold(key: string): boolean {
    return KEYS.has(key);
  }
}

export interface PlainFacts {
  readonly id: string;
  readonly status: string;
  readonly end: number;
  /** The line after it. */
  readonly next: number;
}

/** Undefined for an entry that is written in any other way. */
export function matchEntry({ text, start, column }: EntryPlace): PlainFacts | undefined {
  if (column > WIDEST) return undefined;
  const pattern = (PATTERNS[column] ??= patternFor(column));
  pattern.lastIndex = start;
  const found = pattern.exec(text);
  if (!found) return undefined;
  const [, id = '', status = '', prompt] = found;
  const next = pattern.lastIndex;
  // A block ends behind its last line end, a word before it.
  return { id, status, next, end: prompt === undefined ? next - 1 : next };
}
