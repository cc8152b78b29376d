/**
 * Git's index file, as far as an index of our own needs it: version 2, no conflicts, no extension but the cached trees.
 * Anything else is read as undefined and left to git. Names are latin1 strings: one character per byte, in git's order.
 */
import { createHash } from 'node:crypto';
import type { ObjectStore } from './objects.ts';

export interface IndexEntry {
  /** Where the entry begins in the file. */
  readonly offset: number;
  readonly mode: number;
  readonly id: Buffer;
  readonly path: string;
}

/** A folder whose tree git remembers; `id` is missing where something below has changed since. */
export interface CachedTree {
  /** How many entries it covers. */
  readonly count: number;
  readonly id?: Buffer;
  readonly children: ReadonlyMap<string, CachedTree>;
}

export interface IndexFile {
  readonly bytes: Buffer;
  readonly entries: readonly IndexEntry[];
  /** Where the entries end and the extensions begin. */
  readonly end: number;
  readonly tree: CachedTree | undefined;
}

const HEADER = 12;
const STAT = 40;
const EXTENDED = 0x4000;
const STAGE = 0x3000;
const NAME = 0x0fff;
const SPARSE = 0o040000;
const hashLength = (algorithm: ObjectStore['algorithm']): number => (algorithm === 'sha256' ? 32 : 20);

export function parseIndex(bytes: Buffer, algorithm: ObjectStore['algorithm']): IndexFile | undefined {
  try {
    const body = bytes.subarray(0, -hashLength(algorithm));
    const sum = createHash(algorithm).update(body).digest();
    return sum.equals(bytes.subarray(body.length)) ? readIndex(bytes, sum.length) : undefined;
  } catch {
    // Every read past the end throws.
    return undefined;
  }
}

function readIndex(bytes: Buffer, hash: number): IndexFile | undefined {
  if (bytes.toString('latin1', 0, 4) !== 'DIRC' || bytes.readUInt32BE(4) !== 2) return undefined;
  const count = bytes.readUInt32BE(8);
  const entries: IndexEntry[] = [];
  let at = HEADER;
  for (let n = 0; n < count; n++) {
    const flags = bytes.readUInt16BE(at + STAT + hash);
    const mode = bytes.readUInt32BE(at + 24);
    if ((flags & (EXTENDED | STAGE)) !== 0 || mode === SPARSE) return undefined;
    const from = at + STAT + hash + 2;
    const length = (flags & NAME) < NAME ? flags & NAME : bytes.indexOf(0, from) - from;
    const id = bytes.subarray(at + STAT, at + STAT + hash);
    entries.push({ offset: at, mode, id, path: bytes.toString('latin1', from, from + length) });
    // Padded with one to eight zeros to a multiple of eight.
    at += (STAT + hash + 2 + length + 8) & ~7;
  }
  const end = at;
  let tree: CachedTree | undefined;
  while (at < bytes.length - hash) {
    const length = bytes.readUInt32BE(at + 4);
    if (bytes.toString('latin1', at, at + 4) !== 'TREE') return undefined;
    tree = readCachedTree(bytes.subarray(at + 8, at + 8 + length), hash);
    at += 8 + length;
  }
  return at === bytes.length - hash ? { bytes, entries, end, tree } : undefined;
}

/** `name NUL count SP subtrees LF id`, folders before what is in them; a count of -1 has no id. */
function readCachedTree(bytes: Buffer, hash: number): CachedTree {
  let at = 0;
  const until = (byte: number): string => {
    const end = bytes.indexOf(byte, at);
    if (end < 0) throw new Error('the cached trees are cut short');
    const text = bytes.toString('latin1', at, end);
    at = end + 1;
    return text;
  };
  const read = (): CachedTree => {
    const count = Number(until(0x20));
    const subtrees = Number(until(0x0a));
    const id = count < 0 ? undefined : bytes.subarray(at, at + hash);
    if (id) at += hash;
    const children = new Map<string, CachedTree>();
    for (let n = 0; n < subtrees; n++) children.set(until(0), read());
    return { count, children, ...(id ? { id } : {}) };
  };
  until(0);
  return read();
}

export interface StatOf {
  readonly ctimeNs: bigint;
  readonly mtimeNs: bigint;
  readonly dev: bigint;
  readonly ino: bigint;
  readonly uid: bigint;
  readonly gid: bigint;
  readonly size: bigint;
}

/** The index with one entry's content replaced and its trees known. */
export function rewriteIndex(
  index: IndexFile,
  change: {
    readonly algorithm: ObjectStore['algorithm'];
    readonly entry: IndexEntry;
    readonly id: Buffer;
    readonly stat: StatOf;
    readonly tree: CachedTree;
  },
): Buffer {
  const { entry, stat } = change;
  const entries = Buffer.from(index.bytes.subarray(0, index.end));
  const second = 1_000_000_000n;
  const low = (value: bigint): number => Number(BigInt.asUintN(32, value));
  const put = (field: number, value: bigint) => entries.writeUInt32BE(low(value), entry.offset + field);
  put(0, stat.ctimeNs / second);
  put(4, stat.ctimeNs % second);
  put(8, stat.mtimeNs / second);
  put(12, stat.mtimeNs % second);
  put(16, stat.dev);
  put(20, stat.ino);
  put(28, stat.uid);
  put(32, stat.gid);
  put(36, stat.size);
  change.id.copy(entries, entry.offset + STAT);
  const trees = writeCachedTree(change.tree);
  const head = Buffer.alloc(8, 'TREE', 'latin1');
  head.writeUInt32BE(trees.length, 4);
  const body = Buffer.concat([entries, head, trees]);
  return Buffer.concat([body, createHash(change.algorithm).update(body).digest()]);
}

function writeCachedTree(root: CachedTree): Buffer {
  const parts: Buffer[] = [];
  const write = (name: string, { count, id, children }: CachedTree): void => {
    parts.push(Buffer.from(`${name}\0${id ? count : -1} ${children.size}\n`, 'latin1'));
    if (id) parts.push(id);
    // Git looks children up by length first.
    const sorted = [...children].toSorted(([a], [b]) => a.length - b.length || (a < b ? -1 : 1));
    for (const [child, tree] of sorted) write(child, tree);
  };
  write('', root);
  return Buffer.concat(parts);
}
