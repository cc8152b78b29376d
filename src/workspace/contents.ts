/**
 * The bytes of changed files, from the two trees themselves and never from a patch: an attribute such as `-diff` hides a
 * file from a patch, and a patch is cut when it is long.
 */
import { join } from 'node:path';
import type { Change, FileText } from '../protocol.ts';
import { readBytes } from '../util/files.ts';
import { ok, type Result } from '../util/result.ts';
import type { Git } from './git.ts';

/** Nobody reads more of one file than this, guards included. */
const FILE_BYTES = 2 * 1024 * 1024;
const BATCH_BYTES = 32 * 1024 * 1024;
/** Of one call; a change with more text than this is refused by its size long before. */
const ALL_BYTES = 96 * 1024 * 1024;

const FILE_MODE = /^100/;
const SYMLINK = '120000';

export interface ContentsInput {
  readonly git: Git;
  /** The repository's `objects` folder, where that is known: fresh objects are read without a process. */
  readonly objects?: string;
  readonly changes: readonly Change[];
  /** Object names such as `<tree>:<path>`, asked for as they are. */
  readonly also?: readonly string[];
}

export interface Contents {
  /** Both sides by path; nothing for what is no text or too large. */
  readonly texts: ReadonlyMap<string, FileText>;
  readonly links: ReadonlyMap<string, string>;
  /** Bytes of the new side, for files that could not be read as text. */
  readonly sizes: ReadonlyMap<string, number>;
  /** By the name it was asked for; nothing for what is not there. */
  readonly also: ReadonlyMap<string, string>;
}

export async function readContents({ git, objects, changes, also = [] }: ContentsInput): Promise<Result<Contents>> {
  const ids = new Set<string>();
  for (const change of changes) {
    if (change.before && isReadable(change.oldMode ?? change.mode)) ids.add(change.before);
    if (change.after && isReadable(change.mode)) ids.add(change.after);
  }
  const bytes: Objects = new Map();
  const missing: string[] = [];
  for (const id of ids) {
    const loose = objects === undefined ? undefined : looseBlob(objects, id);
    if (loose) bytes.set(id, loose);
    else missing.push(id);
  }
  const names = [...missing, ...also.filter(name => !name.includes('\n'))];
  const read = await readObjects(git, names, bytes);
  if (!read.ok) return read;
  return ok({
    texts: new Map(changes.flatMap(change => textsOf(change, bytes))),
    links: new Map(changes.flatMap(change => linkOf(change, bytes))),
    sizes: new Map(changes.flatMap(change => pair(change.path, sizeOf(bytes.get(change.after ?? ''))))),
    also: new Map(also.flatMap(name => pair(name, textOf(bytes.get(name))))),
  });
}

/** By name: what it holds, or only its length where that is too much. */
type Objects = Map<string, Buffer | number>;

const sizeOf = (found: Buffer | number | undefined): number | undefined =>
  typeof found === 'number' ? found : found?.length;

const isReadable = (mode: string): boolean => FILE_MODE.test(mode) || mode === SYMLINK;

const pair = <T>(key: string, value: T | undefined): readonly (readonly [string, T])[] =>
  value === undefined ? [] : [[key, value]];

function textsOf(
  change: Change,
  bytes: ReadonlyMap<string, Buffer | number>,
): readonly (readonly [string, FileText])[] {
  const side = (id: string | undefined, mode: string) =>
    id === undefined || !FILE_MODE.test(mode) ? '' : textOf(bytes.get(id));
  const before = side(change.before, change.oldMode ?? change.mode);
  const after = side(change.after, change.mode);
  return before === undefined || after === undefined ? [] : [[change.path, { before, after }]];
}

function linkOf(change: Change, bytes: ReadonlyMap<string, Buffer | number>): readonly (readonly [string, string])[] {
  if (change.mode !== SYMLINK || change.after === undefined) return [];
  const target = bytes.get(change.after);
  return pair(change.path, typeof target === 'number' ? undefined : target?.toString('utf8'));
}

/** Undefined for bytes that are no text, by the same sign that git goes by. */
function textOf(bytes: Buffer | number | undefined): string | undefined {
  if (
    bytes === undefined ||
    typeof bytes === 'number' ||
    bytes.length > FILE_BYTES ||
    bytes.subarray(0, 8000).includes(0)
  )
    return undefined;
  return bytes.toString('utf8');
}

