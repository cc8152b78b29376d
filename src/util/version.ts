/** Tells two states of a file or folder apart without reading it. */
import { type BigIntStats, lstatSync, type Stats } from 'node:fs';

/** Within one tick of the kernel's clock a second change looks like the first. */
const TICK_MS = 20;

/** Empty where nothing can be said yet: what changed a moment ago may change again without a sign. */
export function versionOf(stat: Stats | undefined, now = Date.now()): string {
  if (!stat) return 'missing';
  return now - stat.ctimeMs < TICK_MS ? '' : `${stat.ino} ${stat.size} ${stat.ctimeMs}`;
}

/** What is at a path itself, links included; undefined where nothing is. */
export function lookAt(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    // A file where a folder should be.
    return undefined;
  }
}

/** The same with times to the nanosecond. */
export function lookAtExactly(path: string): BigIntStats | undefined {
  try {
    return lstatSync(path, { bigint: true, throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
