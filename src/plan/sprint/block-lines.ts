/** A cursor over the lines of block YAML that say something. */
import type { YamlPair } from './nodes.ts';

export const [TAB, NEWLINE, SPACE, HASH, PIPE] = [9, 10, 32, 35, 124];
const DASH = 45;

export class Lines {
  readonly text: string;
  /** Of the line at hand: where it starts, how far it is indented (-1: the end; -2: not understood), where it ends. */
  start = 0;
  indent = -1;
  end = 0;
  /** A comment stood before it. */
  commented = false;
  /** Pairs of the mappings that are not at their end: a list of its own would have to grow for each of thousands. */
  readonly pairs: YamlPair[] = [];

  constructor(text: string) {
    this.text = text;
  }

  /** The first line from this line start on that is neither blank nor a comment. */
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
        // A tab may be white space or content, and a line of marks may end the document.
        this.indent = code === TAB || (at === start && isMarker(text, start)) ? -2 : at - start;
        this.end = this.lineAfter(at) - 1;
        return;
      } else break;
    }
    this.start = text.length;
    this.end = text.length;
    this.indent = -1;
  }

  /** Where the next line starts; one after the end where the last line has no line end. */
  lineAfter(at: number): number {
    const newline = this.text.indexOf('\n', at);
    return (newline < 0 ? this.text.length : newline) + 1;
  }

  /** Every line was read. */
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
