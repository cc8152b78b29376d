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

/** Entries in git's order, each read when it is asked for: of a large index only a few are. */
export interface IndexEntries {
  readonly length: number;
  at(n: number): IndexEntry | undefined;
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
  readonly entries: IndexEntries;
  /** Whether a repository inside this one is among them. */
  readonly holdsRepositories: boolean;
  /** Whether git was told of some that they are as they were, whatever is on the disk. */
  readonly holdsAssumed: boolean;
  /** Where the entries end and the extensions begin. */
  readonly end: number;
  readonly tree: CachedTree | undefined;
}

const HEADER = 12;
const STAT = 40;
const ASSUMED = 0x8000;
const EXTENDED = 0x4000;
const STAGE = 0x3000;
const NAME = 0x0fff;
const SPARSE = 0o040000;
const REPOSITORY = 0o160000;
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
  // No entry is shorter than its fixed part; a count that says otherwise is no count.
  if (count > bytes.length / STAT) return undefined;
  const offsets = new Uint32Array(count);
  let [holdsRepositories, holdsAssumed] = [false, false];
  let at = HEADER;
  for (let n = 0; n < count; n++) {
    const flags = bytes.readUInt16BE(at + STAT + hash);
    const mode = bytes.readUInt32BE(at + 24);
    if ((flags & (EXTENDED | STAGE)) !== 0 || mode === SPARSE) return undefined;
    if (mode === REPOSITORY) holdsRepositories = true;
    if ((flags & ASSUMED) !== 0) holdsAssumed = true;
    offsets[n] = at;
    // Padded with one to eight zeros to a multiple of eight.
    at += (STAT + hash + 2 + nameLength(bytes, at, hash) + 8) & ~7;
  }
  const end = at;
  const entries = {
    length: count,
    at: (n: number): IndexEntry | undefined => {
      const offset = offsets[n];
      return offset === undefined ? undefined : entryAt(bytes, offset, hash);
    },
  };
  let tree: CachedTree | undefined;
  while (at < bytes.length - hash) {
    const length = bytes.readUInt32BE(at + 4);
    if (bytes.toString('latin1', at, at + 4) !== 'TREE') return undefined;
    tree = readCachedTree(bytes.subarray(at + 8, at + 8 + length), hash);
    at += 8 + length;
  }
  return at === bytes.length - hash ? { bytes, entries, holdsRepositories, holdsAssumed, end, tree } : undefined;
}

function nameLength(bytes: Buffer, offset: number, hash: number): number {
  const short = bytes.readUInt16BE(offset + STAT + hash) & NAME;
  const from = offset + STAT + hash + 2;
  return short < NAME ? short : bytes.indexOf(0, from) - from;
}

function entryAt(bytes: Buffer, offset: number, hash: number): IndexEntry {
  const from = offset + STAT + hash + 2;
  return {
    offset,
    mode: bytes.readUInt32BE(offset + 24),
    id: bytes.subarray(offset + STAT, offset + STAT + hash),
    path: bytes.toString('latin1', from, from + nameLength(bytes, offset, hash)),
  };
}

/** Where a path is among entries in git's order; -1 where it is not. */
export function placeOf(entries: IndexEntries, path: string): number {
  let [low, high] = [0, entries.length - 1];
  while (low <= high) {
    const middle = (low + high) >> 1;
    const found = entries.at(middle)?.path ?? '';
    if (found === path) return middle;
    // One character per byte, so that the order of characters is git's.
    if (found < path) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
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

/** The index with one entry's content replaced and its trees known, in parts; the bytes that were read are written to. */
export function rewriteIndex(
  index: IndexFile,
  change: {
    readonly algorithm: ObjectStore['algorithm'];
    readonly entry: IndexEntry;
    readonly id: Buffer;
    readonly stat: StatOf;
    readonly tree: CachedTree;
  },
): readonly Buffer[] {
  const { entry, stat } = change;
  // First: ids of trees are parts of the same bytes.
  const trees = writeCachedTree(change.tree);
  const entries = index.bytes.subarray(0, index.end);
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
  const head = Buffer.alloc(8, 'TREE', 'latin1');
  head.writeUInt32BE(trees.length, 4);
  const sum = createHash(change.algorithm).update(entries).update(head).update(trees).digest();
  return [entries, head, trees, sum];
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
