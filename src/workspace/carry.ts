/** Files that a person has in the checkout and that have to be there on another branch, too: the plan and the config. */
import { copyFileSync, existsSync, lstatSync, mkdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readBytes, writeAtomic } from '../util/files.ts';
import { ok, type Result } from '../util/result.ts';
import type { Repository } from './repository.ts';

export interface Carry {
  /** Relative to the repository; only regular files are carried. */
  readonly paths: readonly string[];
  /** Where copies lie meanwhile, so that no moment has none. */
  readonly keepIn: string;
}

/** Moves HEAD with `move`; these files are afterwards what they were before, whether it worked or not. */
export async function carrying(
  { root, git }: Repository,
  { paths, keepIn }: Carry,
  move: () => Promise<Result<void>>,
): Promise<Result<void>> {
  const carried = paths.filter(path => lstatSync(join(root, path), { throwIfNoEntry: false })?.isFile() ?? false);
  for (const path of carried) {
    const copy = join(keepIn, path);
    mkdirSync(dirname(copy), { recursive: true });
    copyFileSync(join(root, path), copy);
  }
  const back = () => {
    for (const path of carried) {
      const bytes = readBytes(join(keepIn, path));
      if (bytes && !readBytes(join(root, path))?.equals(bytes)) writeAtomic(join(root, path), bytes);
    }
    rmSync(keepIn, { recursive: true, force: true });
  };
  for (const path of carried) {
    // As the commit has it, so that it is in nobody's way.
    const known = await git.text('cat-file', '-e', `HEAD:${path}`);
    const cleared = known.ok ? await git.text('checkout', '-q', 'HEAD', '--', path) : ok('');
    if (!cleared.ok) {
      back();
      return cleared;
    }
    if (!known.ok && existsSync(join(root, path))) rmSync(join(root, path));
  }
  const moved = await move();
  back();
  return moved;
}
