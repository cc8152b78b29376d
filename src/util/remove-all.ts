/** Removes a folder of others: of a folder that its owner may not write to, the system removes nothing. */
import { chmodSync, lstatSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { namesIn } from './files.ts';

/** Throws if the system still refuses, for example for a file of another user. */
export function removeAll(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true });
  } catch {
    open(path);
    rmSync(path, { recursive: true, force: true });
  }
}

function open(path: string): void {
  if (!lstatSync(path, { throwIfNoEntry: false })?.isDirectory()) return;
  try {
    chmodSync(path, 0o700);
  } catch {
    return;
  }
  for (const name of namesIn(path)) open(join(path, name));
}
