/** Which files an item is likely to touch, judged by its text. */
import type { Item } from '../protocol.ts';

/** A word that may be a path: it contains a folder or has a file extension. */
const WORD = /(?<![\w./:@-])(`?)((?:\.{1,2}\/|\/)?[\w@.*-]+(?:\/[\w@.*-]+)*\/?)\1(?![\w/@-])/g;
const ENDING = /\.[a-z][a-z0-9]{0,7}$/i;

/** Paths in the item's text. `isThere` says whether a path exists in the tree: otherwise "test" and "and/or" are words. */
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

/** A file in both lists, or a folder of one list that contains a path of the other. */
export function commonPath(some: readonly string[], others: readonly string[]): string | undefined {
  return some.find(one => others.some(other => one === other || isIn(one, other) || isIn(other, one)));
}

const isIn = (path: string, folder: string): boolean => path.startsWith(`${folder}/`);
