import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { identify } from '../../src/process/identity.ts';
import { runCommand, supervise } from '../../src/process/supervise.ts';
import type { ProcessId } from '../../src/protocol.ts';
import { env, newLease, script, shell, tempFolder } from './helpers.ts';

/** What it needs to be set up before it is ended, it has done when it prints. */
function stopAtFirstLine() {
  const stop = new AbortController();
  return { signal: stop.signal, onLine: () => stop.abort() };
}

describe('how a supervised process ends', () => {
  test('by itself, with its code', async () => {
    expect(await supervise(shell('echo out; echo err >&2; exit 7'))).toMatchObject({
      reason: 'exited',
      code: 7,
      signal: null,
      leftovers: [],
      outputBytes: 8,
      droppedBytes: 0,
    });
  });

  test('by a signal of its own', async () => {
    expect(await supervise(shell('kill -SEGV $$'))).toMatchObject({ reason: 'exited', code: null, signal: 'SIGSEGV' });
  });

  test('idle, when it never prints', async () => {
    const end = await supervise({ ...shell('exec sleep 60'), idleMs: 300 });
    expect(end).toMatchObject({ reason: 'idle', code: null, signal: 'SIGTERM' });
    expect(end.durationMs).toBeGreaterThanOrEqual(299);
  });

  // A busy machine can be silent for that long.
  test('idle, when it prints and then stops; not before', { retry: 5 }, async () => {
    const talk = 'for i in 1 2 3 4 5; do echo $i; sleep 0.2; done';
    const end = await supervise({ ...shell(`${talk} >&2; exec sleep 60`), idleMs: 800 });
    expect(end).toMatchObject({ reason: 'idle', tail: '1\n2\n3\n4\n5\n' });
    expect(end.durationMs).toBeGreaterThanOrEqual(1_500);
  });

  test('by timeout, though it keeps printing', async () => {
    const end = await supervise({ ...shell('while :; do echo x; sleep 0.05; done'), timeoutMs: 500, idleMs: 10_000 });
    expect(end).toMatchObject({ reason: 'timeout', signal: 'SIGTERM' });
  });

  test('by KILL, when it ignores TERM', async () => {
    const end = await supervise({
      ...shell(`trap '' TERM INT HUP; echo up; while :; do sleep 0.05; done`),
      ...stopAtFirstLine(),
      graceMs: 300,
    });
    expect(end).toMatchObject({ reason: 'stopped', code: null, signal: 'SIGKILL' });
    expect(end.durationMs).toBeGreaterThanOrEqual(299);
  });

  test('with the time to clean up, and a single TERM', async () => {
    // The helper that the clean-up starts must not be ended under it.
    const cleanUp = `trap 'n=$((n+1)); sleep 0.3 && echo cleaned $n; exit 3' TERM; echo up; while :; do sleep 0.05; done`;
    const end = await supervise({ ...shell(cleanUp), ...stopAtFirstLine(), graceMs: 60_000 });
    expect(end).toMatchObject({ reason: 'stopped', code: 3 });
    expect(end.tail.split('\n')).toContain('cleaned 1');
  });

  // It has to speak before it is idle, which is timed.
  test('lingered, when it said it was finished and stays', { retry: 5 }, async () => {
    const end = await supervise({
      ...shell('echo working; echo done; exec sleep 60'),
      idleMs: 1_000,
      timeoutMs: 1_200,
      lingerMs: 1_500,
      onLine: line => (line === 'done' ? 'finished' : undefined),
    });
    expect(end).toMatchObject({ reason: 'lingered', tail: 'working\ndone\n' });
    expect(end.durationMs).toBeGreaterThanOrEqual(1_499);
  });

  test('exited, when it said it was finished and leaves in time', async () => {
    const end = await supervise({
      ...shell('echo done; sleep 0.2; exit 4'),
      lingerMs: 60_000,
      onLine: () => 'finished',
    });
    expect(end).toMatchObject({ reason: 'exited', code: 4 });
  });

  test('stopped, by the signal', async () => {
    const end = await supervise({ ...shell('echo up; exec sleep 60'), ...stopAtFirstLine() });
    expect(end).toMatchObject({ reason: 'stopped', signal: 'SIGTERM' });
  });

  test('stopped, before it was even started', async () => {
    const folder = tempFolder();
    let started = false;
    const end = await supervise({
      ...shell('echo up'),
      cwd: folder,
      signal: AbortSignal.abort(),
      onStarted: () => {
        started = true;
      },
    });
    expect(end).toMatchObject({ reason: 'stopped', code: null, outputBytes: 0 });
    expect(started).toBe(false);
  });

  test('after a timeout longer than a timer can be', async () => {
    expect(await supervise({ ...shell('sleep 0.2'), timeoutMs: 2 ** 40, idleMs: 2 ** 40 })).toMatchObject({
      reason: 'exited',
      code: 0,
    });
  });
});

