/**
 * One racer for the lock, bundled and run as a process of its own: waits for the start, tries until it has held the lock
 * once, and dies by SIGKILL while it holds it. `held` can be created by one process at a time only.
 */
import { closeSync, existsSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { acquireLock } from '../../src/journal/lock.ts';
import { isAlive, self } from '../../src/process/identity.ts';

const [folder = '', name = '', end = 'die'] = process.argv.slice(2);
const file = join(folder, 'lock');
const marker = join(folder, 'held');
const pause = (ms: number) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

writeFileSync(join(folder, `ready-${name}`), '');
while (!existsSync(join(folder, 'go'))) pause(1);

for (;;) {
  const lock = acquireLock({ file, me: self(), command: `racer ${name}`, now: Date.now(), isAlive });
  if (!lock.ok) {
    pause(Math.random() * 3);
    continue;
  }
  try {
    closeSync(openSync(marker, 'wx'));
  } catch {
    writeFileSync(join(folder, `overlap-${name}`), '');
  }
  pause(Math.random() * 4);
  // Given back just before the end, as the owner: a marker that is still there would be the next one's overlap.
  rmSync(marker, { force: true });
  writeFileSync(join(folder, `won-${name}`), '');
  if (end === 'release') {
    lock.value.release();
    process.exit(0);
  }
  process.kill(process.pid, 'SIGKILL');
}
