/**
 * `git ls-files -o --directory` without git, for an index of few files: what is in the work tree and not in the index, whether
 * it is ignored or not. Names are latin1 strings, one character per byte, as they are in the index.
 */
import { lstatSync, readdirSync } from 'node:fs';
import type { IndexEntries } from './index-file.ts';

/** Of the index; more than this many git looks through in less time than we do. */
const MOST_ENTRIES = 2_000;
/** Of the folders that are looked into. */
const MOST_NAMES = 10_000;

export interface NotInIndex {
  readonly root: string;
  readonly entries: IndexEntries;
  /** Names at the top that do not count. */
  readonly without: readonly string[];
}

/**
 * Folders without anything of the index end in `/`. Right after a snapshot: what the index has as a file is taken for one.
 * Undefined where git has to be asked.
 */
export function notInIndex({ root, entries, without }: NotInIndex): readonly string[] | undefined {
  // Names there are not what git takes them for.
  if (process.platform === 'darwin' || entries.length > MOST_ENTRIES) return undefined;
  const folders = foldersOf(entries);
  const found: string[] = [];
  let left = MOST_NAMES;
  const look = (folder: string): boolean => {
    const known = folders.get(folder);
    const names = known && namesIn(bytesOf(root, folder));
    left -= names?.length ?? 0;
    if (!names || left < 0) return false;
    const path = (name: string) => (folder === '' ? name : `${folder}/${name}`);
    const others: string[] = [];
    for (const name of names) {
      const kind = known.get(name);
      if (kind === 'folder' && !(isFolder(bytesOf(root, path(name))) && look(path(name)))) return false;
      // Git never looks at these.
      if (kind === undefined && name !== '.git' && !(folder === '' && without.includes(name))) others.push(name);
    }
    if (hasOtherCase(others, known)) return false;
    for (const name of others) {
      const stat = lstatSync(bytesOf(root, path(name)));
      if (stat.isDirectory()) found.push(`${path(name)}/`);
      else if (stat.isFile() || stat.isSymbolicLink()) found.push(path(name));
    }
    return true;
  };
  return look('') ? found.map(name => Buffer.from(name, 'latin1').toString('utf8')) : undefined;
}

const bytesOf = (root: string, path: string): Buffer =>
  Buffer.concat([Buffer.from(`${root}/`), Buffer.from(path, 'latin1')]);

const isFolder = (path: Buffer): boolean => lstatSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;

type Names = Map<string, 'file' | 'folder'>;

/** What the index has in each folder. */
function foldersOf(entries: IndexEntries): ReadonlyMap<string, Names> {
  const folders = new Map<string, Names>([['', new Map()]]);
  const inside = (folder: string): Names => {
    const known = folders.get(folder);
    if (known) return known;
    const names: Names = new Map();
    folders.set(folder, names);
    const cut = folder.lastIndexOf('/');
    inside(cut < 0 ? '' : folder.slice(0, cut)).set(folder.slice(cut + 1), 'folder');
    return names;
  };
  for (let n = 0; n < entries.length; n++) {
    const path = entries.at(n)?.path ?? '';
    const cut = path.lastIndexOf('/');
    inside(cut < 0 ? '' : path.slice(0, cut)).set(path.slice(cut + 1), 'file');
  }
  return folders;
}

function namesIn(folder: Buffer): readonly string[] | undefined {
  try {
    return readdirSync(folder, { encoding: 'latin1' });
  } catch {
    return undefined;
  }
}

/** Where git was told that the disk makes no difference between them, it is the same name. */
function hasOtherCase(others: readonly string[], known: Names): boolean {
  if (others.length === 0) return false;
  const names = new Set([...known.keys(), '.git'].map(name => name.toLowerCase()));
  return others.some(name => names.has(name.toLowerCase()));
}
