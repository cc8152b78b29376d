/** What is on the disk, as formats see it. */
import { statSync } from 'node:fs';
import type { PlanFiles } from '../protocol.ts';
import { namesIn, readBytes } from '../util/files.ts';
import { decode } from '../util/text.ts';

/** The files there are. */
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
    // An error for each of the many places where no plan is would cost more than the look itself.
    const found = statSync(path, { throwIfNoEntry: false });
    if (found === undefined) return 'missing';
    if (found.isFile()) return 'file';
    return found.isDirectory() ? 'folder' : 'other';
  } catch {
    return 'missing';
  }
}
