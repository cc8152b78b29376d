/**
 * Real pipes. Node's pipes are socket pairs, and opening `/dev/stderr` on a socket fails (`tee /dev/stderr` turns a green gate red). A
 * real pipe also has one inode for both ends, which shows what processes still hold it.
 */
import { closeSync, constants, fstatSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { childProcess } from './child-process.ts';

export interface Pipe {
  /** Non-blocking, for the runner. */
  readonly read: number;
  /** Blocking, for the child. */
  readonly write: number;
  /** The identity of the pipe, from `fileKey`. */
  readonly key: string;
  /** Stays open while `key` is in use, because the inode of a closed pipe can be reused for any file. */
  readonly pin: number;
}

/** Identifies an open file. */
export const fileKey = (stat: { readonly dev: number; readonly ino: number }): string => `${stat.dev}:${stat.ino}`;

// Each `mkfifo` costs a process, so several pipes are made at once. They are opened and unlinked immediately: a crash leaves nothing.
const BATCH = 32;
/** Fewer at first, because the first agent waits for them. */
const FIRST = 8;
const ready: Pipe[] = [];
let isFirst = true;

/** A fresh pipe; undefined if the system cannot make one. */
export function takePipe(): Pipe | undefined {
  if (ready.length === 0) ready.push(...makePipes(isFirst ? FIRST : BATCH));
  isFirst = false;
  return ready.pop();
}

export function closeQuietly(fd: number): void {
  try {
    closeSync(fd);
  } catch {
    // It is closed already, as intended.
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

/** In memory if possible, because on disk every pipe would be a file to create and remove. */
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
    // In this order, neither open blocks.
    const read = openAs(constants.O_RDONLY | constants.O_NONBLOCK);
    const pin = openAs(constants.O_RDONLY | constants.O_NONBLOCK);
    const write = openAs(constants.O_WRONLY);
    return [{ read, write, pin, key: fileKey(fstatSync(write)) }];
  } catch {
    for (const fd of open) closeQuietly(fd);
    return [];
  }
}
