/**
 * Git believes the name of an object that is there already: it neither reads it again nor writes it anew. So what somebody else wrote
 * among the objects is believed only if its content is what its name says. What git keeps there only for speed (the commit graph, an
 * index over several packs) could say anything about any object, and goes out of the way.
 */
import { closeSync, createReadStream, fstatSync, mkdirSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createInflate, inflateSync } from 'node:zlib';
import { changedSince } from '../process/index.ts';
import { crypto } from '../util/crypto.ts';
import { namesIn, readBytes } from '../util/files.ts';
import { attempt } from '../util/result.ts';
import { lookAt, touch } from '../util/version.ts';
import type { Git } from './git.ts';
import { moveAside } from './kept-files.ts';
import { type Stores, secondName } from './linked-copy.ts';
import { algorithmOf } from './objects.ts';

const FAN_OUT = /^[0-9a-f]{2}$/;
const LOOSE = /^([0-9a-f]{2})\/([0-9a-f]{38}|[0-9a-f]{62})$/;
const PACK = /^pack\/pack-([0-9a-f]{40}|[0-9a-f]{64})\.(?:pack|idx)$/;
/** Everything else beside packs, except marks on them and what a git at work has not finished. */
const FOR_SPEED = /^info\/commit-graph|^pack\/(?!\.?tmp)[^/]+(?<!\.(?:keep|promisor|mtimes|lock))$/;

/** Up to so many loose objects are looked at here: starting a program takes longer. */
const FEW = 1_500;
/** What a file system's clock may be behind, where it cannot be asked. */
const CLOCK_MS = 1_000;

/** The objects of a repository, believed as they were while nothing of others was at work. */
export class BelievedObjects {
  readonly #stores: Stores;
  /** By the clock of the files, and by one that nobody sets. */
  #at: Moment = { files: 0, steady: 0 };
  #folders: Folders = new Map();
  /** The sum at the end of each pack and of its index: git makes a pack young where it only looks, so times tell nothing. */
  #sums: ReadonlyMap<string, string> = new Map();

  constructor(stores: Stores) {
    this.#stores = stores;
  }

