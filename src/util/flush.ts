/** What was written without waiting reaches the disk, all at once, by other threads. */
import { closeSync, constants, fsync, openSync } from 'node:fs';

/** Opens more than this at once only in turns. */
const AT_ONCE = 64;

/**
 * A file that is synced after it got its name is found under that name: file systems log either all names in order (ext4,
 * XFS, APFS) or a synced file with its name (btrfs, F2FS), so folders need no sync of their own here. A file that is gone
 * meanwhile has nothing to lose; any other refusal of the disk rejects, because nobody may build on what is not there.
 */
export async function flush(files: readonly string[]): Promise<void> {
  for (let at = 0; at < files.length; at += AT_ONCE) await Promise.all(files.slice(at, at + AT_ONCE).map(flushOne));
}

/** Begun when this returns: who blocks the program afterwards does not hold it up. */
function flushOne(path: string): Promise<void> {
  let fd: number;
  try {
    // What waits for a writer is not waited for.
    fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === 'ENOENT' || code === 'ENOTDIR' ? Promise.resolve() : Promise.reject(error);
  }
  return new Promise((resolve, reject) => {
    fsync(fd, error => {
      closeSync(fd);
      if (error) reject(error);
      else resolve();
    });
  });
}
