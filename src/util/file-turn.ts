/** Several processes change one small file: one after the other, each for milliseconds. */
import { closeSync, openSync, rmSync, statSync } from 'node:fs';

const WAIT_MS = 4;
/** Nobody alive takes this long. */
const STALE_MS = 5_000;
/** Whoever still waits continues without its turn: what is written so is a convenience, and the journal has it too. */
const LONGEST_MS = 8_000;

/** Reads and writes `file` in `act` while no other process does so. */
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
      // A folder that is not there, or cannot be written to, is told by the code that writes the file.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') return false;
      const stat = statSync(lock, { throwIfNoEntry: false });
      if (stat && Date.now() - stat.mtimeMs > STALE_MS) rmSync(lock, { recursive: true, force: true });
    }
  }
  return false;
}
