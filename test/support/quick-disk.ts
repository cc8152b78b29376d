/** Where the repositories of tests lie: in memory where the machine allows it, because a run flushes to the disk all the time. */
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const MEMORY = '/dev/shm';
const ENOUGH_BYTES = 4 * 2 ** 30;

/** A folder of this test run alone; undefined where `TMPDIR` names one, or memory is short or runs no programs. */
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
    // Tests that become another user come through here, as they do through /tmp.
    chmodSync(folder, 0o1777);
    return folder;
  } catch {
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
    return undefined;
  }
}
