/** Serializes changes of one small file by several processes, each of which takes milliseconds. */
import { closeSync, openSync, rmSync, statSync } from 'node:fs';

const WAIT_MS = 4;
/** No live process holds the lock for this long. */
const STALE_MS = 5_000;
/** After this wait, a process continues without the lock: such files are a convenience, and the journal has their content, too. */
const LONGEST_MS = 8_000;

/** Calls `act`, which reads and writes `file`, while no other process does the same. */
export function inTurn<T>(file: string, act: () => T): T {
  const lock = `${file}.lock`;
  const mine = take(lock);
  try {
    return act();
  } finally {
    if (mine) rmSync(lock, { force: true });
  }
}

function take(lock: string): boolean {
  const pause = new Int32Array(new SharedArrayBuffer(4));
  for (const end = Date.now() + LONGEST_MS; Date.now() < end; Atomics.wait(pause, 0, 0, WAIT_MS)) {
    try {
      closeSync(openSync(lock, 'wx'));
      return true;
    } catch (error) {
      // The code that writes the file reports a missing or read-only folder.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') return false;
      const stat = statSync(lock, { throwIfNoEntry: false });
      if (stat && Date.now() - stat.mtimeMs > STALE_MS) rmSync(lock, { recursive: true, force: true });
    }
  }
  return false;
}
