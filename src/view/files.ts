/**
 * The files that an iteration or a review left on disk. Agents can write there while they work, so links are not followed: a
 * link in the place of a folder or a file counts as missing.
 */
import { lstatSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { runFolder } from '../journal/index.ts';
import { isPacked, iterationIn, readOfIteration, sizeOfIteration } from '../util/iteration-packs.ts';
import type { Located } from './all-runs.ts';

export type IterationFile = 'brief.md' | 'brief.json' | 'output.log' | 'events.jsonl' | 'diff.patch';

/** Of longer output only the end is read. */
const MOST_BYTES = 8 * 1024 * 1024;

export interface Bytes {
  readonly bytes: Buffer;
  /** The size of the whole file. */
  readonly size: number;
}

export function readIterationFile({ place, run }: Located, n: number, name: IterationFile): Bytes | undefined {
  const folder = runFolder(place.folder, run);
  if (!isPacked(folder, n) && !isOwn(join(folder, 'iterations'), iterationIn(folder, n), name)) return undefined;
  if (isPacked(folder, n) && !isOwn(folder, join(folder, 'packed'))) return undefined;
  const size = sizeOfIteration(folder, n, name);
  if (size > MOST_BYTES) return undefined;
  const bytes = readOfIteration(folder, n, name);
  return bytes && { bytes, size: bytes.length };
}

const LIVE = 'events.jsonl';

/** The path of an agent's live file; undefined if something else is in its place. */
export const liveFile = (folder: string): string | undefined =>
  isOwn(dirname(folder), folder, LIVE) ? join(folder, LIVE) : undefined;

function isOwn(above: string, folder: string, name?: string): boolean {
  const kind = (path: string) => lstatSync(path, { throwIfNoEntry: false });
  try {
    if (!kind(above)?.isDirectory() || !kind(folder)?.isDirectory()) return false;
    return name === undefined || kind(join(folder, name))?.isFile() === true;
  } catch {
    return false;
  }
}
