/** Removes a folder in which an ending process may still write. */
import { rmSync } from 'node:fs';

const TRIES = 30;
const REST_MS = 100;
const bell = new Int32Array(new SharedArrayBuffer(4));

/** `rmSync` has retries, but they do not see files that were created in the folder since. */
export function removeFolder(folder: string): void {
  for (let left = TRIES; ; left -= 1) {
    try {
      rmSync(folder, { recursive: true, force: true });
      return;
    } catch (error) {
      if (left <= 0 || (error as NodeJS.ErrnoException).code !== 'ENOTEMPTY') throw error;
      Atomics.wait(bell, 0, 0, REST_MS);
    }
  }
}
