/** All refs of a repository, read from their files: no process, and only what changed since is read again. */
import { join } from 'node:path';
import { namesIn, readText } from '../util/files.ts';
import { lookAt, versionOf } from '../util/version.ts';

/** By full name: an object id, or `ref: <name>`. */
export type Refs = ReadonlyMap<string, string>;

interface Packed {
  readonly version: string;
  readonly refs: Refs;
}

interface Folder {
  readonly version: string;
  readonly names: readonly string[];
}

interface Loose {
  readonly version: string;
  readonly value: string;
}

/** What a ref's file holds. */
export const VALUE = /^(?:[0-9a-f]{40,64}|ref: \S+)$/;

/** Branches of workers: each is settled by the worker that has it, and none outlives the run. */
const WORKERS = 'refs/heads/ralph-worker';

export class RefFiles {
  readonly #commonDir: string;
  #packed: Packed = { version: '', refs: new Map() };
  readonly #folders = new Map<string, Folder>();
  readonly #loose = new Map<string, Loose>();
  #last: { readonly packed: Refs; readonly loose: Refs; readonly all: Refs } | undefined;

  constructor(commonDir: string) {
    this.#commonDir = commonDir;
  }

  /** A repository that keeps its refs in tables has none in files. */
  get readable(): boolean {
    return !lookAt(join(this.#commonDir, 'reftable'));
  }

  /** The very same map where no ref came, went or moved since the last time. */
  read(): Refs {
    const packed = this.#readPacked();
    const loose = new Map<string, string>();
    this.#walk('refs', loose);
    if (!this.#last || this.#last.packed !== packed || !isSame(this.#last.loose, loose)) {
      const all = new Map(packed);
      for (const name of loose.keys()) all.set(name, loose.get(name) ?? '');
      this.#last = { packed, loose, all };
    }
    return this.#last.all;
  }

  /** How many are files of their own, of those that were read last. */
  get looseCount(): number {
    return this.#last?.loose.size ?? 0;
  }

  #readPacked(): Refs {
    const file = join(this.#commonDir, 'packed-refs');
    const version = versionOf(lookAt(file));
    if (version === '' || version !== this.#packed.version) {
      this.#packed = { version, refs: parsePacked(readText(file) ?? '') };
    }
    return this.#packed.refs;
  }

  #walk(name: string, into: Map<string, string>): void {
    if (name === WORKERS) return;
    const path = join(this.#commonDir, name);
    const stat = lookAt(path);
    if (stat?.isDirectory()) {
      for (const child of this.#namesIn(name, versionOf(stat))) this.#walk(`${name}/${child}`, into);
      return;
    }
    if (!stat?.isFile()) return;
    const version = versionOf(stat);
    const known = this.#loose.get(name);
    const value = known && version !== '' && known.version === version ? known.value : readText(path)?.trim();
    // Git does not see a file that holds something else, and says so loudly.
    if (value === undefined || !VALUE.test(value)) return;
    this.#loose.set(name, { version, value });
    into.set(name, value);
  }

  #namesIn(name: string, version: string): readonly string[] {
    const known = this.#folders.get(name);
    if (known && version !== '' && known.version === version) return known.names;
    const names = namesIn(join(this.#commonDir, name)).filter(child => !child.endsWith('.lock'));
    this.#folders.set(name, { version, names });
    return names;
  }
}

/** Name by name, without a pair for each: there may be thousands, and this is done around every agent. */
const isSame = (a: Refs, b: Refs): boolean => a.size === b.size && namesThatDiffer(a, b).next().done === true;

/** Names of the first whose value is another one in the second. */
export function* namesThatDiffer(a: Refs, b: Refs): Generator<string> {
  for (const name of a.keys()) if (b.get(name) !== a.get(name)) yield name;
}

export function parsePacked(text: string): Refs {
  const refs = new Map<string, string>();
  for (const line of text.split('\n')) {
    const found = /^([0-9a-f]{40,64}) (refs\/\S+)$/.exec(line);
    if (found?.[1] && found[2]) refs.set(found[2], found[1]);
  }
  return refs;
}

/** The same refs as one file of git's; links among them are left out. */
export function packedText(refs: Refs): string {
  const lines = [...refs].filter(([, value]) => !value.startsWith('ref: ')).map(([name, value]) => `${value} ${name}`);
  return `# pack-refs with: fully-peeled sorted \n${lines.toSorted(byName).join('\n')}\n`;
}

function byName(a: string, b: string): number {
  const [left, right] = [a.slice(a.indexOf(' ')), b.slice(b.indexOf(' '))];
  return left < right ? -1 : left > right ? 1 : 0;
}
