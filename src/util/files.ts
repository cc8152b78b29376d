/** Writing that survives a crash, and reading that does not throw. */
import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { uniqueName } from './unique-name.ts';

/** The bytes of a file, or undefined when it cannot be read. */
export function readBytes(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch {
    return undefined;
  }
}

const scratch = Buffer.allocUnsafeSlow(64 * 1024);

/** The same, but the known bytes themselves where the file still holds them: what is read often and changes rarely. */
export function readAgain(path: string, known: Buffer): Buffer | undefined {
  let fd: number | undefined;
  try {
    fd = openSync(path, 'r');
    let at = 0;
    for (let read = -1; read !== 0; at += read) {
      read = readSync(fd, scratch);
      if (known.compare(scratch, 0, read, at, Math.min(known.length, at + read)) !== 0) return readBytes(path);
    }
    return at === known.length ? known : readBytes(path);
  } catch {
    return undefined;
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}

export function readText(path: string): string | undefined {
  return readBytes(path)?.toString('utf8');
}

/** Whole or not at all: temporary file, fsync, rename, fsync of the folder. A symlink is written through. */
export function writeAtomic(path: string, data: string | Buffer): void {
  replace(path, data, 'synced');
}

/** The same without waiting for the disk, for what the journal and git can make again after a power cut. */
export function writeWhole(path: string, data: string | Buffer): void {
  replace(path, data, 'unsynced');
}

function replace(path: string, data: string | Buffer, how: 'synced' | 'unsynced'): void {
  const target = resolveLink(path);
  const folder = dirname(target);
  mkdirSync(folder, { recursive: true });
  const temporary = join(folder, `.${uniqueName()}.tmp`);
  try {
    const fd = openSync(temporary, 'wx', modeOf(target));
    try {
      writeAll(fd, typeof data === 'string' ? Buffer.from(data) : data);
      if (how === 'synced') fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
    renameSync(temporary, target);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
  if (how === 'synced') syncFolder(folder);
}

/** `write` may write less than asked when the disk fills; the rest must not be forgotten. */
export function writeAll(fd: number, bytes: Buffer): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at);
}

/** A rename is durable only once its folder is. */
export function syncFolder(folder: string): void {
  const fd = openSync(folder, 'r');
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

function resolveLink(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

function modeOf(path: string): number {
  try {
    return statSync(path).mode & 0o777;
  } catch {
    return 0o644;
  }
}

/** Names in a folder; none where there is no such folder. */
export function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
