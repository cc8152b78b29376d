/** Whether bubblewrap works on this machine; where it does not, tests are skipped under a name that says why. */
import { spawnSync } from 'node:child_process';
import { afterAll, beforeAll } from 'vitest';

const OPTIONS = ['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc', '--unshare-pid', '--unshare-net'];

/** A sandbox has another /dev, and with it nothing of the memory in which other tests work. */
const { TMPDIR } = process.env;
beforeAll(() => {
  if (TMPDIR?.startsWith('/dev/')) delete process.env.TMPDIR;
});
afterAll(() => {
  if (TMPDIR !== undefined) process.env.TMPDIR = TMPDIR;
});

/** Empty where it works. */
export function whyNoBwrap(): string {
  const tried = spawnSync('bwrap', [...OPTIONS, '--', 'true'], { encoding: 'utf8', timeout: 20_000 });
  if (tried.status === 0) return '';
  const why = tried.error?.message ?? tried.stderr.trim();
  console.warn(`SKIPPED, the sandbox does not work here: ${why}`);
  return ` (SKIPPED: ${why})`;
}
