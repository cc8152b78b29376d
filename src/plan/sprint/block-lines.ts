/** A cursor over the lines of block YAML, without blank lines and comments. */
import type { YamlPair } from './nodes.ts';

export const [TAB, NEWLINE, SPACE, HASH, PIPE] = [9, 10, 32, 35, 124];
const DASH = 45;

export class Lines {
  readonly text: string;
  /** The current line: its start, its indentation (-1: end of text; -2: not understood), its end. */
  start = 0;
  indent = -1;
  end = 0;
  /** A comment precedes the current line. */
  commented = false;
  /** Pairs of all open mappings on one stack: a growing list for each of thousands of mappings would be slow. */
  readonly pairs: YamlPair[] = [];

  constructor(text: string) {
    this.text = text;
  }

  /** Moves to the first line from this line start on that is neither blank nor a comment. */
  next(from: number): void {
    const { text } = this;
    this.commented = false;
    for (let start = from; start < text.length; ) {
      let at = start;
      while (text.charCodeAt(at) === SPACE) at++;
      const code = text.charCodeAt(at);
      if (code === NEWLINE) start = at + 1;
      else if (code === HASH) {
        this.commented = true;
        start = this.lineAfter(at);
      } else if (at < text.length) {
        this.start = start;
        // A tab may be white space or content, and a document marker ends the document.
        this.indent = code === TAB || (at === start && isMarker(text, start)) ? -2 : at - start;
        this.end = this.lineAfter(at) - 1;
        return;
      } else break;
    }
    this.start = text.length;
    this.end = text.length;
    this.indent = -1;
  }

  /** The start of the next line; one past the end if the last line has no line ending. */
  lineAfter(at: number): number {
    const newline = this.text.indexOf('\n', at);
    return (newline < 0 ? this.text.length : newline) + 1;
  }

  /** Whether all lines were read. */
  isOver(): boolean {
    return this.indent === -1;
  }

  isDash(): boolean {
    const at = this.start + this.indent;
    return this.text.charCodeAt(at) === DASH && (at + 1 >= this.end || this.text.charCodeAt(at + 1) === SPACE);
  }
}

const isMarker = (text: string, at: number): boolean =>
  text.startsWith('---', at) || text.startsWith('...', at) || text.startsWith('%', at);
