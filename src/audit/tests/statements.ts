/** Where a statement begins and ends, in all supported languages. */
import { isOpen } from './brackets.ts';

const GOES_ON = /^[ \t]*(?:\.|\?\.|should[A-Z])/;

/** The start of the statement, for forms that end with the assertion: `x.should.equal(3)`, `await expect(x)`. */
export function statementStart(bare: string, at: number): number {
  let depth = 0;
  for (let index = at - 1; index >= Math.max(0, at - 400); index--) {
    switch (bare.charCodeAt(index)) {
      case 41: // )
      case 93: // ]
        depth += 1;
        break;
      case 125: // }
        // `map { it.id } shouldBe …` continues after its braces.
        if (depth === 0 && !GOES_ON.test(bare.slice(index + 1, index + 40))) return index + 1;
        depth += 1;
        break;
      case 40: // (
      case 91: // [
      case 123: // {
        if (depth === 0) return index + 1;
        depth -= 1;
        break;
      case SEMICOLON:
        if (depth === 0) return index + 1;
        break;
      case LINE_END:
        if (depth === 0 && !/^\s*(?:\.|->)/.test(bare.slice(index + 1, index + 60))) return index + 1;
        break;
      default:
    }
  }
  return Math.max(0, at - 400);
}

const ENDS = /[()[\]{};\n]/g;

/** The end of the statement: past brackets, and over lines that begin with a dot or end with an operator. */
export function statementEnd(bare: string, from: number): number {
  let depth = 0;
  const stop = Math.min(bare.length, from + 6000);
  ENDS.lastIndex = from;
  while (ENDS.test(bare)) {
    const at = ENDS.lastIndex - 1;
    if (at >= stop) break;
    const code = bare.charCodeAt(at);
    if (isOpen(code)) depth += 1;
    else if (code !== SEMICOLON && code !== LINE_END) {
      depth -= 1;
      if (depth < 0) return at;
    } else if (depth === 0 && (code === SEMICOLON || !goesOn(bare, from, at))) return at;
  }
  return stop;
}

/** `expect do … end.to change { … }`. */
export function blockEnd(bare: string, from: number): number {
  const close = /\n[ \t]*end\.(?:to|not_to|to_not)\b[^\n]*/.exec(bare.slice(from, from + 6000));
  return close ? from + close.index + close[0].length : statementEnd(bare, from);
}

const SEMICOLON = 59;
const LINE_END = 10;

/** Whether the statement that began at `from` continues past the line end at `at`. */
const goesOn = (bare: string, from: number, at: number): boolean =>
  /^(?:\.|\?\.|&&|\|\||->|==|!=)/.test(bare.slice(at + 1, at + 80).trimStart()) ||
  // Four characters are enough: the longest word here has three letters, and the fourth shows where the word begins.
  /(?:\\|==|!=|&&|\|\||,|\band|\bor|\bin|\bto|\.)$/.test(bare.slice(from, at).trimEnd().slice(-4));
