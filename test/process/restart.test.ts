import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { identify, isAlive } from '../../src/process/identity.ts';
import { findStrays } from '../../src/process/strays.ts';
import { endLeftovers } from '../../src/process/sweep.ts';
import type { ProcessId } from '../../src/protocol.ts';
import {
  env,
  eventually,
  newLease,
  onLinux,
  processesWith,
  script,
  survivors,
  tempFolder,
  uniqueSleep,
  untilAsleep,
} from './helpers.ts';

const UNTIL_SEEN = 'until test -e seen; do sleep 0.02; done';

/** A runner that starts an agent the way the product does, and is killed at once. */
async function killedRunner(agent: string): Promise<{ process: ProcessId; lease: string; workspace: string }> {
  const workspace = tempFolder();
  const lease = newLease();
  const parent = script(
    workspace,
    'runner.mjs',
    `import { spawn } from 'node:child_process';
     const env = { ...process.env, RALPH_LEASE: process.argv[2] };
     const agent = spawn('/bin/sh', ['-c', process.argv[3]], { detached: true, env, stdio: 'ignore' });
     console.log(agent.pid);
     setInterval(() => {}, 1000);`,
  );
  const runner = spawn(process.execPath, [parent, lease, agent], {
    cwd: workspace,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(runner.stdout, 'data')) as [Buffer];
  const id = identify(Number(String(line)));
  runner.kill('SIGKILL');
  await once(runner, 'exit');
  if (!id) throw new Error('the agent was not there');
  return { process: id, lease, workspace };
}

describe.runIf(onLinux)('a restarted runner', () => {
  test('ends the agent of the dead one, and what came of it', async () => {
    const mark = uniqueSleep();
    const left = await killedRunner(
      `setsid sleep ${mark} & ${untilAsleep(mark)}; touch up; while :; do sleep 0.05; done`,
    );
    await eventually(() => existsSync(join(left.workspace, 'up')));
    expect(isAlive(left.process)).toBe(true);
    const ended = await endLeftovers({ ...left, graceMs: 5_000 });
    expect(isAlive(left.process)).toBe(false);
    expect(survivors(left.lease)).toEqual([]);
    expect(ended[0]).toEqual({ pid: left.process.pid, command: expect.stringContaining(mark), killed: true });
    expect(ended).toContainEqual({ pid: expect.any(Number), command: `sleep ${mark}`, killed: true });
  });

  test('ends an agent that ignores TERM', async () => {
    const left = await killedRunner(`trap '' TERM INT HUP; touch up; while :; do sleep 0.05; done`);
    await eventually(() => existsSync(join(left.workspace, 'up')));
    await endLeftovers({ ...left, graceMs: 200 });
    expect(isAlive(left.process)).toBe(false);
  });

  test('finds it by its lease alone, when the crash came before its identity was written down', async () => {
    const left = await killedRunner('while :; do sleep 0.05; done');
    const ended = await endLeftovers({ lease: left.lease, graceMs: 5_000 });
    expect(ended).toContainEqual({ pid: left.process.pid, command: expect.any(String), killed: true });
    expect(isAlive(left.process)).toBe(false);
  });

  test('finds what is left of its group when the agent itself is gone and its children have no environment', async () => {
    const mark = uniqueSleep();
    const left = await killedRunner(`env -i /bin/sleep ${mark} & ${untilAsleep(mark)}; ${UNTIL_SEEN}`);
    writeFileSync(join(left.workspace, 'seen'), '');
    await eventually(() => !isAlive(left.process));
    const ended = await endLeftovers({ ...left, graceMs: 5_000 });
    expect(ended).toEqual([{ pid: expect.any(Number), command: `/bin/sleep ${mark}`, killed: true }]);
    expect(processesWith(mark, 'cmdline')).toEqual([]);
  });

  test('has nothing to do when nothing was left', async () => {
    const left = await killedRunner(UNTIL_SEEN);
    writeFileSync(join(left.workspace, 'seen'), '');
    await eventually(() => !isAlive(left.process));
    expect(await endLeftovers({ ...left, graceMs: 5_000 })).toEqual([]);
  });
});

describe.runIf(onLinux)('a pid that was given to another process', () => {
  test.each([
    ['started earlier than the agent', (id: ProcessId) => ({ ...id, started: String(Number(id.started) + 1) })],
    ['started later than the agent', (id: ProcessId) => ({ ...id, started: String(Number(id.started) - 100) })],
    ['of another boot', (id: ProcessId) => ({ ...id, boot: 'an earlier one' })],
  ])('%s is never touched', async (_, forged) => {
    // A leader of a group of its own, with a child: all that a careless group kill would take.
    const stranger = spawn('/bin/sh', ['-c', 'sleep 60 & wait'], { detached: true, stdio: 'ignore', env });
    const id = identify(stranger.pid ?? 0);
    if (!id) throw new Error('the stranger was not there');
    const main = forged(id);
    expect(findStrays({ main, lease: newLease() }).strays).toEqual([]);
    expect(await endLeftovers({ process: main, lease: newLease(), graceMs: 100 })).toEqual([]);
    expect(isAlive(id)).toBe(true);
    process.kill(-id.pid, 'SIGKILL');
    await once(stranger, 'exit');
  });
});
