/**
 * A lock that was taken is given back whatever happens. While a runner works it comes back where somebody deleted it, and
 * goes when the program leaves in a hurry.
 */
import type { Lock } from '../journal/index.ts';

const LOOK_MS = 500;

/** What follows the taking may throw, for example on a full disk: then nobody holds the lock any more. */
export async function orRelease<T>(lock: Lock | undefined, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    lock?.release();
    throw error;
  }
}

/** Until the returned function is called, which gives the lock back. */
export function keepLock(lock: Lock): () => void {
  const timer = setInterval(() => lock.renew(), LOOK_MS).unref();
  const release = () => lock.release();
  process.once('exit', release);
  return () => {
    clearInterval(timer);
    process.off('exit', release);
    release();
  };
}
