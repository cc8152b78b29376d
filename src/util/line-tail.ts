/** A file that somebody else is writing, read on from where the last look ended. */
import { closeSync, fstatSync, readSync } from 'node:fs';
import { LineSplitter } from './bounded.ts';
import { openRegular } from './regular.ts';

const CHUNK = 64 * 1024;
const LONGEST_LINE = 1024 * 1024;

export interface LineTail {
  /** Whole lines that came since the last call; none where there is no file yet. */
  read(): readonly string[];
  /** What is left without a line end, once nothing more will come. */
  rest(): readonly string[];
}

/** `last` begins that many bytes before the end of the file, with the first line that is whole. */
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
          // Another file of the same name: started again.
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

/** The lines of what will not grow any more. */
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
