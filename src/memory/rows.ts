/** Long lists that cost nothing at the start: they stay bytes, and only requested rows are decoded. */
import { lineOf } from './text-index.ts';

export interface RowsText {
  /** A line per row. */
  readonly text: Buffer;
  /** Where each begins, in digits of base 36. */
  readonly starts: string;
}

export const noRows: RowsText = { text: Buffer.alloc(0), starts: '' };

const DIGITS = 6;
const NEWLINE = 0x0a;

/** Rows by their number. */
export class Rows {
  readonly #text: Buffer;
  readonly #starts: string;
  /** Changed or added since. */
  readonly #own = new Map<number, string>();
  #size: number;

  constructor({ text, starts }: RowsText = noRows) {
    this.#text = text;
    this.#starts = starts;
    this.#size = starts.length / DIGITS;
  }

  get size(): number {
    return this.#size;
  }

  at(n: number): string | undefined {
    const own = this.#own.get(n);
    if (own !== undefined || n < 0 || n >= this.#size) return own;
    const start = Number.parseInt(this.#starts.slice(DIGITS * n, DIGITS * (n + 1)), 36);
    return this.#text.toString('utf8', start, this.#text.indexOf(NEWLINE, start));
  }

  put(n: number, row: string): void {
    this.#own.set(n, row);
    this.#size = Math.max(this.#size, n + 1);
  }

  push(row: string): void {
    this.put(this.#size, row);
  }

  all(): readonly string[] {
    return Array.from({ length: this.#size }, (_, n) => this.at(n) ?? '');
  }

  /** As they are kept. */
  written(): RowsText {
    return this.#own.size === 0 ? { text: this.#text, starts: this.#starts } : rowsText(this.all());
  }
}

export function rowsText(rows: readonly string[]): RowsText {
  const starts: string[] = [];
  let at = 0;
  for (const row of rows) {
    starts.push(at.toString(36).padStart(DIGITS, '0'));
    at += Buffer.byteLength(row) + 1;
  }
  return { text: Buffer.from(rows.map(row => `${row}\n`).join('')), starts: starts.join('') };
}

/** A line per entry, sorted, in which `lineOf` finds one by its key. */
export const sortedLines = (entries: Iterable<readonly [string, string]>): string =>
  [...new Map(entries)]
    .filter(([key]) => !/[\t\n]/.test(key))
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, rest]) => `${key}\t${rest}\n`)
    .join('');

/** Names that were seen. */
export class Names {
  readonly #lines: string;
  readonly #own = new Set<string>();

  constructor(lines: string) {
    this.#lines = lines;
  }

  has(name: string): boolean {
    return this.#own.has(name) || lineOf(this.#lines, name) !== '';
  }

  add(name: string): void {
    if (!this.has(name)) this.#own.add(name);
  }

  get grew(): boolean {
    return this.#own.size > 0;
  }

  written(): string {
    const known = this.#lines.split('\n').filter(line => line !== '');
    const names = [...known.map(line => line.slice(0, line.indexOf('\t'))), ...this.#own];
    return this.grew ? sortedLines(names.map(name => [name, '+'])) : this.#lines;
  }
}
