/** Where the usual checkout is, without asking git: the first folder above that has a folder `.git` of one's own. */
import { existsSync, lstatSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readText } from '../util/files.ts';

export interface PlainPlace {
  readonly root: string;
  readonly gitDir: string;
}

/** Undefined where anything is unusual: git knows what to do then. */
export function plainRepository(cwd: string): PlainPlace | undefined {
  try {
    const start = realpathSync(cwd);
    if (/(?:^|\/)\.git(?:\/|$)/.test(start)) return undefined;
    const disk = lstatSync(start).dev;
    for (let root = start; lstatSync(root).dev === disk; root = dirname(root)) {
      const gitDir = join(root, '.git');
      const found = lstatSync(gitDir, { throwIfNoEntry: false });
      if (found)
        return found.isDirectory() && found.uid === process.getuid?.() && isPlain(gitDir)
          ? { root, gitDir }
          : undefined;
      if (dirname(root) === root) return undefined;
    }
  } catch {
    // A folder that is gone, or may not be looked at.
  }
  return undefined;
}

/** Settings may say that the work tree is elsewhere. */
function isPlain(gitDir: string): boolean {
  const config = readText(join(gitDir, 'config'));
  const whole = ['HEAD', 'objects', 'refs'].every(name => existsSync(join(gitDir, name)));
  return whole && config !== undefined && !/worktree|bare\s*=(?!\s*false)|include|extensions/i.test(config);
}
