/** Which files an iteration changed, from the patch that it left in its folder. */
import { closeSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { openRegular } from '../util/regular.ts';

const PATCH_BYTES = 1024 ** 2;
const PATHS = 60;
const HEAD = /^diff --git a\/(.+) b\/\1$/gm;

/** For a run's folder, `.ralph/runs/<id>`. What cannot be read has no files. */
export function footprintIn(runFolder: string): (iteration: number) => readonly string[] {
  return iteration => {
    const folder = join(runFolder, 'iterations', String(iteration).padStart(3, '0'));
    return pathsIn(readStart(join(folder, 'diff.patch')));
  };
}

function pathsIn(patch: string): readonly string[] {
  const paths = new Set<string>();
  for (const [, path = ''] of patch.matchAll(HEAD)) {
    if (paths.size < PATHS) paths.add(path);
  }
  return [...paths];
}

function readStart(file: string): string {
  const opened = openRegular(file);
  if (typeof opened === 'string') return '';
  try {
    const buffer = Buffer.allocUnsafe(Math.min(PATCH_BYTES, opened.size));
    return buffer.toString('utf8', 0, readSync(opened.fd, buffer, 0, buffer.length, 0));
  } catch {
    return '';
  } finally {
    closeSync(opened.fd);
  }
}
