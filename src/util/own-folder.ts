/** Folders that the runner writes to: no part of their path is a link, so that nothing is written elsewhere. */
import { mkdirSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { clearWrongKind } from './regular.ts';

/** Creates a folder below a base. Removes what is in its way, and returns what that was, by path. */
export function ownFolder(base: string, folder: string): readonly string[] {
  const replaced: string[] = [];
  let path = base;
  for (const part of ['', ...relative(base, folder).split(sep)]) {
    path = join(path, part);
    const found = clearWrongKind(path, 'folder');
    if (found !== undefined) replaced.push(`${path} had become ${found}`);
  }
  mkdirSync(folder, { recursive: true });
  return replaced;
}
