/** Keeps a path of the runner's what it was: a file, or a link that a person made. */
import { lstatSync, rmSync, symlinkSync } from 'node:fs';
import { linkAt } from '../util/paths.ts';

/** Restores the link, or removes what replaced the file, and returns the kind of the replacement. The caller writes the content. */
export function restoreKind(path: string, link: string | undefined): string | undefined {
  const now = lstatSync(path, { throwIfNoEntry: false });
  if (!now) {
    if (link !== undefined) symlinkSync(link, path);
    return undefined;
  }
  const kind = now.isSymbolicLink() ? 'a link' : now.isDirectory() ? 'a folder' : now.isFile() ? 'a file' : 'a device';
  if (link === undefined ? kind === 'a file' : linkAt(path) === link) return undefined;
  rmSync(path, { recursive: true, force: true });
  if (link !== undefined) symlinkSync(link, path);
  return kind;
}
