import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'rolldown';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { acquireLock, type LockOwner, lockOwner } from '../../src/journal/lock.ts';
import { isAlive, self } from '../../src/process/identity.ts';

const ROUNDS = process.env.RALPH_SOAK ? 200 : 12;
const RACERS = 12;
const top = mkdtempSync(join(tmpdir(), 'ralph-lock-'));
afterAll(() => rmSync(top, { recursive: true, force: true }));

const newFolder = (): string => mkdtempSync(join(top, 'round-'));
const acquire = (file: string) =>
  acquireLock({ file, me: self(), command: 'ralph run', now: 1_700_000_000_000, isAlive });

const owner = (process: LockOwner['process'], change: Partial<LockOwner> = {}): string =>
  JSON.stringify({ process, host: hostname(), nonce: 'abcdef', command: 'ralph run', since: 1, ...change });

const otherBoot = owner({ ...self(), boot: 'another boot' });
const deadPid = owner({ ...self(), pid: 2 ** 30 });
const reusedPid = owner({ ...self(), started: '1' });

/** What may stand in the way although nobody alive holds it. */
const stale: readonly (readonly [string, string])[] = [
  ['of another boot', otherBoot],
  ['of a dead process', deadPid],
  ['of a process whose pid was given to another', reusedPid],
  ['that is empty', ''],
  ['that is cut short', otherBoot.slice(0, 40)],
  ['that is garbage', 'pid 1234'],
  ['that is JSON of another shape', '{"pid":1}'],
];

describe('a lock', () => {
  test('is held by one, names its owner, and can be had again once it is given back', () => {
    const file = join(newFolder(), 'lock');
    const mine = acquire(file);
    expect(mine).toMatchObject({ ok: true, value: { inherited: false } });
    expect(lockOwner({ file, isAlive })).toMatchObject({ process: self(), command: 'ralph run' });
    expect(acquire(file)).toMatchObject({ ok: false, error: { reason: 'held', owner: { process: self() } } });
    if (mine.ok) mine.value.release();
    expect(existsSync(file)).toBe(false);
    expect(lockOwner({ file, isAlive })).toBeUndefined();
    expect(acquire(file).ok).toBe(true);
  });

  test.each(stale)('%s is taken over, and nothing is left lying around', (_, text) => {
    const folder = newFolder();
    const file = join(folder, 'lock');
    writeFileSync(file, text);
    expect(lockOwner({ file, isAlive })).toBeUndefined();
    expect(acquire(file)).toMatchObject({ ok: true, value: { inherited: true } });
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ process: self() });
    expect(readdirSync(folder)).toEqual(['lock']);
  });

  test('of another machine is respected, because its processes cannot be looked at', () => {
    const file = join(newFolder(), 'lock');
    writeFileSync(file, owner({ ...self(), boot: 'another' }, { host: 'elsewhere' }));
    expect(acquire(file)).toMatchObject({ ok: false, error: { owner: { host: 'elsewhere' } } });
  });

  test('that was taken over meanwhile is not given back by its former owner', () => {
    const file = join(newFolder(), 'lock');
    const mine = acquire(file);
    writeFileSync(file, owner(self(), { nonce: 'somebody else' }));
    if (mine.ok) mine.value.release();
    expect(existsSync(file)).toBe(true);
  });

  test('is had although those who wanted to take it over before died on the way', () => {
    const folder = newFolder();
    const file = join(folder, 'lock');
    writeFileSync(file, owner({ ...self(), boot: 'old' }, { nonce: 'first' }));
    writeFileSync(`${file}.after-first`, owner({ ...self(), boot: 'old' }, { nonce: 'second' }));
    writeFileSync(`${file}.after-second`, owner({ ...self(), boot: 'old' }, { nonce: 'third' }));
    writeFileSync(`${file}.0123456789abcdef`, owner({ ...self(), boot: 'old' }, { nonce: '0123456789abcdef' }));
    expect(acquire(file).ok).toBe(true);
    expect(readdirSync(folder)).toEqual(['lock']);
  });
});

describe('racers that die while they hold it', () => {
  let program = '';
  beforeAll(async () => {
    const dir = join(top, 'program');
    const input = fileURLToPath(new URL('racer.ts', import.meta.url));
    await build({
      input,
      platform: 'node',
      output: { dir, format: 'esm', entryFileNames: 'racer.mjs' },
      logLevel: 'silent',
    });
    program = join(dir, 'racer.mjs');
  });

  test(`${ROUNDS} rounds of ${RACERS}: each gets it, no two at once`, async () => {
    let won = 0;
    for (let round = 0; round < ROUNDS; round++) {
      const folder = newFolder();
      const [, forged] = stale[round % (stale.length + 2)] ?? [];
      if (forged !== undefined) writeFileSync(join(folder, 'lock'), forged);
      const racers = Array.from({ length: RACERS }, (_, n) => {
        const end = n % 4 === 3 ? 'release' : 'die';
        const child = spawn(process.execPath, [program, folder, String(n), end], { stdio: 'ignore' });
        const gone = once(child, 'exit') as Promise<[number | null, string | null]>;
        return { child, gone };
      });
      const count = (prefix: string) => readdirSync(folder).filter(name => name.startsWith(prefix)).length;
      while (count('ready-') < RACERS) await new Promise(done => setTimeout(done, 5));
      writeFileSync(join(folder, 'go'), '');
      // A lock that nobody can have any more would let them try for ever.
      const stuck = setTimeout(() => racers.forEach(({ child }) => child.kill('SIGTERM')), 60_000);
      const ends = await Promise.all(racers.map(({ gone }) => gone));
      clearTimeout(stuck);
      expect(ends.filter(([, signal]) => signal === 'SIGTERM')).toEqual([]);
      expect(count('overlap-')).toBe(0);
      expect(count('won-')).toBe(RACERS);
      won += count('won-');
    }
    console.log(`lock: ${won} acquisitions in ${ROUNDS} rounds of ${RACERS} racers, 0 overlaps`);
  }, 1_800_000);
});
