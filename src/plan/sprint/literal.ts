/** Literal blocks: most of a long sprint is prompts, of which one is wanted. */
import type { YamlScalar } from './nodes.ts';

interface LiteralText {
  readonly text: string;
  /** Where its first line starts. */
  readonly from: number;
  readonly indent: number;
  /** Without the last line end. */
  readonly strip: boolean;
  readonly start: number;
  readonly end: number;
}

/** The lines of a `|` block, without their indentation once they are asked for. */
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
    // Empty lines have no spaces in them, and every other one has at least these.
    const block = `\n${text.slice(from, end)}`.replaceAll(`\n${' '.repeat(indent)}`, '\n').slice(1);
    // The last line has a line end in its value even where it has none in the file.
    const bare = block.endsWith('\n') ? block.slice(0, -1) : block;
    return strip ? bare : `${bare}\n`;
  }
}

/** Further in than programs write. */
const WIDEST = 40;
const LINES: RegExp[] = [];

/** Where the lines end that are certainly of the block, the last of them not empty; nothing where that is not so clear. */
export function endOfLines(text: string, start: number, indent: number): number | undefined {
  if (indent > WIDEST) return undefined;
  // A bound on what the pattern may have to take back.
  const pattern = (LINES[indent] ??= new RegExp(`(?:\\n* {${indent}} *[^ \\t\\n][^\\n]*\\n){1,100}`, 'y'));
  pattern.lastIndex = start;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}
