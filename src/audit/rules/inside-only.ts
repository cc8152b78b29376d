/**
 * No link may point outside the work tree.
 *
 *     - config.json
 *     + config.json -> /etc/passwd
 */
import { posix } from 'node:path';
import type { Found, Rule } from './rule.ts';

const SYMLINK = '120000';
const SUBMODULE = '160000';

export const insideOnly: Rule = {
  id: 'inside-only',
  level: 'block',
  about: 'A link out of the work tree, or a repository inside the repository.',
  check: ({ changes, input: { linkTarget } }) =>
    changes.flatMap(({ kind, mode, path }): readonly Found[] => {
      if (kind === 'deleted') return [];
      if (mode === SUBMODULE) return [{ message: `${path} is a repository inside the repository`, path }];
      if (mode !== SYMLINK) return [];
      const target = linkTarget(path);
      if (target === undefined || !leavesTree(path, target)) return [];
      return [{ message: `${path} links out of the work tree to ${target}`, path }];
    }),
};

function leavesTree(path: string, target: string): boolean {
  if (posix.isAbsolute(target)) return true;
  const resolved = posix.normalize(posix.join(posix.dirname(path), target));
  return resolved === '..' || resolved.startsWith('../') || resolved === '.git' || resolved.startsWith('.git/');
}
