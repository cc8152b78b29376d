/**
 * Real pipes. What Node calls a pipe is a socket pair, and opening `/dev/stderr` on a socket fails (`tee /dev/stderr`
 * turns a green gate red). A pipe also has one inode for both ends, which tells who still holds it.
 */
import { closeSync, constants, fstatSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { childProcess } from './child-process.ts';

export interface Pipe {
  /** Non-blocking, for us. */
  readonly read: number;
  /** Blocking, for the child. */
  readonly write: number;
  /** The pipe itself, as `fileKey` gives it. */
  readonly key: string;
  /** Open until nobody looks for `key` any more: the number of a closed pipe is the next file's anywhere on the disk. */
  readonly pin: number;
}

/** What identifies an open file. */
export const fileKey = (stat: { readonly dev: number; readonly ino: number }): string => `${stat.dev}:${stat.ino}`;

// `mkfifo` costs a process, so a few are made at once. They are opened and unlinked at once too: a crash leaves nothing.
const BATCH = 32;
/** The first agent waits for the first ones. */
const FIRST = 8;
const ready: Pipe[] = [];
let isFirst = true;

/** A fresh pipe, or nothing where the system cannot make one. */
export function takePipe(): Pipe | undefined {
  if (ready.length === 0) ready.push(...makePipes(isFirst ? FIRST : BATCH));
  isFirst = false;
  return ready.pop();
}

export function closeQuietly(fd: number): void {
  try {
    closeSync(fd);
  } catch {
    // Closed is what was wanted.
  }
}

function makePipes(count: number): readonly Pipe[] {
  let folder: string | undefined;
  try {
    folder = makeFolder();
    const paths = Array.from({ length: count }, (_, index) => join(folder ?? '', String(index)));
    const made = childProcess().spawnSync('mkfifo', ['-m', '600', ...paths], { stdio: 'ignore', timeout: 10_000 });
    return made.status === 0 ? paths.flatMap(openPipe) : [];
  } catch {
    return [];
  } finally {
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  }
}

/** In memory where there is such a place: on a disk every pipe would be a file to make and to remove. */
function makeFolder(): string {
  try {
    return mkdtempSync('/dev/shm/ralph-pipes-');
  } catch {
    return mkdtempSync(join(tmpdir(), 'ralph-pipes-'));
  }
}

function openPipe(path: string): readonly Pipe[] {
  const open: number[] = [];
  const openAs = (flags: number): number => {
    const fd = openSync(path, flags);
    open.push(fd);
    return fd;
  };
  try {
    // In this order neither end waits for the other.
    const read = openAs(constants.O_RDONLY | constants.O_NONBLOCK);
    const pin = openAs(constants.O_RDONLY | constants.O_NONBLOCK);
    const write = openAs(constants.O_WRONLY);
    return [{ read, write, pin, key: fileKey(fstatSync(write)) }];
  } catch {
    for (const fd of open) closeQuietly(fd);
    return [];
  }
}
