/** A log file with a bounded size: the first bytes, a line about what is missing, and the last bytes. */
import { closeSync, mkdirSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { ByteTail } from '../util/bounded.ts';
import { createFresh } from '../util/files.ts';

export interface CappedLogOptions {
  readonly path: string;
  readonly headBytes?: number;
  readonly tailBytes?: number;
}

export interface LogEnd {
  readonly bytes: number;
  /** How many of these bytes are not in the file. */
  readonly dropped: number;
  /** Writing failed (a full disk, no permission), so something is missing. */
  readonly degraded: boolean;
}

/** Nothing here throws: write errors are counted, and the work continues. */
export interface CappedLog {
  write(chunk: Buffer): void;
  close(): LogEnd;
}

export function openCappedLog(options: CappedLogOptions): CappedLog {
  const tail = new ByteTail(options.tailBytes ?? 256 * 1024);
  let fd = openLog(options.path);
  let degraded = fd === undefined;
  let headLeft = degraded ? 0 : (options.headBytes ?? 64 * 1024 * 1024);
  let bytes = 0;
  let kept = 0;
  let end: LogEnd | undefined;

  /** Writes as much as possible and returns how much that was. */
  const put = (chunk: Buffer): number => {
    let at = 0;
    try {
      if (fd !== undefined) for (; at < chunk.length; ) at += writeSync(fd, chunk, at);
    } catch {
      degraded = true;
    }
    return at;
  };

  return {
    write(chunk) {
      if (end) return;
      bytes += chunk.length;
      const head = Math.min(headLeft, chunk.length);
      const written = head > 0 ? put(chunk.subarray(0, head)) : 0;
      kept += written;
      headLeft = written < head ? 0 : headLeft - head;
      if (written < chunk.length) tail.write(chunk.subarray(written));
    },

    close() {
      if (end) return end;
      const rest = tail.bytes();
      const missing = tail.total - rest.length;
      const notice = Buffer.from(missing > 0 ? `\n[ralph: ${missing} bytes dropped here]\n` : '');
      if (rest.length > 0 && put(notice) === notice.length) kept += put(rest);
      if (fd !== undefined) degraded = !closeLog(fd) || degraded;
      fd = undefined;
      end = { bytes, dropped: bytes - kept, degraded };
      return end;
    },
  };
}

function openLog(path: string): number | undefined {
  try {
    mkdirSync(dirname(path), { recursive: true });
    // An agent can put a link or a pipe in the place of its log, so the file is created anew.
    return createFresh(path);
  } catch {
    return undefined;
  }
}

/** A network file system may report only on close that it is full. */
function closeLog(fd: number): boolean {
  try {
    closeSync(fd);
    return true;
  } catch {
    return false;
  }
}
