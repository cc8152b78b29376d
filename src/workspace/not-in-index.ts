/**
 * `git ls-files -o --directory` without git, for an index of few files: what is in the work tree and not in the index, whether
 * it is ignored or not. Names are latin1 strings, one character per byte, as they are in the index.
 */
import { type Dirent, readdirSync } from 'node:fs';
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

/** Folders without anything of the index end in `/`. Undefined where git has to be asked. */
export function notInIndex({ root, entries, without }: NotInIndex): readonly string[] | undefined {
  // Names there are not what git takes them for.
  if (process.platform === 'darwin' || entries.length > MOST_ENTRIES) return undefined;
  const folders = foldersOf(entries);
  const found: string[] = [];
  let left = MOST_NAMES;
  const look = (folder: string): boolean => {
    const known = folders.get(folder);
    const names = namesIn(root, folder);
    left -= names?.length ?? 0;
    if (!known || !names || left < 0) return false;
    const others = names.filter(each => !known.has(each.name) && !(folder === '' && without.includes(each.name)));
    if (others.some(isUnusual) || hasOtherCase(others, known)) return false;
    const path = (name: string) => (folder === '' ? name : `${folder}/${name}`);
    for (const each of others) if (isListed(each)) found.push(`${path(each.name)}${each.isDirectory() ? '/' : ''}`);
    return names.every(each => {
      const kind = known.get(each.name);
      if (kind === undefined) return true;
      // Something else than the index says: git knows what that means.
      if ((kind === 'folder') !== each.isDirectory()) return false;
      return kind === 'file' || look(path(each.name));
    });
  };
  return look('') ? found.map(name => Buffer.from(name, 'latin1').toString('utf8')) : undefined;
}

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

/** Without what git never looks at. */
function namesIn(root: string, folder: string): readonly Dirent[] | undefined {
  try {
    const path = Buffer.concat([Buffer.from(`${root}/`), Buffer.from(folder, 'latin1')]);
    const names = readdirSync(path, { withFileTypes: true, encoding: 'latin1' });
    return names.filter(({ name }) => name !== '.git');
  } catch {
    return undefined;
  }
}

const isListed = (entry: Dirent): boolean => entry.isFile() || entry.isDirectory() || entry.isSymbolicLink();

/** The disk does not say what it is. */
const isUnusual = (entry: Dirent): boolean =>
  !isListed(entry) && !entry.isFIFO() && !entry.isSocket() && !entry.isCharacterDevice() && !entry.isBlockDevice();

/** Where git was told that the disk makes no difference between them, it is the same name. */
function hasOtherCase(others: readonly Dirent[], known: Names): boolean {
  if (others.length === 0) return false;
  const names = new Set([...known.keys(), '.git'].map(name => name.toLowerCase()));
  return others.some(({ name }) => names.has(name.toLowerCase()));
}
