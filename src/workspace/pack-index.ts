/** Which objects a pack holds, read from git's own index of it: `pack-*.idx`, version 2. */
import { join } from 'node:path';
import { readBytes } from '../util/files.ts';

const MAGIC = 0xff744f63;
const FANOUT = 8;
const IDS = FANOUT + 256 * 4;

const PACK = /^pack-(?:[0-9a-f]{40}|[0-9a-f]{64})/;

/** The pack that a file belongs to; empty for one of none. */
export const packOf = (name: string): string => PACK.exec(name)?.[0] ?? '';

export interface PackIndex {
  /** One after the other: a repository may have millions. */
  ids(): Iterable<Buffer>;
  has(id: Buffer): boolean;
}

/** Undefined for what is no such index. */
export function readPackIndex(objects: string, pack: string): PackIndex | undefined {
  const bytes = readBytes(join(objects, 'pack', `${pack}.idx`));
  // The length of an id in bytes.
  const hash = (pack.length - 'pack-'.length) / 2;
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
  function* ids(): Iterable<Buffer> {
    for (let n = 0; n < count; n++) yield idAt(n);
  }
  return { ids, has };
}
