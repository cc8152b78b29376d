/**
 * A long run leaves some files for each commit, in the repository and in the vault, and the runner keeps git from packing by
 * itself. At the end of a run it is done as `git gc --auto` would: what can be reached goes into one pack, and nothing is deleted.
 */
import { join } from 'node:path';
import { namesIn } from '../util/files.ts';
import { ok, type Result } from '../util/result.ts';
import type { Git } from './git.ts';

/** More than these are packed. Git itself begins at 6,700, of which the vault would have as many once more. */
const LOOSE = 700;

/** Whether anything was packed. */
export async function packLoose({
  objects,
  git,
  onStart,
}: {
  readonly objects: string;
  readonly git: Git;
  /** It may take a while. */
  readonly onStart: () => void;
}): Promise<Result<boolean>> {
  if (looseIn(objects) <= LOOSE || (await isSwitchedOff(git))) return ok(false);
  onStart();
  const packed = await git.text('repack', '-d', '-l', '-q');
  return packed.ok ? ok(true) : packed;
}

function looseIn(objects: string): number {
  const folders = namesIn(objects).filter(name => /^[0-9a-f]{2}$/.test(name));
  return folders.reduce((sum, folder) => sum + namesIn(join(objects, folder)).length, 0);
}

/** Whether a person wants no packing. */
export async function isSwitchedOff(git: Git): Promise<boolean> {
  // The last one is the runner's own, which it gives every git.
  const values = await git.text('config', '--get-all', 'gc.auto');
  return values.ok && values.value.split('\n').at(-2) === '0';
}
