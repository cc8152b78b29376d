/** Distinguishes two states of a file or folder without reading it. */
import { type BigIntStats, lstatSync, lutimesSync, type Stats } from 'node:fs';

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

/** Makes an entry young, and returns the time that its file system gave it; undefined if that is refused. */
export function touch(path: string): BigIntStats | undefined {
  const now = Date.now() / 1000;
  try {
    lutimesSync(path, now, now);
  } catch {
    return undefined;
  }
  return lookAtExactly(path);
}
