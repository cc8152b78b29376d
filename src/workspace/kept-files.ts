/** Small files known by heart, such as git's settings: whatever becomes of them, they are put back byte by byte. */

import {
  chmodSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { namesIn } from '../util/files.ts';
import { freeName } from '../util/free-name.ts';
import { linkAt } from '../util/paths.ts';
import { lookAt, versionOf } from '../util/version.ts';

type Content =
  | { readonly type: 'missing' | 'other' }
  | { readonly type: 'file'; readonly bytes: Buffer; readonly mode: number }
  | { readonly type: 'link'; readonly target: string };

interface Known {
  version: string;
  readonly content: Content;
}

export interface Difference {
  readonly path: string;
  /** Empty where it was no file, or none was there. */
  readonly was: Buffer;
  readonly found: Buffer;
}

export interface KeptFilesOptions {
  readonly paths: readonly string[];
  /** Every file in these counts, and a new one is taken out. */
  readonly folders?: readonly string[];
}

const NOTHING = Buffer.alloc(0);

export class KeptFiles {
  readonly #paths: readonly string[];
  readonly #folders: readonly string[];
  readonly #known = new Map<string, Known>();
  /** Folders of these files that are links of a person's. */
  #links = new Map<string, string | undefined>();

  constructor({ paths, folders = [] }: KeptFilesOptions) {
    this.#paths = paths;
    this.#folders = folders;
  }

  /** As they are now is how they are to be. */
  note(): void {
    this.#links = new Map(this.#holders().map(path => [path, linkAt(path)]));
    for (const path of this.#all()) {
      const version = versionOf(lookAt(path));
      if (version !== '' && this.#known.get(path)?.version === version) continue;
      this.#known.set(path, { version, content: contentAt(path) });
    }
  }

  /** The bytes that are known of a path. */
  bytesOf(path: string): Buffer | undefined {
    const content = this.#known.get(path)?.content;
    return content?.type === 'file' ? content.bytes : undefined;
  }

  /** These bytes are how the file is to be, whatever it is now; undefined: there is to be none. */
  believe(path: string, bytes: Buffer | undefined): void {
    const mode = (lookAt(path)?.mode ?? 0o644) & 0o777;
    this.#known.set(path, { version: '', content: bytes ? { type: 'file', bytes, mode } : { type: 'missing' } });
  }

  /** Puts back what differs. What was found goes to `aside`, a folder that is made when it is needed. */
  putBack(aside: string): readonly Difference[] {
    const moved = this.#putFoldersBack(aside);
    const changed = this.#all().flatMap(path => {
      const known = this.#known.get(path) ?? { version: 'missing', content: { type: 'missing' } as const };
      const version = versionOf(lookAt(path));
      if (version !== '' && version === known.version) return [];
      const found = contentAt(path);
      if (sameContent(known.content, found)) {
        known.version = version;
        return [];
      }
      if (found.type !== 'missing') moveAside(path, aside);
      write(path, known.content);
      known.version = '';
      return [{ path, was: bytesIn(known.content), found: bytesIn(found) }];
    });
    return [...moved, ...changed];
  }

  /** Before what is in them is looked at: through a new link, files that are somebody else's would be put aside. */
  #putFoldersBack(aside: string): readonly Difference[] {
    return this.#holders().flatMap(path => {
      const stat = lookAt(path);
      if (!stat || stat.isDirectory() || linkAt(path) === this.#links.get(path)) return [];
      moveAside(path, aside);
      const target = this.#links.get(path);
      if (target !== undefined) symlinkSync(target, path);
      return [{ path, was: NOTHING, found: NOTHING }];
    });
  }

  #holders(): readonly string[] {
    return [...new Set([...this.#folders, ...this.#paths.map(path => dirname(path))])];
  }

  #all(): readonly string[] {
    return [...new Set([...this.#paths, ...this.#known.keys(), ...this.#folders.flatMap(filesIn)])];
  }
}

const bytesIn = (content: Content): Buffer => (content.type === 'file' ? content.bytes : NOTHING);

/** Samples that git puts into every repository are nobody's settings. */
const filesIn = (folder: string): readonly string[] =>
  namesIn(folder).flatMap(name => (name.endsWith('.sample') ? [] : [join(folder, name)]));

export function contentAt(path: string): Content {
  const stat = lookAt(path);
  if (!stat) return { type: 'missing' };
  try {
    if (stat.isSymbolicLink()) return { type: 'link', target: readlinkSync(path) };
    if (stat.isFile()) return { type: 'file', bytes: readFileSync(path), mode: stat.mode & 0o777 };
  } catch {
    // Whatever cannot be read is not what was there.
  }
  return { type: 'other' };
}

export function sameContent(a: Content, b: Content): boolean {
  if (a.type === 'file' && b.type === 'file') return a.mode === b.mode && a.bytes.equals(b.bytes);
  if (a.type === 'link' && b.type === 'link') return a.target === b.target;
  return a.type === b.type;
}

function write(path: string, content: Content): void {
  if (content.type !== 'file' && content.type !== 'link') return;
  mkdirSync(dirname(path), { recursive: true });
  if (content.type === 'link') return symlinkSync(content.target, path);
  const temporary = `${path}.ralph`;
  rmSync(temporary, { recursive: true, force: true });
  writeFileSync(temporary, content.bytes, { flag: 'wx' });
  chmodSync(temporary, content.mode);
  renameSync(temporary, path);
}

/** Nothing that somebody made is deleted, and nothing that is found may be in the way. */
export function moveAside(path: string, aside: string): string | undefined {
  const name = path.split('/').slice(-2).join('-').replace(/^\.+/, '');
  try {
    mkdirSync(aside, { recursive: true });
    const to = freeName(join(aside, name), each => !lookAt(each));
    renameSync(path, to);
    return to;
  } catch {
    rmSync(path, { recursive: true, force: true });
    return undefined;
  }
}