describe('a process that cannot be started', () => {
  test.each([
    ['a program that is not there', ['ralph-no-such-program'], 'was not found. Is it installed'],
    ['an argument with a NUL', ['/bin/echo', 'a\0b'], 'could not be started'],
  ])('%s', async (_, argv, sentence) => {
    const end = await supervise({ argv: argv as [string], cwd: tempFolder(), env, lease: newLease() });
    expect(end).toMatchObject({ reason: 'not-started', code: null, error: expect.stringContaining(sentence) });
  });

  test('a file that is not executable', async () => {
    const path = script(tempFolder(), 'agent', '#!/bin/sh\n');
    chmodSync(path, 0o644);
    const end = await supervise({ argv: [path], cwd: tempFolder(), env });
    expect(end).toMatchObject({ reason: 'not-started', error: expect.stringContaining('not executable') });
  });

  test('a script whose interpreter is missing', async () => {
    const path = script(tempFolder(), 'agent', '#!/no/such/interpreter\n');
    const end = await supervise({ argv: [path], cwd: tempFolder(), env });
    expect(end).toMatchObject({ reason: 'not-started', error: expect.stringContaining('interpreter') });
  });

  test('a folder that is not there', async () => {
    const end = await supervise({ argv: ['/bin/true'], cwd: join(tempFolder(), 'gone'), env });
    expect(end).toMatchObject({ reason: 'not-started', error: expect.stringMatching(/folder .*gone does not exist/) });
  });

  test('a brief that is not there', async () => {
    const file = join(tempFolder(), 'brief.md');
    const end = await supervise({ argv: ['/bin/cat'], cwd: tempFolder(), env, stdin: { file } });
    expect(end).toMatchObject({ reason: 'not-started', error: expect.stringMatching(/brief\.md cannot be read/) });
  });
});

describe('what the caller is told', () => {
  test('the identity, before anything else can happen', async () => {
    let id: ProcessId | undefined;
    const ending = supervise({
      ...shell('sleep 0.1'),
      onStarted: started => {
        id = started;
      },
    });
    expect(id).toBeDefined();
    expect(identify(id?.pid ?? 0)).toEqual(id);
    await ending;
  });

  test('nothing keeps running when the identity could not be recorded', async () => {
    const end = await supervise({
      ...shell('exec sleep 60'),
      onStarted: () => {
        throw new Error('no space left');
      },
    });
    expect(end).toMatchObject({ reason: 'not-started', error: 'no space left', signal: 'SIGTERM' });
  });

  test('nothing keeps running when a line could not be taken', async () => {
    const end = await supervise({
      ...shell('echo one; exec sleep 60'),
      onLine: () => {
        throw new Error('a bug');
      },
    });
    expect(end).toMatchObject({ reason: 'stopped', error: 'a bug' });
  });
});

describe('a command of the user', () => {
  test('runs in the shell, in its folder, with nothing to read', async () => {
    const cwd = tempFolder();
    writeFileSync(join(cwd, 'a.txt'), 'hello');
    const end = await runCommand({ command: 'cat; cat *.txt | tr a-z A-Z && exit 5', cwd, env, timeoutMs: 120_000 });
    expect(end).toMatchObject({ reason: 'exited', code: 5, tail: 'HELLO' });
  });

  test('can open its own output by name', async () => {
    const command = 'echo one | tee /dev/stderr; echo two > /dev/stdout';
    const end = await runCommand({ command, cwd: tempFolder(), env, timeoutMs: 120_000 });
    expect(end.code).toBe(0);
    expect(end.tail.split('\n').toSorted()).toEqual(['', 'one', 'one', 'two']);
  });

  test('is ended when it takes too long', async () => {
    const end = await runCommand({ command: 'sleep 60; echo late', cwd: tempFolder(), env, timeoutMs: 300 });
    expect(end).toMatchObject({ reason: 'timeout', tail: '' });
  });
});
