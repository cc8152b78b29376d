/** Converts bytes to text and back without loss, and finds positions in a text. */
import { isUtf8 } from 'node:buffer';
import { once } from './once.ts';
import { type Failure, fail, ok, type Result } from './result.ts';

export type Encoding = 'utf8' | 'utf8-bom' | 'utf16le' | 'utf16be';

export interface Decoded {
  /** Without the byte-order mark. */
  readonly text: string;
  readonly encoding: Encoding;
}

export function decode(bytes: Buffer, file: string): Result<Decoded> {
  const encoding = encodingOf(bytes);
  const text = decodeAs(bytes, encoding);
  // Writing back has to give the same bytes, so text that does not survive the round trip is refused, not repaired.
  if (!(encoding === 'utf8' && isUtf8(bytes)) && !encode({ text, encoding }).equals(bytes)) {
    return fail<Failure>({
      reason: 'not-text',
      message: `this is not valid ${encoding.startsWith('utf16') ? 'UTF-16' : 'UTF-8'} text`,
      file,
      line: firstBadLine(bytes),
      column: 1,
      hint: 'Save the file as UTF-8 and try again.',
    });
  }
  return ok({ text, encoding });
}

export function encode({ text, encoding }: Decoded): Buffer {
  switch (encoding) {
    case 'utf8':
      return Buffer.from(text, 'utf8');
    case 'utf8-bom':
      return Buffer.from(`\uFEFF${text}`, 'utf8');
    case 'utf16le':
      return Buffer.from(`\uFEFF${text}`, 'utf16le');
    case 'utf16be':
      return Buffer.from(`\uFEFF${text}`, 'utf16le').swap16();
  }
}

function encodingOf(bytes: Buffer): Encoding {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf8-bom';
  if (bytes[0] === 0xff && bytes[1] === 0xfe && bytes.length % 2 === 0) return 'utf16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff && bytes.length % 2 === 0) return 'utf16be';
  return 'utf8';
}

function decodeAs(bytes: Buffer, encoding: Encoding): string {
  switch (encoding) {
    case 'utf8':
      return bytes.toString('utf8');
    case 'utf8-bom':
      return bytes.subarray(3).toString('utf8');
    case 'utf16le':
      return bytes.subarray(2).toString('utf16le');
    case 'utf16be':
      return Buffer.from(bytes.subarray(2)).swap16().toString('utf16le');
  }
}

function firstBadLine(bytes: Buffer): number {
  const lines = bytes.toString('utf8').split('\n');
  const index = lines.findIndex(line => line.includes('\uFFFD'));
  return index < 0 ? 1 : index + 1;
}

export interface Place {
  readonly line: number;
  readonly column: number;
}

/** 1-based line and column of an offset. For many offsets in one text use `places`. */
export function placeAt(text: string, offset: number): Place {
  return places(text)(offset);
}

/** Looks up 1-based line and column by offset: O(lines) on the first call, then O(log lines). */
export function places(text: string): (offset: number) => Place {
  const lineStarts = once(() => {
    const starts = [0];
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
    return starts;
  });
  return offset => {
    const starts = lineStarts();
    let [low, high] = [0, starts.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: offset - (starts[low] ?? 0) + 1 };
  };
}

/** The indentation of a line in characters. */
export const indentOf = (line: string): number => line.length - line.trimStart().length;

/** Escapes a text for use in a regular expression. */
export const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
