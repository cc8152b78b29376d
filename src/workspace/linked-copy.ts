/**
 * A second name for every object of a repository, in a folder of our own: `rm -rf .git` takes names away, not what they
 * stand for. Objects never change and never have two contents, so two folders of them are merged by adding what is missing.
 */
import {
  constants,
  copyFileSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statfsSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { inflateSync } from 'node:zlib';
import { crypto } from '../util/crypto.ts';
import { lookAt, versionOf } from '../util/version.ts';
import { moveAside } from './kept-files.ts';

/** A copy outlives also what is written into a file in place, and is nearly as cheap for a small one. */
const SMALL_BYTES = 256 * 1024;
/** What is larger is copied only where the disk shares the content of copies. */
const COPY_BYTES = 512 * 1024 * 1024;
/** A copy leaves this much of the disk free. */
const FREE_BYTES = 1024 * 1024 * 1024;
/** Of one look at everything: a repository with more loose objects than this gets links for the rest. */
const COPIES = 5_000;
const NOT_KEPT = /^tmp_|\.lock$|^alternates$|\.ralph$/;

/** Two folders of objects: the repository's and ours. */
export interface Stores {
  readonly from: string;
  readonly to: string;
}

export class LinkedObjects {
  readonly #from: string;
  readonly #to: string;
  readonly #known = new Map<string, { readonly version: string; readonly folders: readonly string[] }>();
  #own: number | undefined;
  #looks = '';
  #copies = 0;

  constructor({ from, to }: Stores) {
    this.#from = from;
    this.#to = to;
  }

  /** Remembers what few looks can tell, for `looksTheSame`. */
  look(): void {
    this.#looks = this.#look();
  }

  /** Whether folders or packs came or went since. */
  get looksTheSame(): boolean {
    return this.#looks === this.#look();
  }

  #look(): string {
    return ['', 'pack'].map(name => versionOf(lookAt(join(this.#from, name)), Number.POSITIVE_INFINITY)).join(' ');
  }

  /** Both folders hold everything that either held; says how many were missing in the repository. */
  merge(aside: string): number {
    const stat = lookAt(this.#from);
    if (stat && !stat.isDirectory()) moveAside(this.#from, aside);
    this.#copies = COPIES;
    // Our own side is taken as it was left, unless it is another folder.
    const own = lookAt(this.#to)?.ino;
    if (own === undefined || own !== this.#own) this.#known.clear();
    const returned = this.#mergeFolder('', aside);
    this.#own = lookAt(this.#to)?.ino;
    return returned;
  }

  #mergeFolder(name: string, aside: string): number {
    const [from, to] = [join(this.#from, name), join(this.#to, name)];
    const version = versionOf(lookAt(from));
    const known = this.#known.get(name);
    if (known && version !== '' && known.version === version) {
      let returned = 0;
      for (const folder of known.folders) returned += this.#mergeFolder(folder, aside);
      return returned;
    }
    const [inFrom, inTo] = [entriesIn(from), entriesIn(to)];
    if (inFrom.size === 0) mkdirSync(from, { recursive: true });
    if (inTo.size === 0) mkdirSync(to, { recursive: true });
    const folders: string[] = [];
    let returned = 0;
    for (const entry of new Set([...inFrom.keys(), ...inTo.keys()])) {
      const [here, there] = [inFrom.get(entry), inTo.get(entry)];
      if (NOT_KEPT.test(entry)) continue;
      if (here === 'other') moveAside(join(from, entry), aside);
      if (here === 'folder' || there === 'folder') folders.push(join(name, entry));
      else if (here === 'file' && there === undefined) this.#name(join(from, entry), join(to, entry));
      else if (there === 'file' && here !== 'file') {
        this.#name(join(to, entry), join(from, entry));
        returned += 1;
      }
    }
    for (const folder of folders) returned += this.#mergeFolder(folder, aside);
    this.#known.set(name, { version, folders });
    return returned;
  }

  #name(from: string, to: string): void {
    this.#copies -= 1;
    secondName(from, to, this.#copies < 0 ? 'link' : 'copy');
  }

  /** Replaces loose objects that were written into; one of which there is no copy only goes out of the way. Says how many. */
  mend({ since, aside, how }: Mending): number {
    let mended = 0;
    for (const [folder, kind] of entriesIn(this.#from)) {
      if (kind !== 'folder' || !/^[0-9a-f]{2}$/.test(folder)) continue;
      for (const [name, inner] of entriesIn(join(this.#from, folder))) {
        if (inner !== 'file' || NOT_KEPT.test(name)) continue;
        const [file, copy] = [join(this.#from, folder, name), join(this.#to, folder, name)];
        const stat = lookAt(file);
        if ((stat?.ctimeMs ?? 0) < since) continue;
        if (how === 'by-size' && stat?.size === lookAt(copy)?.size) continue;
        if (isWhole(file, folder + name)) continue;
        moveAside(file, aside);
        if (isWhole(copy, folder + name)) secondName(copy, file);
        mended += 1;
      }
    }
    return mended;
  }
}

export interface Mending {
  /** What did not change since is not looked at. */
  readonly since: number;
  readonly aside: string;
  /** Reading all of them takes its time. */
  readonly how: 'by-size' | 'by-content';
}

/** Everything in a folder gets a second name in another; what is there already and is another file is replaced or left. */
export function linkTree(
  from: string,
  to: string,
  how: { readonly replace: boolean; readonly skip?: (name: string) => boolean },
): readonly string[] {
  const linked: string[] = [];
  for (const [name, kind] of entriesIn(from)) {
    if (kind === 'other' || name.endsWith('.lock') || how.skip?.(name)) continue;
    const [source, target] = [join(from, name), join(to, name)];
    if (kind === 'folder') {
      linked.push(...linkTree(source, target, { replace: how.replace }));
      continue;
    }
    const there = lookAt(target);
    if (there && (!how.replace || there.ino === lookAt(source)?.ino)) continue;
    if (linkFile(source, target)) linked.push(target);
  }
  return linked;
}

/** A second name for a file, in place of whatever has it; a copy where the disk knows no second names. False: it is gone. */
export function linkFile(from: string, to: string): boolean {
  mkdirSync(dirname(to), { recursive: true });
  const temporary = beside(to);
  rmSync(temporary, { recursive: true, force: true });
  try {
    linkSync(from, temporary);
  } catch {
    // Taken away by the run beside this one that it belongs to.
    if (!lookAt(from)) return false;
    copyFileSync(from, temporary, constants.COPYFILE_FICLONE);
  }
  renameSync(temporary, to);
  // Renaming one name of a file over another does nothing.
  rmSync(temporary, { force: true });
  return true;
}

/** Runners beside each other keep the same objects. */
const beside = (path: string): string => `${path}.${process.pid}.ralph`;

/** A second name for an object, or a copy where that is better; false where it is not there. */
export function secondName(from: string, to: string, how: 'copy' | 'link' = 'copy'): boolean {
  const stat = lookAt(from);
  if (!stat?.isFile()) return false;
  try {
    if (how === 'link' || (stat.size > SMALL_BYTES && !copyLarge(from, to, stat.size))) linkNew(from, to);
    else if (stat.size <= SMALL_BYTES) copyWhole(from, to);
    return true;
  } catch {
    // Gone meanwhile: a `git gc` beside us, for one.
    return false;
  }
}

/** An object is never replaced by another one: one call does it where the folder is there. */
function linkNew(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch {
    linkFile(from, to);
  }
}

function copyWhole(from: string, to: string, how: number = 0): void {
  const temporary = beside(to);
  try {
    copyFileSync(from, temporary, constants.COPYFILE_EXCL | how);
  } catch {
    mkdirSync(dirname(to), { recursive: true });
    rmSync(temporary, { recursive: true, force: true });
    copyFileSync(from, temporary, constants.COPYFILE_EXCL | how);
  }
  renameSync(temporary, to);
}

/** Whether the disk had room for it. */
function copyLarge(from: string, to: string, size: number): boolean {
  try {
    mkdirSync(dirname(to), { recursive: true });
    const { bavail, bsize } = statfsSync(dirname(to));
    const isRoom = size <= COPY_BYTES && bavail * bsize - size > FREE_BYTES;
    copyWhole(from, to, isRoom ? constants.COPYFILE_FICLONE : constants.COPYFILE_FICLONE_FORCE);
    return true;
  } catch {
    rmSync(beside(to), { force: true });
    return false;
  }
}

type Kind = 'file' | 'folder' | 'other';

function entriesIn(folder: string): ReadonlyMap<string, Kind> {
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    return new Map(
      entries.map(entry => [entry.name, entry.isFile() ? 'file' : entry.isDirectory() ? 'folder' : 'other']),
    );
  } catch {
    return new Map();
  }
}

/** Whether a loose object has the content its name says. */
export function isWhole(file: string, id: string): boolean {
  try {
    const algorithm = id.length === 64 ? 'sha256' : 'sha1';
    return (
      crypto()
        .createHash(algorithm)
        .update(inflateSync(readFileSync(file)))
        .digest('hex') === id
    );
  } catch {
    return false;
  }
}
