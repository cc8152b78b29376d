/** What was written without waiting reaches the disk: files and folders, all at once, by other threads. */
import { closeSync, fsync, openSync } from 'node:fs';
import { dirname } from 'node:path';

/** Opens more than this at once only in turns. */
const AT_ONCE = 64;

/**
 * Files and the folders they are named in. One that is gone meanwhile has nothing to lose; any other refusal of the disk
 * rejects, because nobody may build on what is not there.
 */
export async function flush(files: readonly string[], folders: readonly string[] = []): Promise<void> {
  const all = [...new Set([...files, ...files.map(file => dirname(file)), ...folders])];
  for (let at = 0; at < all.length; at += AT_ONCE) await Promise.all(all.slice(at, at + AT_ONCE).map(flushOne));
}

/** Begun when this returns: who blocks the program afterwards does not hold it up. */
function flushOne(path: string): Promise<void> {
  let fd: number;
  try {
    fd = openSync(path, 'r');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === 'ENOENT' || code === 'ENOTDIR' ? Promise.resolve() : Promise.reject(error as Error);
  }
  return new Promise((resolve, reject) => {
    fsync(fd, error => {
      closeSync(fd);
      // Some file systems do not sync folders, and say so.
      if (error && error.code !== 'EINVAL') reject(error);
      else resolve();
    });
  });
}