/** An object that was written a moment ago is a file of its own. */
function looseBlob(objects: string, id: string): Buffer | undefined {
  try {
    // Loaded when it is first used: an audit reads no loose objects.
    const stored = readBytes(join(objects, id.slice(0, 2), id.slice(2)));
    if (!stored) return undefined;
    const raw = process.getBuiltinModule('node:zlib').inflateSync(stored, { maxOutputLength: FILE_BYTES + 64 });
    const end = raw.indexOf(0);
    return raw.toString('latin1', 0, 5) === 'blob ' ? raw.subarray(end + 1) : undefined;
  } catch {
    return undefined;
  }
}

async function readObjects(git: Git, names: readonly string[], into: Objects): Promise<Result<void>> {
  if (names.length === 0) return ok(undefined);
  const out = await git.run({ args: ['cat-file', '--batch'], input: names.join('\n'), maxBytes: BATCH_BYTES });
  if (!out.ok) return out;
  const done = parseBatch(out.value, names, into);
  if (done === names.length) return ok(undefined);
  return await readSmall(git, names.slice(done), into);
}

/** What did not fit: sizes first, then only files that are small enough, a batch at a time. */
async function readSmall(git: Git, names: readonly string[], into: Objects): Promise<Result<void>> {
  const listed = await git.run({ args: ['cat-file', '--batch-check=%(objectsize)'], input: names.join('\n') });
  if (!listed.ok) return listed;
  const sizes = listed.value.toString('utf8').split('\n').map(Number);
  let batch: string[] = [];
  let [size, all] = [0, 0];
  const flush = async (): Promise<Result<void>> => {
    const asked = batch;
    [batch, size] = [[], 0];
    if (asked.length === 0) return ok(undefined);
    const out = await git.run({ args: ['cat-file', '--batch'], input: asked.join('\n'), maxBytes: 2 * BATCH_BYTES });
    if (out.ok) parseBatch(out.value, asked, into);
    return out.ok ? ok(undefined) : out;
  };
  for (const [index, name] of names.entries()) {
    const bytes = sizes[index] ?? Number.NaN;
    if (!(bytes <= FILE_BYTES) || all + bytes > ALL_BYTES) {
      if (bytes >= 0) into.set(name, bytes);
      continue;
    }
    all += bytes;
    size += bytes + 200;
    batch.push(name);
    if (size < BATCH_BYTES) continue;
    const done = await flush();
    if (!done.ok) return done;
  }
  return await flush();
}

/** Reads answers in the order they were asked for, by their stated lengths; returns how many were whole. */
function parseBatch(out: Buffer, names: readonly string[], into: Objects): number {
  let at = 0;
  for (const [index, name] of names.entries()) {
    const end = out.indexOf(0x0a, at);
    if (end < 0) return index;
    const head = out.toString('utf8', at, end);
    const size = / blob (\d+)$/.exec(head)?.[1];
    const other = / (?:tree|commit|tag) (\d+)$/.exec(head)?.[1];
    at = end + 1;
    if (size === undefined && other === undefined) continue;
    const length = Number(size ?? other);
    if (at + length > out.length) return index;
    if (size !== undefined) into.set(name, out.subarray(at, at + length));
    at += length + 1;
  }
  return names.length;
}

/** What each of these names is the name of, in order; nothing for one that is not there. */
export async function objectIds(git: Git, names: readonly string[]): Promise<readonly (string | undefined)[]> {
  // A line is a name, so what has several lines is none.
  if (names.some(name => name.includes('\n'))) return names.map(() => undefined);
  const found = await git.run({ args: ['cat-file', '--batch-check=%(objectname)'], input: `${names.join('\n')}\n` });
  const lines = found.ok ? found.value.toString('utf8').split('\n') : [];
  return names.map((_, index) => /^[0-9a-f]{40,64}$/.exec(lines[index] ?? '')?.[0]);
}

const TESTS = [':(icase)*test*', ':(icase)*spec*', '*.rs'];
const TESTS_READ = 40;

/** Test files of a tree that hold one of these texts, as they are. */
export async function searchTests(
  git: Git,
  tree: string,
  texts: readonly string[],
): Promise<Result<ReadonlyMap<string, string>>> {
  const wanted = texts.filter(text => text !== '' && !/[\n\0]/.test(text));
  if (wanted.length === 0) return ok(new Map());
  const patterns = wanted.flatMap(text => ['-e', text]);
  const listed = await git.list('grep', '-l', '-z', '-I', '-F', ...patterns, tree, '--', ...TESTS);
  // Nothing found is a failure to git.
  if (!listed.ok) return ok(new Map());
  const read = await readContents({ git, changes: [], also: listed.value.slice(0, TESTS_READ) });
  if (!read.ok) return read;
  return ok(new Map([...read.value.also].map(([name, text]) => [name.slice(tree.length + 1), text])));
}
