/** Supervision through bubblewrap: whoever is inside gets the time it would get outside, and is accounted for. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runCommand, superviseInside } from '../../src/process/supervise.ts';
import { type Argv, bwrapArgv } from '../../src/sandbox/index.ts';
import { env, newLease, processesWith, tempFolder, uniqueSleep } from '../process/helpers.ts';
import { whyNoBwrap } from './bwrap-here.ts';

const refused = whyNoBwrap();

describe.skipIf(refused !== '')(`supervising what is inside${refused}`, () => {
  const inside = (folder: string) => (argv: Argv) => ({
    argv: bwrapArgv('bwrap', { mounts: [{ as: 'write', path: folder }], network: 'none', cwd: folder }, argv),
    env,
    wrapped: true as const,
  });

  it('a stop asks it to leave, gives it time to clean up, and names only what it left', async () => {
    const folder = tempFolder();
    const stop = new AbortController();
    const sleep = uniqueSleep();
    const script = `trap 'echo cleaned > cleaned; exit 7' TERM; setsid sh -c 'trap "" TERM; sleep ${sleep}; :' & echo ready; while :; do sleep 0.05; done`;
    const end = await superviseInside(
      {
        cwd: folder,
        stdin: 'none',
        lease: newLease(),
        graceMs: 20_000,
        signal: stop.signal,
        onLine: line => (line === 'ready' ? stop.abort() : undefined),
      },
      inside(folder)(['/bin/sh', '-c', script]),
    );
    expect(readFileSync(join(folder, 'cleaned'), 'utf8')).toBe('cleaned\n');
    expect([end.reason, end.code]).toEqual(['stopped', 7]);
    // What keeps it inside is not among the named. A child that has not become its program yet has the words of its parent.
    expect(end.leftovers.filter(({ command }) => /bwrap/.test(command))).toEqual([]);
    expect(end.leftovers.every(({ killed }) => killed)).toBe(true);
    expect(processesWith(sleep, 'cmdline')).toEqual([]);
  });

  it('one that ignores being asked is killed with everything', async () => {
    const folder = tempFolder();
    const sleep = uniqueSleep();
    const end = await superviseInside(
      { cwd: folder, stdin: 'none', lease: newLease(), idleMs: 300, graceMs: 200 },
      inside(folder)(['/bin/sh', '-c', `trap "" TERM; sleep ${sleep}; sleep ${sleep}`]),
    );
    expect(end.reason).toBe('idle');
    expect(processesWith(sleep, 'cmdline')).toEqual([]);
  });

  it('exit code and output are those of the command; its children end with it, unnamed', async () => {
    const folder = tempFolder();
    const sleep = uniqueSleep();
    const command = `setsid sleep ${sleep} & echo out; touch /etc/x || touch here; exit 3`;
    const end = await runCommand({ command, contain: inside(folder), cwd: folder, env, timeoutMs: 20_000 });
    expect([end.reason, end.code, end.leftovers]).toEqual(['exited', 3, []]);
    expect(end.tail).toContain('out');
    expect(existsSync(join(folder, 'here'))).toBe(true);
    expect(processesWith(sleep, 'cmdline')).toEqual([]);
  });
});
