/** A command that meets a full disk says so, and what to do; it does not speak of owners or of another command. */
import { cpSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { planOf, play, works } from '../loop/scene.ts';
import { makeDisk } from '../night/scene.ts';
import { makeRepo } from '../support/repo.ts';

const disk = makeDisk(16);
if (!disk.small) disk.remove();

test.skipIf(!disk.small)('the morning on a full disk', async () => {
  const repo = makeRepo({ plan: planOf('US-1'), config: { gates: ['true'] }, scenario: play({ '*': works }) });
  expect((await repo.run()).code).toBe(0);
  const cwd = join(disk.folder, 'repo');
  cpSync(repo.root, cwd, { recursive: true });
  const filler = join(disk.folder, 'filler');
  try {
    for (let bytes = 1 << 20; bytes >= 1; bytes >>= 1) fill(filler, bytes);
    const merge = await repo.ralph(['merge'], { cwd });
    expect(merge).toMatchObject({ code: 4, stderr: expect.stringContaining('ENOSPC') });
    expect(merge.stderr).toContain('start this command again');
    const revert = await repo.ralph(['revert', 'US-1'], { cwd });
    expect(revert).toMatchObject({ code: 1, stderr: expect.stringContaining('ENOSPC') });
    expect(revert.stderr).toContain('Free some space, then start this command again');
    rmSync(filler);
    expect(await repo.ralph(['merge'], { cwd })).toMatchObject({ code: 0 });
  } finally {
    disk.remove();
  }
});

/** Appends as long as there is room. */
function fill(file: string, bytes: number): void {
  const block = Buffer.alloc(bytes);
  for (;;) {
    try {
      writeFileSync(file, block, { flag: 'a' });
    } catch {
      return;
    }
  }
}
