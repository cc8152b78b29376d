/** The runner's own index file, read and rewritten without git where it holds nothing unusual. */
import { closeSync, constants, ftruncateSync, openSync, renameSync, rmSync, statSync, utimesSync } from 'node:fs';
import { copyFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { readBytes, writeAll } from '../util/files.ts';
import { type CachedTree, type IndexFile, parseIndex, rewriteIndex } from './index-file.ts';
import { type ObjectStore, objectId, writeObject } from './objects.ts';
import { withoutPath, writeTrees } from './write-tree.ts';

/** Above this git, which maps the file instead of reading it, is faster. */
const MAX_BYTES = 4 * 1024 * 1024;

const REPOSITORY = 0o160000;

interface Known {
  readonly index: IndexFile;
  readonly tree: Required<CachedTree>;
}

/** Every method gives undefined, and changes nothing git would mind, where git has to be asked. */
export class OwnIndex {
  readonly #file: string;
  readonly #store: ObjectStore;
  #holdsRepositories: boolean | undefined;

  constructor(file: string, store: ObjectStore) {
    this.#file = file;
    this.#store = store;
  }

  /** Whether a repository inside this one is in the index; undefined where that is not known. */
  get holdsRepositories(): boolean | undefined {
    return this.#holdsRepositories;
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
    const { size } = statSync(this.#file);
    if (size > MAX_BYTES) return undefined;
    const bytes = readBytes(this.#file);
    const index = bytes && parseIndex(bytes, this.#store.algorithm);
    this.#holdsRepositories = index?.entries.some(entry => entry.mode === REPOSITORY);
    const tree = index && writeTrees(this.#store, index.entries, index.tree);
    return index && tree && { index, tree };
  }

  #replace({ root, path, was, is }: Parameters<OwnIndex['replaceFile']>[0]): string | undefined {
    const known = this.#read();
    const name = Buffer.from(path, 'utf8').toString('latin1');
    const entry = known?.index.entries.find(candidate => candidate.path === name);
    if (!known || !entry) return undefined;
    const { algorithm } = this.#store;
    // Git may store other bytes than the file has (line ends, filters); where it did before, it would again.
    if (objectId(algorithm, 'blob', was) !== entry.id.toString('hex')) return undefined;
    const stat = statSync(join(root, path), { bigint: true });
    const id = Buffer.from(writeObject(this.#store, 'blob', is), 'hex');
    const entries = known.index.entries.map(other => (other === entry ? { ...entry, id } : other));
    const tree = writeTrees(this.#store, entries, withoutPath(known.tree, name));
    if (!tree) return undefined;
    const bytes = rewriteIndex(known.index, { algorithm, entry, id, stat, tree });
    overwrite(this.#file, bytes);
    return tree.id.toString('hex');
  }
}

/** Copies an index whole or not at all, by another thread. */
export async function copyIndex(from: string, to: string): Promise<void> {
  const temporary = `${to}.ralph`;
  try {
    await rm(temporary, { recursive: true, force: true });
    await copyFile(from, temporary, constants.COPYFILE_EXCL);
    setTime(temporary, statSync(from).mtimeMs);
    renameSync(temporary, to);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/** In place: nobody else reads this index, and a restart begins with a fresh one. */
function overwrite(file: string, bytes: Buffer): void {
  const { mtimeMs } = statSync(file);
  const fd = openSync(file, 'r+');
  try {
    writeAll(fd, bytes);
    ftruncateSync(fd, bytes.length);
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

function attempt<T>(act: () => T): T | undefined {
  try {
    return act();
  } catch {
    return undefined;
  }
}
