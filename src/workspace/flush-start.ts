/** What a person did in git a moment before the run reaches the disk as well: accepted work is built on it. */
import { join } from 'node:path';
import { namesIn } from '../util/files.ts';
import { flush } from '../util/flush.ts';
import { lookAt } from '../util/version.ts';

/** What is older has been written back by any kernel in its usual settings. */
const RECENT_MS = 2 * 60_000;
const MAX_FILES = 20_000;

export interface GitPlace {
  readonly commonDir: string;
  /** Of the checkout the run works in, and its top. */
  readonly gitDir: string;
  readonly root: string;
}

/** Young objects, refs and files of the git directory; all of a checkout that git has just made. */
export async function flushStart({ commonDir, gitDir, root }: GitPlace): Promise<void> {
  const since = Date.now() - RECENT_MS;
  const objects = join(commonDir, 'objects');
  const files = [
    ...youngIn(commonDir, since),
    ...youngBelow(join(commonDir, 'refs'), since),
    ...namesIn(objects).flatMap(name => youngIn(join(objects, name), since)),
    ...(gitDir === commonDir ? [] : [...youngIn(gitDir, since), join(root, '.git')]),
  ];
  await flush(files.slice(0, MAX_FILES));
}

/** A folder whose entries did not change holds nothing that is new; a file may be rewritten, but no object is. */
function youngIn(folder: string, since: number): readonly string[] {
  if ((lookAt(folder)?.mtimeMs ?? 0) < since) return [];
  return namesIn(folder)
    .map(name => join(folder, name))
    .filter(file => {
      const stat = lookAt(file);
      return stat?.isFile() && stat.mtimeMs >= since;
    });
}

function youngBelow(folder: string, since: number): readonly string[] {
  const below = namesIn(folder)
    .map(name => join(folder, name))
    .filter(path => lookAt(path)?.isDirectory());
  return [...youngIn(folder, since), ...below.flatMap(path => youngBelow(path, since))];
}
