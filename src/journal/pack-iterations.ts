/**
 * Packs the folders of old iterations while an agent works. A folder is removed only when its pack is on disk and readable: a process that
 * is killed in between leaves both, and the next one removes the folder.
 */
import { lstat, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { namesIn, syncFolder } from '../util/files.ts';
import {
  iterationIn,
  PACKED_TOGETHER,
  type PackContents,
  type Piece,
  packContents,
  packFor,
  packTail,
} from '../util/iteration-packs.ts';
import { ownFolder } from '../util/own-folder.ts';

/** A folder that is larger than this, or contains folders, stays as it is. */
const FOLDER_BYTES = 8 * 1024 * 1024;

export interface OldIterations {
  /** `.ralph` */
  readonly base: string;
  /** `.ralph/runs/<id>` */
  readonly runFolder: string;
  /** The newest finished iteration. */
  readonly finished: number;
}

/** Keeps at least the last fifty unpacked. Returns how many folders were removed. */
export async function packOldIterations({ base, runFolder, finished }: OldIterations): Promise<number> {
  let packed = 0;
  const complete = Math.floor(finished / PACKED_TOGETHER) * PACKED_TOGETHER - PACKED_TOGETHER;
  for (const first of openGroups(runFolder, complete)) packed += await packGroup(base, runFolder, first);
  return packed;
}

/** The first iteration of each group that still has folders. */
function openGroups(runFolder: string, upTo: number): readonly number[] {
  const numbers = namesIn(join(runFolder, 'iterations'))
    .map(Number)
    .filter(n => Number.isInteger(n) && n > 0 && n <= upTo);
  return [...new Set(numbers.map(n => n - ((n - 1) % PACKED_TOGETHER)))].toSorted((a, b) => a - b);
}

async function packGroup(base: string, runFolder: string, first: number): Promise<number> {
  const file = packFor(runFolder, first);
  const numbers = Array.from({ length: PACKED_TOGETHER }, (_, n) => first + n);
  if (packContents(file) === undefined) await writePack(base, { file, runFolder, numbers });
  const contents = packContents(file);
  let gone = 0;
  for (const n of numbers) {
    const folder = iterationIn(runFolder, n);
    const piece = contents?.[String(n)];
    if (!piece || !(await holdsAll(piece, folder))) continue;
    await rm(folder, { recursive: true, force: true });
    gone += 1;
  }
  return gone;
}

/** Whether the pack contains every file of the folder. */
async function holdsAll(piece: Piece, folder: string): Promise<boolean> {
  const names = await readdir(folder).catch(() => undefined);
  if (!names) return false;
  const sizes = await Promise.all(names.map(async name => (await lstat(join(folder, name))).size));
  return names.every((name, at) => piece.files[name] === sizes[at]);
}

async function writePack(
  base: string,
  group: { readonly file: string; readonly runFolder: string; readonly numbers: readonly number[] },
): Promise<void> {
  const { gzip: zip } = process.getBuiltinModule('node:zlib');
  const gzip = promisify<Buffer, Buffer>(zip);
  const pieces: Buffer[] = [];
  const contents: Record<string, PackContents[string]> = {};
  let at = 0;
  for (const n of group.numbers) {
    const files = await filesIn(iterationIn(group.runFolder, n));
    if (!files) continue;
    const texts = Object.fromEntries([...files].map(([name, bytes]) => [name, bytes.toString('base64')]));
    const piece = await gzip(Buffer.from(JSON.stringify(texts)));
    const sizes = Object.fromEntries([...files].map(([name, bytes]) => [name, bytes.length]));
    contents[String(n)] = { at, length: piece.length, files: sizes };
    pieces.push(piece);
    at += piece.length;
  }
  if (pieces.length === 0) return;
  ownFolder(base, dirname(group.file));
  const temporary = `${group.file}.tmp`;
  await rm(temporary, { recursive: true, force: true });
  const handle = await open(temporary, 'wx', 0o644);
  try {
    await handle.writeFile(Buffer.concat([...pieces, packTail(contents)]));
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(temporary, group.file);
  syncFolder(dirname(group.file));
}

/** Plain files only; undefined if there is anything else, too much, or nothing. */
async function filesIn(folder: string): Promise<ReadonlyMap<string, Buffer> | undefined> {
  const names = await readdir(folder).catch(() => []);
  const files = new Map<string, Buffer>();
  let bytes = 0;
  for (const name of names) {
    const stat = await lstat(join(folder, name));
    bytes += stat.size;
    if (!stat.isFile() || bytes > FOLDER_BYTES) return undefined;
    files.set(name, await readFile(join(folder, name)));
  }
  return files.size > 0 ? files : undefined;
}
