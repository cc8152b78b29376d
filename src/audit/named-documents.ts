/** Specifications and other documents that an item names: what it needs may be said there and not in the item. */
import { posix } from 'node:path';
import type { Change, Item } from '../protocol.ts';
import { isManifest } from './dependencies.ts';
import { type Look, names, wordsOf } from './look.ts';

const DOCUMENT = /[\w@./-]+\.(?:md|mdx|markdown|rst|adoc|txt)\b/g;
const MOST = 10;

export interface DocumentsOf {
  readonly changes: readonly Change[];
  readonly item: Item;
  /** The plan's folder in the tree: links in a plan often start there. */
  readonly folder: string;
}

/** Paths of the named documents, if the change touches dependencies; those that the change itself touches say nothing. */
export function documentsWanted({ changes, item, folder }: DocumentsOf): readonly string[] {
  if (!changes.some(({ path, kind }) => kind !== 'deleted' && isManifest(path))) return [];
  const changed = new Set(changes.map(({ path }) => path));
  const named = [...new Set(wordsOf(item).match(DOCUMENT))].slice(0, MOST);
  const paths = named.flatMap(name => [posix.normalize(name), posix.join(folder, name)]);
  return [...new Set(paths)].filter(path => !path.startsWith('/') && !path.startsWith('../') && !changed.has(path));
}

/** Whether such a document names a dependency, as a word of its own. */
export function isInDocument(look: Look, dependency: string): boolean {
  const wanted = dependency.toLowerCase();
  return [...(look.input.unchanged ?? [])].some(
    ([path, text]) => path.match(DOCUMENT)?.[0] === path && names(look, path) && wordsIn(text).includes(wanted),
  );
}

/** `"zod@4.1",` is `zod`, `@scope/name` is itself. */
const wordsIn = (text: string): readonly string[] =>
  (text.toLowerCase().match(/@?[\w./-]+/g) ?? []).map(word => word.replace(/^[./-]+|[./-]+$/g, ''));
