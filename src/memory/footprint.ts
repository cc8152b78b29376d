/** Which files an iteration changed, from the patch that it left in its folder. */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';

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
  try {
    const fd = openSync(file, 'r');
    try {
      const buffer = Buffer.allocUnsafe(Math.min(PATCH_BYTES, fstatSync(fd).size));
      return buffer.toString('utf8', 0, readSync(fd, buffer, 0, buffer.length, 0));
    } finally {
      closeSync(fd);
    }
  } catch {
    return '';
  }
}
