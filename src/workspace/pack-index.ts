/** Which objects a pack holds, read from git's own index of it: `pack-*.idx`, version 2. */
import { readBytes } from '../util/files.ts';

const MAGIC = 0xff744f63;
const FANOUT = 8;
const IDS = FANOUT + 256 * 4;

export interface PackIndex {
  readonly count: number;
  has(id: Buffer): boolean;
  idAt(n: number): Buffer;
}

/** Undefined for what is no such index. `hash` is the length of an id in bytes. */
export function readPackIndex(file: string, hash: number): PackIndex | undefined {
  const bytes = readBytes(file);
  if (!bytes || bytes.length < IDS || bytes.readUInt32BE(0) !== MAGIC || bytes.readUInt32BE(4) !== 2) return undefined;
  const upTo = (byte: number): number => (byte < 0 ? 0 : bytes.readUInt32BE(FANOUT + byte * 4));
  const count = upTo(255);
  if (bytes.length < IDS + count * hash) return undefined;
  const idAt = (n: number): Buffer => bytes.subarray(IDS + n * hash, IDS + (n + 1) * hash);
  const has = (id: Buffer): boolean => {
    const first = id[0] ?? 0;
    let [low, high] = [upTo(first - 1), Math.min(count, upTo(first)) - 1];
    while (low <= high) {
      const middle = (low + high) >> 1;
      const order = idAt(middle).compare(id);
      if (order === 0) return true;
      if (order < 0) low = middle + 1;
      else high = middle - 1;
    }
    return false;
  };
  return { count, has, idAt };
}
