/** `git write-tree` for an index that was read here: only folders that changed are written. */
import type { CachedTree, IndexEntries } from './index-file.ts';
import { type ObjectStore, writeObject } from './objects.ts';

/** Writes the missing trees and returns them all; undefined where the cached trees do not fit the entries. */
export function writeTrees(
  store: ObjectStore,
  entries: IndexEntries,
  known: CachedTree | undefined,
): Required<CachedTree> | undefined {
  const root = writeFolder({ store, entries }, { from: 0, prefix: '', known });
  return root?.count === entries.length ? root : undefined;
}

/** The cached trees without those that hold this path. */
export function withoutPath(tree: CachedTree, path: string): CachedTree {
  const slash = path.indexOf('/');
  const { id: _, ...unknown } = tree;
  const name = path.slice(0, slash);
  const child = slash < 0 ? undefined : tree.children.get(name);
  if (!child) return unknown;
  return { ...unknown, children: new Map(tree.children).set(name, withoutPath(child, path.slice(slash + 1))) };
}

interface Folder {
  readonly from: number;
  /** With a slash at its end, or empty for the top. */
  readonly prefix: string;
  readonly known: CachedTree | undefined;
}

function writeFolder(
  { store, entries }: { readonly store: ObjectStore; readonly entries: IndexEntries },
  { from, prefix, known }: Folder,
): Required<CachedTree> | undefined {
  if (known?.id && fits(entries, { from, prefix, known })) return { ...known, id: known.id };
  const parts: Buffer[] = [];
  const children = new Map<string, CachedTree>();
  let at = from;
  for (let entry = entries.at(at); entry?.path.startsWith(prefix); entry = entries.at(at)) {
    const name = entry.path.slice(prefix.length);
    const slash = name.indexOf('/');
    if (slash < 0) {
      parts.push(Buffer.from(`${entry.mode.toString(8)} ${name}\0`, 'latin1'), entry.id);
      at += 1;
      continue;
    }
    const folder = name.slice(0, slash);
    const below = { from: at, prefix: `${prefix}${folder}/`, known: known?.children.get(folder) };
    const child = writeFolder({ store, entries }, below);
    // Twice the same folder means that the entries are not in git's order.
    if (!child || child.count === 0 || children.has(folder)) return undefined;
    children.set(folder, child);
    parts.push(Buffer.from(`40000 ${folder}\0`, 'latin1'), child.id);
    at += child.count;
  }
  const id = Buffer.from(writeObject(store, 'tree', Buffer.concat(parts)), 'hex');
  return { count: at - from, id, children };
}

/** A cached tree is believed only where it covers exactly the folder's entries. */
function fits(entries: IndexEntries, { from, prefix, known }: Folder & { readonly known: CachedTree }): boolean {
  if (known.count < 1) return false;
  const last = entries.at(from + known.count - 1);
  const next = entries.at(from + known.count);
  return last?.path.startsWith(prefix) === true && next?.path.startsWith(prefix) !== true;
}
