/** Small queries about paths that do not throw if nothing is there. */
import { accessSync, constants, readlinkSync, realpathSync, statSync } from 'node:fs';
import { isAbsolute, relative, sep } from 'node:path';

/** Resolves links; returns the path itself if nothing is there. */
export function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

/** The target of a link; undefined if the path is not a link. */
export function linkAt(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}

/** Whether the path is an executable file. */
export function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** The path from a folder to something below it; undefined for the folder itself and for anything elsewhere. */
export function pathBelow(folder: string, path: string): string | undefined {
  const way = relative(folder, path);
  const isElsewhere = way === '' || way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way);
  return isElsewhere ? undefined : way;
}
