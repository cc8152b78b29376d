/** Which files an item is likely to touch, as far as its own words say. */
import type { Item } from '../protocol.ts';

/** A word that may be a path: with a folder in it, or with an ending. */
const WORD = /(?<![\w./:@-])(`?)((?:\.{1,2}\/|\/)?[\w@.*-]+(?:\/[\w@.*-]+)*\/?)\1(?![\w/@-])/g;
const ENDING = /\.[a-z][a-z0-9]{0,7}$/i;

/** Paths in the item's words. `isThere` says whether a path is in the tree: "test" and "and/or" are words before that. */
export function pathsNamed(item: Item, isThere: (path: string) => boolean): readonly string[] {
  const text = [item.title, item.body, ...item.criteria, ...item.verify].join('\n');
  const found = new Set<string>();
  for (const [, quote = '', word = ''] of text.matchAll(WORD)) {
    const path = word.replace(/^\.\//, '').replace(/\/$/, '').replace(/\.+$/, '');
    if (path === '' || path.startsWith('..') || path.startsWith('/')) continue;
    const isMeant = path.includes('/') || quote !== '';
    const isPath = ENDING.test(path) ? isMeant || isThere(path) : isMeant && isThere(path);
    if (isPath) found.add(path);
  }
  return [...found];
}

/** A file that both have, or a folder of one in which the other has something. */
export function commonPath(some: readonly string[], others: readonly string[]): string | undefined {
  return some.find(one => others.some(other => one === other || isIn(one, other) || isIn(other, one)));
}

const isIn = (path: string, folder: string): boolean => path.startsWith(`${folder}/`);
