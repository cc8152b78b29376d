/**
 * Folders of iterations that are long over, fifty to a file: `packed/0001-0050.gz` in the folder of their run. Each iteration
 * is a piece of its own, so that one of them is read without the others; where the pieces are is told at the end of the file.
 * Everybody who reads what an iteration left reads it here, packed or not.
 */
import { closeSync, fstatSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { namesIn, readBytes } from './files.ts';
import { openRegular } from './regular.ts';
import { lookAt } from './version.ts';

/** Iterations in one file. */
export const PACKED_TOGETHER = 50;

const TAIL = 12;
const MARK = 'RALPHPK1';
/** No index and no iteration that is packed is larger. */
const MAX_BYTES = 64 * 1024 * 1024;

export interface Piece {
  readonly at: number;
  readonly length: number;
  /** The size of each file. */
  readonly files: Readonly<Record<string, number>>;
}

/** By the number of the iteration. */
export type PackContents = Readonly<Record<string, Piece>>;

/** By name, in base64. */
export type PackedFiles = Readonly<Record<string, string>>;

export const iterationIn = (runFolder: string, iteration: number): string =>
  join(runFolder, 'iterations', String(iteration).padStart(3, '0'));

/** The file that an iteration is packed into once it is old. */
export function packFor(runFolder: string, iteration: number): string {
  const first = Math.floor((iteration - 1) / PACKED_TOGETHER) * PACKED_TOGETHER + 1;
  const name = [first, first + PACKED_TOGETHER - 1].map(n => String(n).padStart(4, '0')).join('-');
  return join(runFolder, 'packed', `${name}.gz`);
}

const zlib = () => process.getBuiltinModule('node:zlib');

/** What follows the pieces of a pack. */
export function packTail(contents: PackContents): Buffer {
  const index = zlib().gzipSync(JSON.stringify(contents));
  const tail = Buffer.alloc(TAIL, MARK, 'latin1');
  tail.writeUInt32BE(index.length, MARK.length);
  return Buffer.concat([index, tail]);
}

/** What a pack holds; undefined where there is none or it is not whole. */
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

/** The same pack is asked for many iterations, one after the other. */
function pieceOf(runFolder: string, iteration: number): Piece | undefined {
  const file = packFor(runFolder, iteration);
  const stat = lookAt(file);
  if (!stat) return undefined;
  const version = `${stat.ino} ${stat.size} ${stat.mtimeMs}`;
  if (last?.file !== file || last.version !== version) last = { file, version, contents: packContents(file) };
  return last.contents?.[String(iteration)];
}

/** Whether there is anything of this iteration. */
export const hasIteration = (runFolder: string, iteration: number): boolean =>
  lookAt(iterationIn(runFolder, iteration)) !== undefined || pieceOf(runFolder, iteration) !== undefined;

/** Whether it is to be read from a pack. */
export const isPacked = (runFolder: string, iteration: number): boolean =>
  lookAt(iterationIn(runFolder, iteration)) === undefined && pieceOf(runFolder, iteration) !== undefined;

/** A file that an iteration left, wherever it is now. */
export function readOfIteration(runFolder: string, iteration: number, name: string): Buffer | undefined {
  const own = readBytes(join(iterationIn(runFolder, iteration), name));
  if (own) return own;
  const text = filesOf(runFolder, iteration)?.[name];
  return text === undefined ? undefined : Buffer.from(text, 'base64');
}

/** How large it is; 0 where it is not there. */
export function sizeOfIteration(runFolder: string, iteration: number, name: string): number {
  const stat = lookAt(join(iterationIn(runFolder, iteration), name));
  return stat?.size ?? pieceOf(runFolder, iteration)?.files[name] ?? 0;
}

/** The number of the newest iteration that left anything; 0 before the first. */
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

/** Undefined where it cannot be opened, or is not what it should be. */
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
