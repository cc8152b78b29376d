/** Which files an iteration changed, from the patch in its folder. */
import { readOfIteration } from '../util/iteration-packs.ts';

const PATCH_BYTES = 1024 ** 2;
const PATHS = 60;
const HEAD = /^diff --git a\/(.+) b\/\1$/gm;

/** For a run's folder, `.ralph/runs/<id>`. What cannot be read has no files. */
export function footprintIn(runFolder: string): (iteration: number) => readonly string[] {
  return iteration => pathsIn(readStart(runFolder, iteration));
}

function pathsIn(patch: string): readonly string[] {
  const paths = new Set<string>();
  for (const [, path = ''] of patch.matchAll(HEAD)) {
    if (paths.size < PATHS) paths.add(path);
  }
  return [...paths];
}

const readStart = (runFolder: string, iteration: number): string =>
  readOfIteration(runFolder, iteration, 'diff.patch')?.toString('utf8', 0, PATCH_BYTES) ?? '';
