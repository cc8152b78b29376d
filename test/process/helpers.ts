/** Real folders and real processes, and a look at `/proc` that shares no code with the product. */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { atEndOfFile } from '../support/at-end.ts';

export const onLinux = process.platform === 'linux';

export function tempFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'ralph-process-')));
  atEndOfFile(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A lease of this test's own; no process may carry it when the test is over. */
export function newLease(): string {
  const lease = `test-${randomBytes(8).toString('hex')}`;
  onTestFinished(() => {
    const left = onLinux ? survivors(lease) : [];
    for (const pid of left) process.kill(pid, 'SIGKILL');
    expect(left).toEqual([]);
  });
  return lease;
}

/** A duration for `sleep` that no other process on the machine uses. */
export const uniqueSleep = (): string => `3${String(randomBytes(6).readUIntBE(0, 6)).padStart(15, '0')}`;

/** For a shell: waits until so many processes have become this `sleep`, and not only been forked for it. */
export const untilAsleep = (mark: string, count = 1): string =>
  `until [ "$(pgrep -fxc '(/bin/)?sleep ${mark}')" -ge ${count} ]; do sleep 0.02; done`;

export function script(folder: string, name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text, { mode: 0o755 });
  return path;
}

/** Pids of live processes whose environment or command line contains a text. */
export function processesWith(text: string, file: 'environ' | 'cmdline'): number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter(pid => pid > 0 && pid !== process.pid)
    .filter(pid => {
      try {
        const state = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ').at(-1)?.[0];
        return state !== 'Z' && state !== 'X' && readFileSync(`/proc/${pid}/${file}`, 'latin1').includes(text);
      } catch {
        return false;
      }
    });
}

export const survivors = (lease: string): number[] => processesWith(`RALPH_LEASE=${lease}`, 'environ');

export const env = { PATH: process.env.PATH ?? '/usr/bin:/bin', HOME: tmpdir() };

/** A command in a shell, for `supervise`. */
export const shell = (command: string) => ({
  argv: ['/bin/sh', '-c', command] as const,
  cwd: tempFolder(),
  env,
  lease: newLease(),
});

export async function eventually(what: () => boolean, ms = 60_000): Promise<void> {
  for (const end = Date.now() + ms; !what() && Date.now() < end; ) await new Promise(done => setTimeout(done, 10));
  expect(what()).toBe(true);
}
