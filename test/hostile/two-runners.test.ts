/** Never two runners in one tree, and never an agent that outlives its runner: whatever is deleted, hung or ignored. */
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'vitest';
import { identify, isAlive } from '../../src/process/identity.ts';
import { planOf, play, recordsOf, runs, works } from '../loop/scene.ts';
import type { Ended, Running } from '../support/cli.ts';
import { makeRepo, type Repo } from '../support/repo.ts';

const DEADLINE_MS = 120_000;

async function until<T>(look: () => T | undefined | false): Promise<T> {
  for (const end = Date.now() + DEADLINE_MS; Date.now() < end; ) {
    const found = look();
    if (found !== undefined && found !== false) return found;
    await new Promise(resolve => setTimeout(resolve, 20));
  }
  throw new Error('it did not come about in time');
}

const agentOf = (repo: Repo) => (repo.runs().length > 0 ? recordsOf(repo, 'agent.started').at(-1)?.process : undefined);

/** A signal, and the same again until it has an effect: two that are sent at once arrive as one. */
async function insist({ child, ended }: Running, signal: NodeJS.Signals): Promise<Ended> {
  child.kill(signal);
  const again = setInterval(() => child.kill(signal), 300);
  const end = await ended;
  clearInterval(again);
  return end;
}

/** Works until a file outside says that it may go on. */
const waits = runs('while ! test -e ../outside/go; do sleep 0.05; done; echo done > US-1.txt');

describe.concurrent('a runner', () => {
  test('is found although its lock was deleted, and gets it back', async ({ expect }) => {
    const repo = makeRepo({ plan: planOf('US-1'), config: { gates: ['true'] }, scenario: play({ '*': waits }) });
    const first = repo.start(['run']);
    const agent = await until(() => agentOf(repo));
    const lock = join(repo.root, '.ralph/lock');
    // Again and again: the other one has to be refused with and without the lock.
    rmSync(lock);
    const deleting = setInterval(() => rmSync(lock, { force: true }), 1);
    const second = await repo.ralph(['run']);
    clearInterval(deleting);
    expect(second.code, second.stdout + second.stderr).toBe(4);
    expect(second.stderr).toContain(`another runner works here: pid ${first.pid}`);
    expect(isAlive(agent)).toBe(true);
    await until(() => existsSync(lock));
    const doctor = await repo.ralph(['doctor']);
    expect(doctor.code).toBe(4);
    expect(doctor.stdout).toContain('in use by a live run');
    expect(doctor.stdout).not.toContain('was cut off');
    expect(JSON.parse(readFileSync(lock, 'utf8'))).toMatchObject({ process: { pid: first.pid } });
    writeFileSync(join(repo.outside, 'go'), '');
    expect((await first.ended).code).toBe(0);
    expect(existsSync(lock)).toBe(false);
    // What was done by a runner that is gone does not keep anybody out.
    expect((await repo.ralph(['run'])).code).toBe(0);
  });

  test('kills an agent that ignores TERM at the second Ctrl-C, and says so', async ({ expect }) => {
    // Only the first time: the attempt that was cut off is made again.
    const ignores = "trap '' TERM INT HUP; echo $$ > ../outside/pid; while :; do sleep 0.05; done";
    const stubborn = runs(`test -e ../outside/pid || { ${ignores}; }`, 'echo 1 > US-1.txt');
    const repo = makeRepo({
      plan: planOf('US-1'),
      config: { gates: ['true'] },
      scenario: play({ '*': stubborn }),
    });
    const running = repo.start(['run']);
    const agent = await until(() => agentOf(repo));
    const pid = await until(() => existsSync(join(repo.outside, 'pid')) && repo.read('../outside/pid').trim());
    const shell = identify(Number(pid));
    const { code, stderr } = await insist(running, 'SIGINT');
    expect(code, stderr).toBe(130);
    expect(stderr).toContain(`killed ${pid}`);
    expect(isAlive(agent)).toBe(false);
    expect(shell && isAlive(shell)).toBe(false);
    const again = await repo.ralph(['run']);
    expect(again.code, again.stdout + again.stderr).toBe(0);
  });

  test('hears SIGTERM while git hangs, and ends', async ({ expect }) => {
    const repo = makeRepo({ plan: planOf('US-1'), config: { gates: ['true'] }, scenario: play({ '*': works }) });
    const bin = join(repo.outside, 'bin');
    mkdirSync(bin);
    const hangs = `#!/bin/sh\ntouch ${repo.outside}/hangs\ntrap '' TERM\nwhile :; do sleep 0.1; done\n`;
    writeFileSync(join(bin, 'git'), hangs);
    chmodSync(join(bin, 'git'), 0o755);
    const running = repo.start(['run'], { env: { PATH: `${bin}:${process.env.PATH ?? ''}` } });
    await until(() => existsSync(join(repo.outside, 'hangs')));
    const { code, stderr } = await insist(running, 'SIGTERM');
    expect(code, stderr).toBe(143);
    expect(stderr).toContain('killed');
    expect(existsSync(join(repo.root, '.ralph/lock'))).toBe(false);
  });
});
