/** Folders that the runner writes into: real ones all the way down, so that nothing is written elsewhere through a link. */
import { mkdirSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { clearWrongKind } from './regular.ts';

/** Makes a folder below a base. What is in its way is taken away; says what that was, by path. */
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
