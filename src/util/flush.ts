/** Syncs files that were written without fsync, many at once, in the thread pool. */
import { closeSync, constants, fsync, openSync } from 'node:fs';

/** How many files are open at a time. */
const AT_ONCE = 64;

/**
 * A file that is synced after it got its name is found under that name after a power cut: file systems log either all names in order
 * (ext4, XFS, APFS) or a synced file with its name (btrfs, F2FS), so folders need no sync here. A file that is gone meanwhile is skipped;
 * any other error rejects, because nothing may depend on data that is not on disk.
 */
export async function flush(files: readonly string[]): Promise<void> {
  for (let at = 0; at < files.length; at += AT_ONCE) await Promise.all(files.slice(at, at + AT_ONCE).map(flushOne));
}

/** The sync has started when this returns, so code that blocks the event loop afterwards does not delay it. */
function flushOne(path: string): Promise<void> {
  let fd: number;
  try {
    // Opening a pipe must not wait for a writer.
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
