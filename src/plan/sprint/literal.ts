/** Literal blocks, decoded on demand: most of a long sprint is prompts, and usually only one is needed. */
import type { YamlScalar } from './nodes.ts';

interface LiteralText {
  readonly text: string;
  /** Offset of its first line. */
  readonly from: number;
  readonly indent: number;
  /** Without the last line ending. */
  readonly strip: boolean;
  readonly start: number;
  readonly end: number;
}

/** The lines of a `|` block; their indentation is removed on first access. */
export class Literal implements YamlScalar {
  readonly type = 'scalar';
  readonly start: number;
  readonly end: number;
  readonly #text: string;
  readonly #from: number;
  readonly #indent: number;
  readonly #strip: boolean;

  constructor({ text, from, indent, strip, start, end }: LiteralText) {
    this.start = start;
    this.end = end;
    this.#text = text;
    this.#from = from;
    this.#indent = indent;
    this.#strip = strip;
  }

  get value(): string {
    const [text, from, indent, strip, end] = [this.#text, this.#from, this.#indent, this.#strip, this.end];
    // Empty lines contain no spaces, and every other line has at least this indentation.
    const block = `\n${text.slice(from, end)}`.replaceAll(`\n${' '.repeat(indent)}`, '\n').slice(1);
    // The value ends with a line ending even if the file does not.
    const bare = block.endsWith('\n') ? block.slice(0, -1) : block;
    return strip ? bare : `${bare}\n`;
  }
}

/** More indentation than programs write. */
const WIDEST = 40;
const LINES: RegExp[] = [];

/** The end of the lines that certainly belong to the block, the last one not empty; undefined if unclear. */
export function endOfLines(text: string, start: number, indent: number): number | undefined {
  if (indent > WIDEST) return undefined;
  // The count bounds backtracking.
  const pattern = (LINES[indent] ??= new RegExp(`(?:\\n* {${indent}} *[^ \\t\\n][^\\n]*\\n){1,100}`, 'y'));
  pattern.lastIndex = start;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}
