/** Follows a file that another process is writing, from where the last read ended. */
import { closeSync, fstatSync, readSync } from 'node:fs';
import { LineSplitter } from './bounded.ts';
import { openRegular } from './regular.ts';

const CHUNK = 64 * 1024;
const LONGEST_LINE = 1024 * 1024;

export interface LineTail {
  /** Complete lines since the last call; empty if there is no file yet. */
  read(): readonly string[];
  /** The remaining text without a line break, when nothing more will come. */
  rest(): readonly string[];
}

/** With `last`, starts that many bytes before the end of the file, at the first complete line. */
export function lineTail(file: string, { last }: { readonly last?: number } = {}): LineTail {
  let lines: string[] = [];
  let splitter = new LineSplitter(LONGEST_LINE, line => lines.push(line));
  let position: number | undefined;
  let partial = false;

  const take = (): readonly string[] => {
    const taken = partial ? lines.slice(1) : lines;
    if (lines.length > 0) partial = false;
    lines = [];
    return taken;
  };
  return {
    read: () => {
      const fd = open(file);
      if (fd === undefined) return [];
      try {
        const { size } = fstatSync(fd);
        if (position !== undefined && size < position) {
          // The file was replaced by a shorter one, so read it from the start.
          position = 0;
          splitter = new LineSplitter(LONGEST_LINE, line => lines.push(line));
        }
        if (position === undefined) {
          position = last === undefined ? 0 : Math.max(0, size - last);
          partial = position > 0;
        }
        const chunk = Buffer.allocUnsafe(CHUNK);
        for (let read = 1; read > 0 && position < size; position += read) {
          read = readSync(fd, chunk, 0, CHUNK, position);
          splitter.write(chunk.subarray(0, read));
        }
        return take();
      } catch {
        return take();
      } finally {
        closeSync(fd);
      }
    },
    rest: () => {
      splitter.end();
      return take();
    },
  };
}

function open(file: string): number | undefined {
  try {
    const opened = openRegular(file);
    return typeof opened === 'string' ? undefined : opened.fd;
  } catch {
    return undefined;
  }
}

/** The lines of a content that no longer grows. */
export function linesOf(bytes: Buffer | undefined): LineTail {
  let lines = bytes?.toString('utf8').split('\n') ?? [];
  return {
    read: () => lines.splice(0, Math.max(0, lines.length - 1)),
    rest: () => {
      const rest = lines.filter(line => line !== '');
      lines = [];
      return rest;
    },
  };
}
