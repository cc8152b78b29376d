/** Reads an agent's `events.jsonl` by byte offset: the complete lines from an offset on. */
import { closeSync, readSync } from 'node:fs';
import { openRegular } from '../util/regular.ts';

export interface Lines {
  /** Each line with the offset after it. */
  readonly lines: readonly { readonly text: string; readonly end: number }[];
  /** The offset after the last complete line. */
  readonly end: number;
}

/** Larger than any real signal file; if an agent writes more, the rest is not read. */
const MOST_BYTES = 5 * 1024 * 1024;

/** With `last`, only the final bytes are read, and a partial first line is dropped. */
export function readLines(file: string, from: number, last = MOST_BYTES): Lines {
  const opened = openRegular(file);
  if (typeof opened === 'string') return { lines: [], end: from };
  try {
    const size = Math.min(opened.size, MOST_BYTES);
    const start = Math.max(from, size - last);
    if (size <= start) return { lines: [], end: from };
    const bytes = Buffer.allocUnsafe(size - start);
    const read = readSync(opened.fd, bytes, 0, bytes.length, start);
    const found = linesOf(bytes.subarray(0, read), start);
    return start > from ? { ...found, lines: found.lines.slice(1) } : found;
  } catch {
    return { lines: [], end: from };
  } finally {
    closeSync(opened.fd);
  }
}

/** The complete lines in bytes that begin at offset `start`. */
export function linesOf(bytes: Buffer, start = 0): Lines {
  const lines: { readonly text: string; readonly end: number }[] = [];
  let at = 0;
  for (let next = bytes.indexOf(10); next >= 0; next = bytes.indexOf(10, at)) {
    lines.push({ text: bytes.toString('utf8', at, next), end: start + next + 1 });
    at = next + 1;
  }
  return { lines, end: start + at };
}
