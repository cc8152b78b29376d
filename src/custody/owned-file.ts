/** What belongs to the runner has to stay what it was: a file, or the link that a person made. */
import { lstatSync, rmSync, symlinkSync } from 'node:fs';
import { linkAt } from '../util/paths.ts';

/** Puts the link back, or makes room for the file, and says what had taken its place. The bytes are the caller's. */
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
