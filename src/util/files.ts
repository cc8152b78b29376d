/** Writing that survives a crash, and reading that does not throw. */
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

/** The bytes of a regular file, or undefined when it cannot be read: nothing else is waited for or read without an end. */
export function readBytes(path: string, max?: number): Buffer | undefined {
  const read = readWhole(path, max);
  return Buffer.isBuffer(read) ? read : undefined;
}

const scratch = Buffer.allocUnsafeSlow(64 * 1024);

/** The same, but the known bytes themselves where the file still holds them: what is read often and changes rarely. */
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
 * Whole or not at all: temporary file, fsync, rename, fsync of the folder. A link is written through: for a person's own
 * files, such as the plan. What only the runner writes is written with `writeOwn`.
 */
export function writeAtomic(path: string, data: string | Buffer): void {
  replace(resolveLink(path), data, 'synced');
}

/** The same for a file of the runner's own: a link in its place is replaced, and what it points to is not touched. */
export function writeOwn(path: string, data: string | Buffer): void {
  replace(path, data, 'synced');
}

/** `writeAtomic` without waiting for the disk, for what the journal and git can make again after a power cut. */
export function writeWhole(path: string, data: string | Buffer): void {
  replace(resolveLink(path), data, 'unsynced');
}

/** `writeOwn` without waiting for the disk. */
export function writeOwnSoon(path: string, data: string | Buffer): void {
  replace(path, data, 'unsynced');
}

/**
 * The same for a file that keeps its length, such as one id: written in place where that file has no other name. To put a new
 * file in the place of an old one costs a disk more: it finds room for the one and gives up that of the other.
 */
export function writeOwnInPlace(path: string, data: string): void {
  if (!overwriteInPlace(path, { to: data })) replace(path, data, 'unsynced');
}

/** False, and nothing written, where the file has another length, another name, or does not hold `from`. */
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

/** A new file of the runner's own in place of whatever has its name; not whole until it returns. */
export function writeFresh(path: string, data: string | Buffer): void {
  const fd = createFresh(path);
  try {
    writeAll(fd, typeof data === 'string' ? Buffer.from(data) : data);
  } finally {
    closeSync(fd);
  }
}

/** Opens a new file for writing. What had its name, a link or a pipe for one, is taken away and not written to. */
export function createFresh(path: string): number {
  // A device is never in the way by accident, and nobody could bring it back.
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

/** What a file is to hold, in an open file beside it. */
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

/** `writeOwn` for several files that wait for the disk together: all are on it before the first of them gets its name. */
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

/** By other threads, each of which is done with its file when this is over. */
async function syncTogether(fds: readonly number[]): Promise<void> {
  const synced = (fd: number) => new Promise<Error | null>(resolve => fsync(fd, resolve));
  const refused = (await Promise.all(fds.map(synced))).find(error => error !== null);
  if (refused) throw refused;
}

/** `write` may write less than asked when the disk fills; the rest must not be forgotten. */
export function writeAll(fd: number, bytes: Buffer): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at);
}

/** A new file that is on disk when this returns; one of that name must not be there. */
export function createSynced(path: string, bytes: Buffer): void {
  const fd = openSync(path, 'wx', 0o666);
  try {
    writeAll(fd, bytes);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** What was written to an open file reaches the disk before this returns. */
export const syncData = (fd: number): void => fdatasyncSync(fd);

/** The same beside other work; `done` hears what the disk refused. */
export const syncDataBeside = (fd: number, done: (error: NodeJS.ErrnoException | null) => void): void =>
  fdatasync(fd, done);

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
    return behindLink(path);
  }
}

/** A link whose file is gone still says where the file belongs. */
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

/** Names in a folder; none where there is no such folder. */
export function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
