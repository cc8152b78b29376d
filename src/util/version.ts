/** Distinguishes two states of a file or folder without reading it. */
import { type BigIntStats, lstatSync, type Stats } from 'node:fs';

/** A second change within one tick of the kernel's clock is not visible. */
const TICK_MS = 20;

/** Empty if the state is too recent: another change within the same tick would be invisible. */
export function versionOf(stat: Stats | undefined, now = Date.now()): string {
  if (!stat) return 'missing';
  return now - stat.ctimeMs < TICK_MS ? '' : `${stat.ino} ${stat.size} ${stat.ctimeMs}`;
}

/** The entry at a path, without following links; undefined if there is none. */
export function lookAt(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    // A parent is a file and not a folder.
    return undefined;
  }
}

/** The same with timestamps in nanoseconds. */
export function lookAtExactly(path: string): BigIntStats | undefined {
  try {
    return lstatSync(path, { bigint: true, throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
