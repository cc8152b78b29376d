/** The disk, through the interface that plan formats read files with. */
import { statSync } from 'node:fs';
import type { PlanFiles } from '../protocol.ts';
import { namesIn, readBytes } from '../util/files.ts';
import { decode } from '../util/text.ts';

/** Reads from the disk. */
export const diskFiles: PlanFiles = {
  read: path => {
    const bytes = kindOf(path) === 'file' ? readBytes(path) : undefined;
    const decoded = bytes && decode(bytes, path);
    return decoded?.ok ? decoded.value.text : undefined;
  },
  isFolder: path => kindOf(path) === 'folder',
  list: namesIn,
};

export type Kind = 'file' | 'folder' | 'missing' | 'other';

export function kindOf(path: string): Kind {
  try {
    // Most of the places that are tried do not exist, and throwing an error for each would cost more than the stat.
    const found = statSync(path, { throwIfNoEntry: false });
    if (found === undefined) return 'missing';
    if (found.isFile()) return 'file';
    return found.isDirectory() ? 'folder' : 'other';
  } catch {
    return 'missing';
  }
}
