/** Small questions about paths. */
import { readdirSync, statSync } from 'node:fs';
import { basename, dirname, join, sep } from 'node:path';
import { realPath } from '../util/paths.ts';
import { lookAt } from '../util/version.ts';

export const isWithin = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);

/** What a path leads to; undefined where that is nothing. */
export function kindOf(path: string): 'folder' | 'file' | undefined {
  try {
    return statSync(path).isDirectory() ? 'folder' : 'file';
  } catch {
    return undefined;
  }
}

/** Those of them that lead somewhere. */
export const there = (paths: readonly string[]): readonly string[] => paths.filter(path => kindOf(path) !== undefined);

export const isLink = (path: string): boolean => lookAt(path)?.isSymbolicLink() ?? false;

/** Without links on the way; whatever stands at its end keeps its name. A mount needs a path that is walked as it is written. */
export const placeOf = (path: string): string => {
  const folder = realPath(dirname(path));
  return folder === '/' ? `/${basename(path)}` : join(folder, basename(path));
};

/** Without a look at each entry of its own: a folder of packages has thousands. */
export function linksIn(folder: string): readonly string[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    return entries.filter(entry => entry.isSymbolicLink()).map(entry => join(folder, entry.name));
  } catch {
    return [];
  }
}