  /** From here on they are believed as they are now. */
  asTheyAre(): void {
    const { from } = this.#stores;
    this.#at = momentIn(from);
    // A folder that is new since the last look is looked through as one that was replaced.
    if (this.#folders.size === 0) this.#folders = foldersIn(from);
    const packs = namesIn(join(from, 'pack')).map(name => `pack/${name}`);
    this.#sums = new Map(packs.filter(name => PACK.test(name)).map(name => [name, sumAtEnd(from, name)]));
  }

  /** Takes out what is not what its name says, in the copy too, and puts back what is whole there; says how much that was, and of how much there was no copy. */
  async takeOutForged(git: Git, aside: string): Promise<{ readonly forged: number; readonly lost: number }> {
    const { from, to } = this.#stores;
    const names = await this.#namesSince();
    const outOfTheWay = (store: string, name: string) => moveAside(join(store, name), aside);
    let forged = 0;
    let lost = 0;
    const packs = new Set<string>();
    for (const name of names) {
      const id = LOOSE.exec(name)?.slice(1).join('');
      const sum = this.#sums.get(name);
      const stat = lookAt(join(from, name));
      if (!stat || stat.isDirectory()) continue;
      if (id === undefined && sum === undefined) {
        if (PACK.test(name)) packs.add(name.replace(/\.\w+$/, ''));
        else if (FOR_SPEED.test(name)) outOfTheWay(from, name);
        continue;
      }
      const stateIn = async (store: string): Promise<State> =>
        id === undefined ? await packState(store, name, sum ?? '') : await objectState(join(store, name), id);
      // Git follows a link to wherever it leads.
      if (stat.isFile() && (await stateIn(from)) !== 'forged') continue;
      outOfTheWay(from, name);
      forged += 1;
      const copy = await stateIn(to);
      if (copy === 'true') secondName(join(to, name), join(from, name));
      if (copy === 'forged') outOfTheWay(to, name);
      if (copy === 'forged' || (copy !== 'true' && sum !== undefined)) lost += 1;
    }
    for (const pack of packs) {
      const files = ['idx', 'pack'].map(kind => `${pack}.${kind}`);
      // Without one of the two, git does not look at the other. It may go while it is read: a run beside this one joins its packs.
      const isNone = () => files.some(name => !lookAt(join(from, name)));
      if (isNone() || (await git.text('verify-pack', join(from, `${pack}.idx`))).ok || isNone()) continue;
      for (const name of files) outOfTheWay(from, name);
      forged += 1;
    }
    return { forged, lost };
  }

  /** Objects that are files of their own and changed at this time or later, as of the last look. */
  looseSince(time: number): readonly string[] {
    const { from } = this.#stores;
    return [...this.#folders].flatMap(([folder, { names, at }]) =>
      (at === 0 ? namesIn(join(from, folder)) : names)
        .map(name => `${folder}/${name}`)
        .filter(name => LOOSE.test(name) && (lookAt(join(from, name))?.ctimeMs ?? 0) >= time)
        .map(name => name.replace('/', '')),
    );
  }

  /** What somebody may have written. */
  async #namesSince(): Promise<ReadonlySet<string>> {
    const { from } = this.#stores;
    const [was, at] = [this.#at, momentIn(from)];
    this.#at = at;
    // Earlier where the clock of the files was set back meanwhile.
    const since = Math.floor(Math.min(was.files, at.files - (at.steady - was.steady)));
    const all = namesIn(from);
    const loose = all.filter(name => FAN_OUT.test(name));
    const few = looseSince(from, loose, { since, at: at.files, known: this.#folders });
    const folders = few ? all.filter(name => !FAN_OUT.test(name)) : ['.'];
    const changed = await changedSince({ root: from, folders, since: BigInt(since) * 1_000_000n });
    const names = new Set([...(few?.changed ?? []), ...changed.map(({ path }) => path.replace(/^\.\//, ''))]);
    const now = few?.folders ?? foldersIn(from);
    for (const [folder, { ino }] of few ? [] : now) {
      if (this.#folders.get(folder)?.ino === ino) continue;
      for (const name of namesIn(join(from, folder))) names.add(`${folder}/${name}`);
    }
    this.#folders = now;
    return names;
  }
}

interface Moment {
  readonly files: number;
  readonly steady: number;
}

/** What changes from here on has this time or a later one. */
function momentIn(objects: string): Moment {
  // Of the entries that every repository has there, the one whose time nobody looks at.
  const info = join(objects, 'info');
  const touched = touch(info) ?? attempt(() => (mkdirSync(info), touch(info)));
  return { files: touched ? Number(touched.ctimeMs) : Date.now() - CLOCK_MS, steady: performance.now() };
}

/** A folder of loose objects as it was looked through: another one in the same place brings old files along. */
interface Folder {
  readonly ino: number;
  readonly names: readonly string[];
  readonly ctimeMs: number;
  readonly at: number;
}
type Folders = ReadonlyMap<string, Folder>;

/** Not read again where nothing was added, renamed or removed since. */
function folderAt(place: string, { at, known }: { readonly at: number; readonly known: Folder | undefined }): Folder {
  const { ino = 0, ctimeMs = at } = lookAt(place) ?? {};
  const isKnown = known?.ino === ino && known.ctimeMs === ctimeMs && ctimeMs < known.at;
  return isKnown ? known : { ino, names: namesIn(place), ctimeMs, at };
}

/** Loose objects that changed since, and all of a folder that was replaced; undefined where another program looks faster. */
function looseSince(
  objects: string,
  folders: readonly string[],
  { since, at, known }: { readonly since: number; readonly at: number; readonly known: Folders },
): { readonly changed: readonly string[]; readonly folders: Folders } | undefined {
  const changed: string[] = [];
  const now = new Map<string, Folder>();
  let looked = 0;
  for (const name of folders) {
    const place = `${objects}/${name}`;
    const folder = folderAt(place, { at, known: known.get(name) });
    now.set(name, folder);
    if ((looked += folder.names.length) > FEW) return undefined;
    const isReplaced = known.get(name)?.ino !== folder.ino;
    for (const file of folder.names) {
      if (isReplaced || (lookAt(`${place}/${file}`)?.ctimeMs ?? 0) >= since) changed.push(`${name}/${file}`);
    }
  }
  return { changed, folders: now };
}

/** Without the names in them, which may be very many. */
const foldersIn = (objects: string): Folders =>
  new Map(
    namesIn(objects)
      .filter(name => FAN_OUT.test(name))
      .map(name => [name, { ino: lookAt(join(objects, name))?.ino ?? 0, names: [], ctimeMs: 0, at: 0 }]),
  );

/** What cannot be read is not judged: git cannot read it either. */
type State = 'true' | 'forged' | 'unread';

const SMALL = 64 * 1024;
const SMALL_INFLATED = 1024 * 1024;

/** A loose object is not read past the size that it states: a small file may inflate to any size. */
async function objectState(file: string, id: string): Promise<State> {
  const small = attempt(() => smallObject(file));
  if (small) return crypto().createHash(algorithmOf(id)).update(small).digest('hex') === id ? 'true' : 'forged';
  const hash = crypto().createHash(algorithmOf(id));
  let left: number | undefined;
  const sum = new Writable({
    write(chunk: Buffer, _, done) {
      left ??= sizeIn(chunk);
      left -= chunk.length;
      hash.update(chunk);
      done(left >= 0 ? null : new Error('it is longer than it says'));
    },
  });
  return await stateBy(async () => {
    await pipeline(createReadStream(file), createInflate(), sum);
    return hash.digest('hex') === id;
  });
}

/** The content of a small object, at once; undefined where it has to be read piece by piece, or cannot be read. */
function smallObject(file: string): Buffer | undefined {
  const bytes = (lookAt(file)?.size ?? SMALL) < SMALL ? readBytes(file) : undefined;
  const content = bytes && inflateSync(bytes, { maxOutputLength: SMALL_INFLATED });
  return content && sizeIn(content) === content.length ? content : undefined;
}

/** With the header that says so; no number where there is none. */
function sizeIn(begin: Buffer): number {
  const end = begin.indexOf(0);
  const size = /^[a-z]+ (\d+)$/.exec(begin.toString('latin1', 0, Math.max(0, end)))?.[1];
  return size === undefined ? Number.NaN : end + 1 + Number(size);
}

const sumLength = (name: string): number => (PACK.exec(name)?.[1]?.length ?? 0) / 2;

function sumAtEnd(objects: string, name: string): string {
  return (
    attempt(() => {
      const fd = openSync(join(objects, name), 'r');
      try {
        const sum = Buffer.alloc(sumLength(name));
        readSync(fd, sum, 0, sum.length, Math.max(0, fstatSync(fd).size - sum.length));
        return sum.toString('hex');
      } finally {
        closeSync(fd);
      }
    }) ?? ''
  );
}

/** By the sum that it ended with, of its content as it is now. */
async function packState(objects: string, name: string, sum: string): Promise<State> {
  const file = join(objects, name);
  const hash = crypto().createHash(algorithmOf(sum));
  const end = (lookAt(file)?.size ?? 0) - sumLength(name) - 1;
  return await stateBy(async () => {
    await pipeline(createReadStream(file, { end: Math.max(0, end) }), hash);
    return hash.digest('hex') === sum && sumAtEnd(objects, name) === sum;
  });
}

async function stateBy(isTrue: () => Promise<boolean>): Promise<State> {
  try {
    return (await isTrue()) ? 'true' : 'forged';
  } catch (error) {
    // The system refused; anything else is wrong in the file.
    return (error as NodeJS.ErrnoException).syscall === undefined ? 'forged' : 'unread';
  }
}
