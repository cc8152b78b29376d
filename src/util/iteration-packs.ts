/**
 * Packed folders of old iterations, fifty per file: `packed/0001-0050.gz` in the run's folder. Each iteration is compressed separately, so
 * that it can be read without the others; an index at the end of the file tells where each one is. All code that reads an iteration's
 * files uses this module, whether they are packed or not.
 */
import { closeSync, fstatSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { namesIn, readBytes } from './files.ts';
import { openRegular } from './regular.ts';
import { lookAt } from './version.ts';

/** Iterations per file. */
export const PACKED_TOGETHER = 50;

const TAIL = 12;
const MARK = 'RALPHPK1';
/** The maximum size of an index and of a packed iteration. */
const MAX_BYTES = 64 * 1024 * 1024;

export interface Piece {
  readonly at: number;
  readonly length: number;
  /** The size of each file. */
  readonly files: Readonly<Record<string, number>>;
}

/** Keyed by the number of the iteration. */
export type PackContents = Readonly<Record<string, Piece>>;

/** Keyed by file name, in base64. */
export type PackedFiles = Readonly<Record<string, string>>;

export const iterationIn = (runFolder: string, iteration: number): string =>
  join(runFolder, 'iterations', String(iteration).padStart(3, '0'));

/** The file that an iteration is packed into when it is old. */
export function packFor(runFolder: string, iteration: number): string {
  const first = Math.floor((iteration - 1) / PACKED_TOGETHER) * PACKED_TOGETHER + 1;
  const name = [first, first + PACKED_TOGETHER - 1].map(n => String(n).padStart(4, '0')).join('-');
  return join(runFolder, 'packed', `${name}.gz`);
}

const zlib = () => process.getBuiltinModule('node:zlib');

/** The index and the footer of a pack, which follow its pieces. */
export function packTail(contents: PackContents): Buffer {
  const index = zlib().gzipSync(JSON.stringify(contents));
  const tail = Buffer.alloc(TAIL, MARK, 'latin1');
  tail.writeUInt32BE(index.length, MARK.length);
  return Buffer.concat([index, tail]);
}

/** The index of a pack; undefined if there is no pack or it is incomplete. */
export function packContents(file: string): PackContents | undefined {
  return withFile(file, (fd, size) => {
    const tail = bytesAt(fd, size - TAIL, TAIL);
    const length = tail.toString('latin1', 0, MARK.length) === MARK ? tail.readUInt32BE(MARK.length) : -1;
    if (length < 0 || length > Math.min(size, MAX_BYTES)) return undefined;
    const index = zlib().gunzipSync(bytesAt(fd, size - TAIL - length, length), { maxOutputLength: MAX_BYTES });
    return JSON.parse(index.toString('utf8')) as PackContents;
  });
}

let last: { readonly file: string; readonly version: string; readonly contents: PackContents | undefined } | undefined;

/** Caches the last index, because callers usually read many iterations of the same pack in a row. */
function pieceOf(runFolder: string, iteration: number): Piece | undefined {
  const file = packFor(runFolder, iteration);
  const stat = lookAt(file);
  if (!stat) return undefined;
  const version = `${stat.ino} ${stat.size} ${stat.mtimeMs}`;
  if (last?.file !== file || last.version !== version) last = { file, version, contents: packContents(file) };
  return last.contents?.[String(iteration)];
}

/** Whether anything of this iteration exists. */
export const hasIteration = (runFolder: string, iteration: number): boolean =>
  lookAt(iterationIn(runFolder, iteration)) !== undefined || pieceOf(runFolder, iteration) !== undefined;

/** Whether the iteration exists only in a pack. */
export const isPacked = (runFolder: string, iteration: number): boolean =>
  lookAt(iterationIn(runFolder, iteration)) === undefined && pieceOf(runFolder, iteration) !== undefined;

/** Reads a file of an iteration, packed or not. */
export function readOfIteration(runFolder: string, iteration: number, name: string): Buffer | undefined {
  const own = readBytes(join(iterationIn(runFolder, iteration), name));
  if (own) return own;
  const text = filesOf(runFolder, iteration)?.[name];
  return text === undefined ? undefined : Buffer.from(text, 'base64');
}

/** The size of such a file; 0 if it does not exist. */
export function sizeOfIteration(runFolder: string, iteration: number, name: string): number {
  const stat = lookAt(join(iterationIn(runFolder, iteration), name));
  return stat?.size ?? pieceOf(runFolder, iteration)?.files[name] ?? 0;
}

/** The number of the newest iteration with any files; 0 before the first. */
export function newestIteration(runFolder: string): number {
  const folders = namesIn(join(runFolder, 'iterations')).map(name => Number.parseInt(name, 10) || 0);
  const newest = folders.reduce((most, each) => Math.max(most, each), 0);
  if (newest > 0) return newest;
  const packs = namesIn(join(runFolder, 'packed')).filter(name => name.endsWith('.gz'));
  const newer = packs.toSorted().at(-1);
  const held = newer === undefined ? undefined : packContents(join(runFolder, 'packed', newer));
  return Object.keys(held ?? {}).reduce((most, each) => Math.max(most, Number(each)), 0);
}

function filesOf(runFolder: string, iteration: number): PackedFiles | undefined {
  const piece = pieceOf(runFolder, iteration);
  if (!piece) return undefined;
  return withFile(packFor(runFolder, iteration), fd => {
    const bytes = zlib().gunzipSync(bytesAt(fd, piece.at, piece.length), { maxOutputLength: MAX_BYTES });
    return JSON.parse(bytes.toString('utf8')) as PackedFiles;
  });
}

function bytesAt(fd: number, at: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafe(length);
  for (let read = 0; read < length; ) {
    const more = readSync(fd, bytes, read, length - read, at + read);
    if (more === 0) throw new Error('the file is cut short');
    read += more;
  }
  return bytes;
}

/** Undefined if the file cannot be opened or is invalid. */
function withFile<T>(file: string, read: (fd: number, size: number) => T): T | undefined {
  const opened = openRegular(file);
  if (typeof opened === 'string') return undefined;
  try {
    return read(opened.fd, fstatSync(opened.fd).size);
  } catch {
    return undefined;
  } finally {
    closeSync(opened.fd);
  }
}
