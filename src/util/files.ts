/** Crash-safe writing, and reading that does not throw. */
import {
  closeSync,
  constants,
  fdatasync,
  fdatasyncSync,
  fstatSync,
  fsync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  readSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { openRegular, readWhole } from './regular.ts';
import { uniqueName } from './unique-name.ts';
import { lookAt } from './version.ts';

/** The bytes of a regular file; undefined if it cannot be read. Never blocks on a pipe or reads a device. */
export function readBytes(path: string, max?: number): Buffer | undefined {
  const read = readWhole(path, max);
  return Buffer.isBuffer(read) ? read : undefined;
}

const scratch = Buffer.allocUnsafeSlow(64 * 1024);

/** The same, but returns `known` itself if the file still has that content; for files that are read often and rarely change. */
export function readAgain(path: string, known: Buffer): Buffer | undefined {
  let fd: number | undefined;
  try {
    const opened = openRegular(path);
    if (typeof opened === 'string') return undefined;
    fd = opened.fd;
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

export function readText(path: string, max?: number): string | undefined {
  return readBytes(path, max)?.toString('utf8');
}

/**
 * Atomic and durable: temporary file, fsync, rename, fsync of the folder. Writes through a link, for a person's own files such as the
 * plan. Use `writeOwn` for files that only the runner writes.
 */
export function writeAtomic(path: string, data: string | Buffer): void {
  replace(resolveLink(path), data, 'synced');
}

/** The same for the runner's own files: a link in its place is replaced, and its target stays untouched. */
export function writeOwn(path: string, data: string | Buffer): void {
  replace(path, data, 'synced');
}

/** `writeAtomic` without fsync, for files that can be rebuilt from the journal and git after a power cut. */
export function writeWhole(path: string, data: string | Buffer): void {
  replace(resolveLink(path), data, 'unsynced');
}

/** `writeOwn` without fsync. */
export function writeOwnSoon(path: string, data: string | Buffer): void {
  replace(path, data, 'unsynced');
}

/**
 * The same for a file of fixed length, such as one that contains an id: overwritten in place if it has no other hard link. Replacing a
 * file costs the disk more, because it allocates the new one and frees the old one.
 */
export function writeOwnInPlace(path: string, data: string): void {
  if (!overwriteInPlace(path, { to: data })) replace(path, data, 'unsynced');
}

/** Returns false and writes nothing if the file has another length, another hard link, or does not contain `from`. */
export function overwriteInPlace(path: string, { from, to }: { readonly from?: string; readonly to: string }): boolean {
  let fd: number;
  try {
    fd = openSync(path, constants.O_RDWR | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch {
    return false;
  }
  try {
    const stat = fstatSync(fd);
    const bytes = Buffer.from(to);
    if (!stat.isFile() || stat.nlink !== 1 || stat.size !== bytes.length) return false;
    if (from !== undefined && readFileSync(fd, 'utf8') !== from) return false;
    return writeSync(fd, bytes, 0, bytes.length, 0) === bytes.length;
  } finally {
    closeSync(fd);
  }
}

/** Creates a new file of the runner's own in place of whatever has its name; not atomic. */
export function writeFresh(path: string, data: string | Buffer): void {
  const fd = createFresh(path);
  try {
    writeAll(fd, typeof data === 'string' ? Buffer.from(data) : data);
  } finally {
    closeSync(fd);
  }
}

/** Opens a new file for writing. A link or pipe of that name is removed, not written to. */
export function createFresh(path: string): number {
  // A device is never there by accident, and could not be recreated.
  if (isDevice(path)) return openSync(path, constants.O_WRONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  rmSync(path, { recursive: true, force: true });
  return openSync(path, 'wx', 0o644);
}

function isDevice(path: string): boolean {
  const stat = lookAt(path);
  return stat !== undefined && (stat.isCharacterDevice() || stat.isBlockDevice());
}

function replace(target: string, data: string | Buffer, how: 'synced' | 'unsynced'): void {
  const { fd, temporary } = writeBeside(target, data);
  try {
    try {
      if (how === 'synced') fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
    renameSync(temporary, target);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
  if (how === 'synced') syncFolder(dirname(target));
}

/** Writes the data to a temporary file beside the target. */
function writeBeside(target: string, data: string | Buffer): { readonly fd: number; readonly temporary: string } {
  if (isDevice(target)) throw new Error(`${target} is a device, not a file`);
  const folder = dirname(target);
  mkdirSync(folder, { recursive: true });
  const temporary = join(folder, `.${uniqueName()}.tmp`);
  const fd = openSync(temporary, 'wx', modeOf(target));
  try {
    writeAll(fd, typeof data === 'string' ? Buffer.from(data) : data);
    return { fd, temporary };
  } catch (error) {
    closeSync(fd);
    rmSync(temporary, { force: true });
    throw error;
  }
}

/** `writeOwn` for several files with a shared wait: all are on disk before the first one gets its name. */
export async function writeOwnTogether(files: ReadonlyMap<string, string | Buffer>): Promise<void> {
  const beside: { readonly target: string; readonly fd: number; readonly temporary: string }[] = [];
  try {
    try {
      for (const [target, data] of files) beside.push({ target, ...writeBeside(target, data) });
      await syncTogether(beside.map(({ fd }) => fd));
    } finally {
      for (const { fd } of beside) closeSync(fd);
    }
    for (const { target, temporary } of beside) renameSync(temporary, target);
  } catch (error) {
    for (const { temporary } of beside) rmSync(temporary, { force: true });
    throw error;
  }
  const folders = [...new Set([...files.keys()].map(target => dirname(target)))].map(folder => openSync(folder, 'r'));
  try {
    await syncTogether(folders);
  } finally {
    for (const fd of folders) closeSync(fd);
  }
}

/** Runs in the thread pool; all syncs have finished when this returns. */
async function syncTogether(fds: readonly number[]): Promise<void> {
  const synced = (fd: number) => new Promise<Error | null>(resolve => fsync(fd, resolve));
  const refused = (await Promise.all(fds.map(synced))).find(error => error !== null);
  if (refused) throw refused;
}

/** `write` may write less than asked when the disk fills up, so the rest has to be written again. */
export function writeAll(fd: number, bytes: Buffer): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at);
}

/** Creates a new file that is on disk when this returns; fails if the name exists. */
export function createSynced(path: string, bytes: Buffer): void {
  const fd = openSync(path, 'wx', 0o666);
  try {
    writeAll(fd, bytes);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** Syncs an open file's data to disk. */
export const syncData = (fd: number): void => fdatasyncSync(fd);

/** The same in the background; `done` gets the error. */
export const syncDataBeside = (fd: number, done: (error: NodeJS.ErrnoException | null) => void): void =>
  fdatasync(fd, done);

/** A rename is durable only once its folder is synced. */
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
    return behindLink(path);
  }
}

/** A link whose target is missing still tells where the file belongs. */
function behindLink(path: string): string {
  try {
    return resolve(dirname(path), readlinkSync(path));
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

/** Names in a folder; empty if there is no such folder. */
export function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
