/** Waits for a condition, with a deadline that only a hang reaches. */
import { setTimeout as sleep } from 'node:timers/promises';

const DEADLINE_MS = 120_000;

export async function until(holds: () => boolean): Promise<void> {
  for (const end = Date.now() + DEADLINE_MS; !holds(); await sleep(20)) {
    if (Date.now() > end) throw new Error(`it did not come to that within ${DEADLINE_MS / 1000} s: ${String(holds)}`);
  }
}

/**
 * For a time limit that has to expire at a certain point: tries increasing numbers of seconds, because how long it takes to
 * get there depends on the machine.
 */
export async function withinSeconds<T>(attempt: (seconds: number) => Promise<T | undefined>): Promise<T> {
  for (const seconds of [2, 8, 30]) {
    const reached = await attempt(seconds);
    if (reached !== undefined) return reached;
  }
  throw new Error('the limit struck too early, however long it was');
}
