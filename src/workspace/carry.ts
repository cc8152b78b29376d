/** Files of the checkout that have to be there on another branch, too: the plan, the config, what was learned. */
import { copyFileSync, lstatSync, mkdirSync, rmSync } from 'node:fs';
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
  // As the commit has them, so that they are in nobody's way.
  const listed = await git.list('ls-tree', '-r', '-z', '--name-only', '--full-tree', 'HEAD');
  const known = new Set(listed.ok ? listed.value : []);
  const committed = carried.filter(path => known.has(path));
  const args = ['checkout', '-q', 'HEAD', '--pathspec-from-file=-', '--pathspec-file-nul'];
  const env = { GIT_LITERAL_PATHSPECS: '1' };
  const cleared = committed.length > 0 ? await git.run({ args, input: committed.join('\0'), env }) : ok(Buffer.of());
  if (!cleared.ok) {
    back();
    return cleared;
  }
  for (const path of carried) if (!known.has(path)) rmSync(join(root, path), { force: true });
  const moved = await move();
  back();
  return moved;
}
