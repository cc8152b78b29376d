/** What a new worktree needs and git does not bring: files such as `.env`, and installed packages where they cost nothing. */

import { constants, copyFileSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { capture } from '../process/index.ts';
import { namesIn } from '../util/files.ts';
import { globMatcher } from '../util/globs.ts';
import { pathBelow } from '../util/paths.ts';
import { lookAt } from '../util/version.ts';
import { isIgnored, type Repository } from './repository.ts';

const CLONE_MS = 120_000;

export interface Furnishing {
  readonly repository: Repository;
  readonly env: NodeJS.ProcessEnv;
  readonly carry: readonly string[];
  /** Folders with installed packages; `auto`: `packages`, and only if the file system can clone them. */
  readonly share: 'auto' | readonly string[];
  readonly packages: readonly string[];
}

/** Copies from the person's checkout; gives what could not be copied, as sentences. */
export async function furnish(
  { repository, env, carry, share, packages }: Furnishing,
  worktree: string,
): Promise<readonly string[]> {
  const { root } = repository;
  const notes: string[] = [];
  for (const path of carry.flatMap(pattern => filesOf(root, pattern))) {
    try {
      const to = join(worktree, path);
      if (lookAt(to)) continue;
      if (!(await isIgnored(repository, path))) {
        notes.push(`${path} is not carried into the worktree: git does not ignore it, so it would be committed there`);
        continue;
      }
      mkdirSync(dirname(to), { recursive: true });
      copyFileSync(join(root, path), to, constants.COPYFILE_FICLONE);
    } catch (error) {
      notes.push(`${path} could not be carried into the worktree: ${(error as Error).message}`);
    }
  }
  const named = share === 'auto' ? packages : share;
  for (const path of named) {
    const [from, to] = [join(root, path), join(worktree, path)];
    if (!lookAt(from)?.isDirectory() || lookAt(to)) continue;
    // Never by links: what an agent writes through one would be in the person's checkout.
    const how = share === 'auto' ? 'always' : 'auto';
    mkdirSync(dirname(to), { recursive: true });
    const argv = ['cp', '-a', `--reflink=${how}`, '--', from, to] as const;
    const cloned = await capture({ argv, cwd: root, env, maxBytes: 4096, timeoutMs: CLONE_MS });
    if (cloned.code === 0) continue;
    await capture({ argv: ['rm', '-rf', '--', to], cwd: root, env, maxBytes: 4096, timeoutMs: CLONE_MS });
    if (how === 'auto') notes.push(`${path} could not be copied into the worktree`);
  }
  return notes;
}

/** Regular files of the checkout itself: a link would lead out of it. */
function filesOf(root: string, pattern: string): readonly string[] {
  const folder = dirname(pattern);
  const matches = globMatcher([pattern]);
  const found = namesIn(join(root, folder)).map(name => join(folder, name));
  return (/[*?[{]/.test(pattern) ? found.filter(matches) : [pattern]).filter(path => {
    const file = join(root, path);
    return pathBelow(root, file) !== undefined && lookAt(file)?.isFile();
  });
}
