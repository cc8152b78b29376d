/**
 * A list entry as the compiler and marks write it: its name, its state, times, a prompt. One pattern recognises such an
 * entry. Mostly its name and state are needed, so it is parsed only on demand: there are thousands.
 */
import type { YamlMap, YamlPair } from './nodes.ts';

/** A plain word that is a string, so not `null`, `true` or `false`. */
const WORD = '(?!(?:[Nn]ull|NULL|[Tt]rue|TRUE|[Ff]alse|FALSE)\\n)[A-Za-z][\\w-]{0,80}';
const TIME = "'[^'\\n\\t]{0,40}'";
const KEYS: ReadonlySet<string> = new Set(['id', 'status', 'started-at', 'completed-at', 'prompt']);
/** More indentation than programs write. */
const WIDEST = 40;
const PATTERNS: RegExp[] = [];

/** The pattern for entries whose keys are in this column. The counts bound backtracking. */
function patternFor(column: number): RegExp {
  const key = ' '.repeat(column);
  const line = '[^ \\t\\n][^\\n]*\\n';
  const prompt = `${key}prompt: \\|-?\\n(${key} +)${line}(?:\\n*\\1 *${line}){0,100}`;
  const times = ['started-at', 'completed-at'].map(name => `(?:${key}${name}: ${TIME}\\n)?`).join('');
  return new RegExp(`id: ${WORD}\\n${key}status: ${WORD}\\n${times}(?:${prompt})?`, 'y');
}

type Read = (entry: PlainEntry) => readonly YamlPair[];

/** A list entry that is parsed on demand. It stores as little as possible, because there are thousands. */
export class PlainEntry implements YamlMap {
  readonly text: string;
  /** Offset and column of its first key. */
  readonly start: number;
  readonly column: number;
  /** Offset of the line after it. */
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

  /** A block ends after its last line ending, a word before it. */
  get end(): number {
    const { text, column, next } = this;
    const lastLine = text.lastIndexOf('\n', next - 2) + 1;
    return text.startsWith(' '.repeat(column + 1), lastLine) ? next : next - 1;
  }

  get items(): readonly YamlPair[] {
    this.#items ??= this.#read(this);
    return this.#items;
  }

  /** The value of `id` or `status`, without parsing the entry. */
  word(key: string): string | undefined {
    const { text, start, column } = this;
    if (key !== 'id' && key !== 'status') return undefined;
    const end = text.indexOf('\n', start);
    if (key === 'id') return text.slice(start + ID, end);
    return text.slice(end + 1 + column + STATUS, text.indexOf('\n', end + 1));
  }

  /** Whether such an entry can have this key. */
  static mayHold(key: string): boolean {
    return KEYS.has(key);
  }
}

const ID = 'id: '.length;
const STATUS = 'status: '.length;

/** The offset of the line after an entry in this form; undefined if the text is not in this form. */
export function endOfEntry(text: string, start: number, column: number): number | undefined {
  if (column > WIDEST) return undefined;
  const pattern = (PATTERNS[column] ??= patternFor(column));
  pattern.lastIndex = start;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}
