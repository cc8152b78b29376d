import { spawn } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { supervise } from '../../src/process/supervise.ts';
import { env, eventually, newLease, onLinux, processesWith, tempFolder, uniqueSleep, untilAsleep } from './helpers.ts';

const shell = (command: string, cwd = tempFolder()) => ({
  argv: ['/bin/sh', '-c', command] as const,
  cwd,
  workspace: cwd,
  env,
  lease: newLease(),
});
const running = (mark: string) => processesWith(mark, 'cmdline');

describe.runIf(onLinux)('what a process leaves behind when it exits', () => {
  test.each([
    ['a child in its group', (mark: string) => `sleep ${mark} >/dev/null 2>&1 &`],
    ['a child in a session of its own', (mark: string) => `setsid sleep ${mark} >/dev/null 2>&1 &`],
    ['a double fork', (mark: string) => `(setsid sh -c 'sleep ${mark} & ' >/dev/null 2>&1 &)`],
    ['a child without an environment', (mark: string) => `env -i /bin/sleep ${mark} >/dev/null 2>&1 &`],
    [
      'a child that shed every mark but its open output',
      (mark: string) => `cd /; (env -i setsid /bin/sh -c '/bin/sleep ${mark} & ' &)`,
    ],
  ])('%s is ended and named', async (_, command) => {
    const mark = uniqueSleep();
    const end = await supervise({ ...shell(`${command(mark)}\n${untilAsleep(mark)}; exit 3`), drainMs: 200 });
    expect(end).toMatchObject({ reason: 'exited', code: 3 });
    expect(end.leftovers.filter(left => left.command.includes(mark))).toEqual([
      { pid: expect.any(Number), command: expect.stringContaining(`sleep ${mark}`), killed: true },
    ]);
    expect(running(mark)).toEqual([]);
  });

  test('one that ignores TERM is killed', async () => {
    const mark = uniqueSleep();
    const stubborn = `setsid sh -c 'trap "" TERM INT HUP; touch ready; while :; do sleep 0.05; : ${mark}; done' >/dev/null 2>&1`;
    const end = await supervise({ ...shell(`${stubborn} & until test -e ready; do sleep 0.02; done`), graceMs: 200 });
    expect(end.leftovers.some(left => left.command.includes(mark) && left.killed)).toBe(true);
    expect(running(mark)).toEqual([]);
  });

  test('a holder of its output does not keep us: code and output are kept', async () => {
    const mark = uniqueSleep();
    const end = await supervise({ ...shell(`echo result; sleep ${mark} & exit 6`), drainMs: 200 });
    expect(end).toMatchObject({ reason: 'exited', code: 6, tail: 'result\n' });
    expect(end.leftovers).toHaveLength(1);
    expect(running(mark)).toEqual([]);
  });

  // They have a tenth of a second for it, which a busy machine may not give them.
  test('children that leave in time are not named', { retry: 5 }, async () => {
    const end = await supervise(shell('sleep 0.03 >/dev/null 2>&1 & exit 0'));
    expect(end.leftovers).toEqual([]);
  });

  // The kernel ends them without being asked, which takes longer than a tenth of a second on a busy machine.
  test('what dies with its sandbox is not named', async () => {
    const end = await supervise({ ...shell('sleep 0.5 >/dev/null 2>&1 & exit 0'), wrapped: true });
    expect(end.leftovers).toEqual([]);
  });

  describe('one that shed every mark (env -i, setsid, double fork) and sits in the workspace', () => {
    const escape = (mark: string, variables = '') =>
      `(env -i ${variables} setsid /bin/sh -c '/bin/sleep ${mark} & ' >/dev/null 2>&1 </dev/null &) ; ${untilAsleep(mark)}`;

    test('is named but not touched where the workspace is shared and a person may have started it', async () => {
      const mark = uniqueSleep();
      const end = await supervise(shell(escape(mark, 'TERM=xterm')));
      const pids = running(mark);
      for (const pid of pids) process.kill(pid, 'SIGKILL');
      expect(end.leftovers).toEqual([{ pid: pids[0], command: `/bin/sleep ${mark}`, killed: false }]);
    });

    test.each([
      ['where the workspace is its own', true, 'TERM=xterm'],
      ['where it was not started from a terminal', false, ''],
    ] as const)('is ended %s', async (_, killSuspects, variables) => {
      const mark = uniqueSleep();
      const end = await supervise({ ...shell(escape(mark, variables)), killSuspects });
      expect(running(mark)).toEqual([]);
      expect(end.leftovers).toEqual([{ pid: expect.any(Number), command: `/bin/sleep ${mark}`, killed: true }]);
    });

    test('is named apart and not touched when it sits elsewhere', async () => {
      const mark = uniqueSleep();
      const end = await supervise({ ...shell(`cd /; ${escape(mark)}`), killSuspects: true });
      const pids = running(mark);
      for (const pid of pids) process.kill(pid, 'SIGKILL');
      expect(pids).toHaveLength(1);
      expect(end.leftovers).toEqual([]);
      expect(end.strangers).toContainEqual({ pid: pids[0], command: `/bin/sleep ${mark}`, killed: false });
    });

    test('is not touched when it only names a folder beside the workspace', async () => {
      const mark = uniqueSleep();
      const cwd = tempFolder();
      const beside = `cd /; (env -i setsid /bin/sh -c '/bin/sleep ${mark}; : ${cwd}-backup' >/dev/null 2>&1 </dev/null &) ; ${untilAsleep(mark)}`;
      const end = await supervise({ ...shell(beside, cwd), killSuspects: true });
      const pids = running(mark);
      for (const pid of pids) process.kill(pid, 'SIGKILL');
      expect(pids).not.toEqual([]);
      expect(end.leftovers).toEqual([]);
    });

    test('is ended when it sits elsewhere and works in there', async () => {
      const mark = uniqueSleep();
      const cwd = tempFolder();
      const far = `cd /; (env -i setsid /bin/sh -c '/bin/sleep ${mark} 3< ${cwd}/open & ' >/dev/null 2>&1 </dev/null &) ; ${untilAsleep(mark)}`;
      const end = await supervise(shell(`touch open; ${far}`, cwd));
      expect(running(mark)).toEqual([]);
      expect(end.leftovers).toContainEqual({ pid: expect.any(Number), command: `/bin/sleep ${mark}`, killed: true });
    });
  });

  test('bystanders in the same folder are not touched: older, of another lease, or our own children', async () => {
    const cwd = tempFolder();
    const older = uniqueSleep();
    const foreign = uniqueSleep();
    const child = uniqueSleep();
    const start = (mark: string, extra: NodeJS.ProcessEnv) =>
      spawn('/bin/sh', ['-c', `(setsid sleep ${mark} &)`], { cwd, env: { ...env, ...extra }, stdio: 'ignore' });
    start(older, {});
    await eventually(() => running(`sleep\0${older}`).length === 1);
    const end = await supervise({
      ...shell(`${untilAsleep(foreign)}; ${untilAsleep(child)}`, cwd),
      killSuspects: true,
      onStarted: () => {
        start(foreign, { RALPH_LEASE: 'of-another-iteration' });
        spawn('sleep', [child], { cwd, env, stdio: 'ignore' });
      },
    });
    const alive = [older, foreign, child].map(mark => running(`sleep\0${mark}`));
    for (const pid of alive.flat()) process.kill(pid, 'SIGKILL');
    expect(alive.map(pids => pids.length)).toEqual([1, 1, 1]);
    expect(end.leftovers).toEqual([]);
  });
});

