/** Small questions about paths, answered also where there is nothing. */
import { accessSync, constants, readlinkSync, realpathSync, statSync } from 'node:fs';

/** Without links; the path itself where there is nothing. */
export function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

/** Where a link points; undefined for what is none. */
export function linkAt(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}

/** A file that may be run. */
export function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
