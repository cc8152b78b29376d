/** A log file with a bounded size: the first bytes, a line about what is missing, and the last bytes. */
import { mkdirSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { ByteTail } from '../util/bounded.ts';
import { createFresh } from '../util/files.ts';
import { closeQuietly } from './pipes.ts';

export interface CappedLogOptions {
  readonly path: string;
  readonly headBytes?: number;
  readonly tailBytes?: number;
}

/** Nothing here throws: what cannot be written (a full disk, no permission) is counted, and the work continues. */
export interface CappedLog {
  write(chunk: Buffer): void;
  /** Returns how many of the bytes are not in the file. */
  close(): number;
}

export function openCappedLog(options: CappedLogOptions): CappedLog {
  const tail = new ByteTail(options.tailBytes ?? 256 * 1024);
  let fd = openLog(options.path);
  let headLeft = fd === undefined ? 0 : (options.headBytes ?? 64 * 1024 * 1024);
  let bytes = 0;
  let kept = 0;
  let dropped: number | undefined;

  /** Writes as much as possible and returns how much that was. */
  const put = (chunk: Buffer): number => {
    let at = 0;
    try {
      if (fd !== undefined) for (; at < chunk.length; ) at += writeSync(fd, chunk, at);
    } catch {
      // The rest counts as dropped.
    }
    return at;
  };

  return {
    write(chunk) {
      if (dropped !== undefined) return;
      bytes += chunk.length;
      const head = Math.min(headLeft, chunk.length);
      const written = head > 0 ? put(chunk.subarray(0, head)) : 0;
      kept += written;
      headLeft = written < head ? 0 : headLeft - head;
      if (written < chunk.length) tail.write(chunk.subarray(written));
    },

    close() {
      if (dropped !== undefined) return dropped;
      const rest = tail.bytes();
      const missing = tail.total - rest.length;
      const notice = Buffer.from(missing > 0 ? `\n[ralph: ${missing} bytes dropped here]\n` : '');
      if (rest.length > 0 && put(notice) === notice.length) kept += put(rest);
      if (fd !== undefined) closeQuietly(fd);
      fd = undefined;
      dropped = bytes - kept;
      return dropped;
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