describe.runIf(onLinux)('what a process has around it when it is ended', () => {
  test('all of it goes, whatever it did to stay', async () => {
    const mark = uniqueSleep();
    const ignore = `trap "" TERM INT HUP`;
    const command = `
      sleep ${mark} &
      nohup sleep ${mark} >/dev/null 2>&1 &
      setsid sleep ${mark} >/dev/null 2>&1 &
      setsid sh -c '${ignore}; sleep ${mark}; sleep ${mark}' &
      (setsid sh -c 'sleep ${mark} & ' &)
      env -i setsid /bin/sleep ${mark} &
      (env -i setsid /bin/sh -c '/bin/sleep ${mark} & ' >/dev/null 2>&1 &)
      ${ignore}
      ${untilAsleep(mark, 7)}
      echo up
      while :; do sleep 0.05; done`;
    const stop = new AbortController();
    const end = await supervise({
      ...shell(command),
      signal: stop.signal,
      onLine: line => (line === 'up' ? stop.abort() : undefined),
      graceMs: 300,
      killSuspects: true,
    });
    expect(end).toMatchObject({ reason: 'stopped', signal: 'SIGKILL' });
    expect(running(mark)).toEqual([]);
    expect(end.leftovers.length).toBeGreaterThanOrEqual(7);
    expect(end.leftovers.every(left => left.killed)).toBe(true);
  });

  test('its command line is shown on one line, short and without control codes', async () => {
    const mark = uniqueSleep();
    const noise = `\u001b[31m\n${'y'.repeat(500)}`;
    const command = `"$0" -c "sleep $1; true" "$2" >/dev/null 2>&1 & ${untilAsleep(mark)}`;
    const end = await supervise({ ...shell(command), argv: ['/bin/sh', '-c', command, '/bin/sh', mark, noise] });
    const shown = end.leftovers.map(left => left.command).find(command => command.includes('yyy')) ?? '';
    expect(shown).toHaveLength(200);
    // oxlint-disable-next-line no-control-regex -- they are what this is about
    expect(shown).not.toMatch(/[\x00-\x1f]/);
  });
});
