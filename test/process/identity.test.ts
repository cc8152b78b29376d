import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, test } from 'vitest';
import { identify, isAlive, self } from '../../src/process/identity.ts';
import { procTable } from '../../src/process/proc-table.ts';
import { psTable } from '../../src/process/ps-table.ts';
import { eventually, onLinux, script, tempFolder } from './helpers.ts';

describe('the identity of a process', () => {
  test('is alive for ourselves and equal each time it is asked', () => {
    expect(isAlive(self())).toBe(true);
    expect(identify(process.pid)).toEqual(self());
  });

  test('is dead when the start time or the boot is another', () => {
    expect(isAlive({ ...self(), started: '1' })).toBe(false);
    expect(isAlive({ ...self(), boot: 'an earlier one' })).toBe(false);
  });

  test.each([0, -1, 1.5, Number.NaN, 2 ** 40])('is nothing for pid %s', pid => {
    expect(identify(pid)).toBeUndefined();
    expect(isAlive({ ...self(), pid })).toBe(false);
  });

  test('dies with the process', async () => {
    const child = spawn('sleep', ['60']);
    const id = identify(child.pid ?? 0);
    expect(id && isAlive(id)).toBe(true);
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(id && isAlive(id)).toBe(false);
  });

  test.runIf(onLinux)('is dead as a zombie, though its pid is still taken', async () => {
    // The shell becomes `sleep`, which never reaps the child it inherits.
    const parent = spawn('sh', ['-c', 'sleep 0.05 & echo $!; exec sleep 60'], { stdio: ['ignore', 'pipe', 'ignore'] });
    const [line] = (await once(parent.stdout, 'data')) as [Buffer];
    const pid = Number(String(line));
    await eventually(() => procTable.row(pid)?.zombie === true);
    const id = identify(pid);
    expect(id).toBeDefined();
    expect(id && isAlive(id)).toBe(false);
    parent.kill('SIGKILL');
    await once(parent, 'exit');
  });

  test.runIf(onLinux)('is read right when the name of the program tries to look like the fields after it', async () => {
    const name = script(tempFolder(), 'x) Z 1 2 (', '#!/bin/sh\nread line\n');
    const child = spawn(name, [], { stdio: ['pipe', 'ignore', 'ignore'] });
    expect(procTable.row(child.pid ?? 0)).toMatchObject({ pid: child.pid, parent: process.pid, zombie: false });
    child.kill('SIGKILL');
    await once(child, 'exit');
  });
});

test.runIf(onLinux)('ps and /proc agree on who belongs to whom', async () => {
  const child = spawn('sleep', ['60'], { detached: true });
  const pid = child.pid ?? 0;
  const row = psTable.row(pid);
  expect(row).toMatchObject({ pid, parent: process.pid, group: pid, zombie: false, terminal: false });
  expect(Date.parse(row?.started ?? '')).toBeGreaterThan(Date.now() - 3_600_000);
  expect(psTable.list().rows.find(other => other.pid === pid)).toEqual(row);
  expect(psTable.command(pid)).toBe(procTable.command(pid));
  child.kill('SIGKILL');
  await once(child, 'exit');
});
