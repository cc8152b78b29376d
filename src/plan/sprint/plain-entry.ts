/**
 * An entry of a list as the compiler writes it and marks leave it: its name, its state, times, a prompt. Thousands of
 * them are seen at a glance; what is asked about one is mostly its name and state, and only then is it taken apart.
 */
import type { YamlMap, YamlPair } from './nodes.ts';

/** No word that means something else than itself. */
const WORD = '(?!(?:[Nn]ull|NULL|[Tt]rue|TRUE|[Ff]alse|FALSE)\\n)[A-Za-z][\\w-]{0,80}';
const TIME = "'[^'\\n\\t]{0,40}'";
const KEYS: ReadonlySet<string> = new Set(['id', 'status', 'started-at', 'completed-at', 'prompt']);
/** Further in than programs write. */
const WIDEST = 40;
const PATTERNS: RegExp[] = [];

/** For entries whose keys stand in this column. The bound is on what the pattern may have to take back. */
function patternFor(column: number): RegExp {
  const key = ' '.repeat(column);
  const line = '[^ \\t\\n][^\\n]*\\n';
  const prompt = `${key}prompt: \\|-?\\n(${key} +)${line}(?:\\n*\\1 *${line}){0,100}`;
  const times = ['started-at', 'completed-at'].map(name => `(?:${key}${name}: ${TIME}\\n)?`).join('');
  return new RegExp(`id: ${WORD}\\n${key}status: ${WORD}\\n${times}(?:${prompt})?`, 'y');
}

type Read = (entry: PlainEntry) => readonly YamlPair[];

/** As little as can be is kept and worked out for each: there are thousands, and few are ever asked for more. */
export class PlainEntry implements YamlMap {
  readonly text: string;
  /** Where its first key stands, and in which column. */
  readonly start: number;
  readonly column: number;
  /** The line after it. */
  readonly next: number;
  readonly #read: Read;
  #items: readonly YamlPair[] | undefined;

  constructor(text: string, start: number, column: number, next: number, read: Read) {
    this.text = text;
    this.start = start;
    this.column = column;
    this.next = next;
    this.#read = read;
  }

  get type(): 'map' {
    return 'map';
  }

  get flow(): boolean {
    return false;
  }

  /** A block ends behind its last line end, a word before it. */
  get end(): number {
    const { text, column, next } = this;
    const lastLine = text.lastIndexOf('\n', next - 2) + 1;
    return text.startsWith(' '.repeat(column + 1), lastLine) ? next : next - 1;
  }

  get items(): readonly YamlPair[] {
    this.#items ??= this.#read(this);
    return this.#items;
  }

  /** What is known without taking it apart. */
  word(key: string): string | undefined {
    const { text, start, column } = this;
    if (key !== 'id' && key !== 'status') return undefined;
    const end = text.indexOf('\n', start);
    if (key === 'id') return text.slice(start + ID, end);
    return text.slice(end + 1 + column + STATUS, text.indexOf('\n', end + 1));
  }

  /** It has no other keys than these. */
  static mayHold(key: string): boolean {
    return KEYS.has(key);
  }
}

const ID = 'id: '.length;
const STATUS = 'status: '.length;

/** The line after an entry that is written like this; undefined for one that is not. */
export function endOfEntry(text: string, start: number, column: number): number | undefined {
  if (column > WIDEST) return undefined;
  const pattern = (PATTERNS[column] ??= patternFor(column));
  pattern.lastIndex = start;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}
