/** Where test repositories are stored: in memory if possible, because a run fsyncs all the time. */
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const MEMORY = '/dev/shm';
const ENOUGH_BYTES = 4 * 2 ** 30;

/** A folder for this test run only; undefined if `TMPDIR` is set, or if memory is short or mounted noexec. */
export function quickDisk(): string | undefined {
  if (process.platform !== 'linux' || process.env.TMPDIR) return undefined;
  let folder: string | undefined;
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    if (bavail * bsize < ENOUGH_BYTES) return undefined;
    folder = mkdtempSync(join(MEMORY, 'ralph-tests-'));
    const program = join(folder, 'program');
    writeFileSync(program, '#!/bin/sh\n');
    chmodSync(program, 0o755);
    execFileSync(program);
    // Tests that run as another user need access, as in /tmp.
    chmodSync(folder, 0o1777);
    return folder;
  } catch {
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
    return undefined;
  }
}
