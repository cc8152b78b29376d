/** The runner's own index file, read and rewritten without git where it holds nothing unusual. */
import {
  closeSync,
  constants,
  copyFile,
  ftruncateSync,
  openSync,
  readSync,
  rename,
  rmSync,
  statSync,
  utimesSync,
} from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { writeAll } from '../util/files.ts';
import { openRegular } from '../util/regular.ts';
import { attempt } from '../util/result.ts';
import { type CachedTree, type IndexFile, parseIndex, placeOf, rewriteIndex } from './index-file.ts';
import { notInIndex } from './not-in-index.ts';
import { type ObjectStore, objectId, writeObject } from './objects.ts';
import { withoutPath, writeTrees } from './write-tree.ts';

/** Not by `node:fs/promises`, which takes longer to load than to copy. */
const copy = promisify(copyFile);
const move = promisify(rename);

/**
 * Above this it is left to git. Of an index of 4.5 MB (50,000 files) a tree is written here in a third of the time that
 * `git write-tree` takes; what is larger would only be felt in the memory it takes to read.
 */
const MAX_BYTES = 16 * 1024 * 1024;

interface Known {
  readonly index: IndexFile;
  readonly tree: Required<CachedTree>;
}

/** Every method gives undefined, and changes nothing git would mind, where git has to be asked. */
export class OwnIndex {
  readonly #file: string;
  readonly #store: ObjectStore;
  /** Read into again and again: a large index would leave its whole size as waste each time. */
  #buffer = Buffer.alloc(0);
  #holdsRepositories: boolean | undefined;

  constructor(file: string, store: ObjectStore) {
    this.#file = file;
    this.#store = store;
  }

  /** Whether a repository inside this one is in the index; undefined where that is not known. */
  get holdsRepositories(): boolean | undefined {
    this.#holdsRepositories ??= attempt(() => this.#parse())?.holdsRepositories;
    return this.#holdsRepositories;
  }

  /** Whether git was told not to look at some of its files; undefined where that is not known. */
  get holdsAssumed(): boolean | undefined {
    return attempt(() => this.#parse())?.holdsAssumed;
  }

  /** Whether the index has this path; undefined where that is not known. */
  holds(path: string): boolean | undefined {
    const index = attempt(() => this.#parse());
    return index && placeOf(index.entries, Buffer.from(path, 'utf8').toString('latin1')) >= 0;
  }

  /** What the work tree has and the index has not; names at its top that are `without` do not count. */
  others(root: string, without: readonly string[]): readonly string[] | undefined {
    const index = attempt(() => this.#parse());
    return index && attempt(() => notInIndex({ root, entries: index.entries, without }));
  }

  /** The tree of what the index holds. */
  writeTree(): string | undefined {
    return attempt(() => this.#read())?.tree.id.toString('hex');
  }

  /** The tree with one file's new content, which the index then holds too. */
  replaceFile(change: {
    readonly root: string;
    readonly path: string;
    readonly was: Buffer;
    readonly is: Buffer;
  }): string | undefined {
    return attempt(() => this.#replace(change));
  }

  // Read anew each time: two writes within one tick of the clock look the same from outside.
  #read(): Known | undefined {
    this.#holdsRepositories = undefined;
    const index = this.#parse();
    this.#holdsRepositories = index?.holdsRepositories;
    const tree = index && writeTrees(this.#store, index.entries, index.tree);
    return index && tree && { index, tree };
  }

  #parse(): IndexFile | undefined {
    const opened = openRegular(this.#file);
    if (typeof opened === 'string') return undefined;
    const { fd, size } = opened;
    try {
      if (size > MAX_BYTES) return undefined;
      if (this.#buffer.length < size) this.#buffer = Buffer.allocUnsafeSlow(size + (size >> 3));
      let at = 0;
      for (let read = -1; read !== 0 && at < size; at += read) read = readSync(fd, this.#buffer, at, size - at, at);
      return parseIndex(this.#buffer.subarray(0, at), this.#store.algorithm);
    } finally {
      closeSync(fd);
    }
  }

  #replace({ root, path, was, is }: Parameters<OwnIndex['replaceFile']>[0]): string | undefined {
    const known = this.#read();
    const name = Buffer.from(path, 'utf8').toString('latin1');
    const place = known ? placeOf(known.index.entries, name) : -1;
    const entry = known?.index.entries.at(place);
    if (!known || place < 0 || !entry) return undefined;
    const { algorithm } = this.#store;
    // Git may store other bytes than the file has (line ends, filters); where it did before, it would again.
    if (objectId(algorithm, 'blob', was) !== entry.id.toString('hex')) return undefined;
    const stat = statSync(join(root, path), { bigint: true });
    const id = Buffer.from(writeObject(this.#store, 'blob', is), 'hex');
    const { length } = known.index.entries;
    const entries = { length, at: (n: number) => (n === place ? { ...entry, id } : known.index.entries.at(n)) };
    const tree = writeTrees(this.#store, entries, withoutPath(known.tree, name));
    if (!tree) return undefined;
    const named = tree.id.toString('hex');
    overwrite(this.#file, rewriteIndex(known.index, { algorithm, entry, id, stat, tree }));
    return named;
  }
}

/** Copies an index whole or not at all, by another thread. */
export async function copyIndex(from: string, to: string): Promise<void> {
  const temporary = `${to}.ralph`;
  try {
    rmSync(temporary, { recursive: true, force: true });
    await copy(from, temporary, constants.COPYFILE_EXCL);
    setTime(temporary, statSync(from).mtimeMs);
    await move(temporary, to);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/** In place: nobody else reads this index, and a restart begins with a fresh one. */
function overwrite(file: string, parts: readonly Buffer[]): void {
  const { mtimeMs } = statSync(file);
  const fd = openSync(file, 'r+');
  try {
    for (const part of parts) writeAll(fd, part);
    ftruncateSync(
      fd,
      parts.reduce((sum, { length }) => sum + length, 0),
    );
  } finally {
    closeSync(fd);
  }
  setTime(file, mtimeMs);
}

/**
 * An index keeps its time: git trusts a file's unchanged stat only when the file is older than the index, and a younger
 * index would vouch for files that changed in the same instant they were read in.
 */
function setTime(file: string, mtimeMs: number): void {
  // A little too old only makes git look again.
  const seconds = Math.floor(mtimeMs - 1) / 1000;
  utimesSync(file, seconds, seconds);
}
