import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { accountOf } from '../../src/agents/index.ts';
import { limitClock, limitsFolder } from '../../src/retry/limit-clock.ts';
import { named } from '../agents/play.ts';

const top = mkdtempSync(join(tmpdir(), 'ralph-limits-'));
afterAll(() => rmSync(top, { recursive: true, force: true }));

let made = 0;
function place(start = 1_000_000) {
  made += 1;
  const folder = join(top, String(made));
  let time = start;
  const alive = new Set<number>([1, 2, 3]);
  const clockOf = (pid: number) =>
    limitClock({
      folder,
      now: () => time,
      me: { pid, started: `s${pid}`, boot: 'b' },
      isAlive: ({ pid: other }) => alive.has(other),
    });
  return {
    folder,
    alive,
    clockOf,
    pass: (ms: number) => {
      time += ms;
    },
  };
}

describe('the clock of an account', () => {
  it('is the same for all, and keeps the later of two ends', () => {
    const { clockOf } = place();
    const [a, b] = [clockOf(1), clockOf(2)];
    expect(b.look('x')).toBeUndefined();
    expect(a.hit('x', { until: 1_500_000, why: 'weekly' })).toBe(true);
    b.hit('x', { until: 1_200_000, why: 'five hours' });
    expect(b.look('x')?.until).toBe(1_500_000);
    expect(b.look('other')).toBeUndefined();
  });

  it('is over where the wall clock was set back far before the limit was met', () => {
    const { clockOf, pass } = place(100_000_000);
    const [a, b] = [clockOf(1), clockOf(2)];
    a.hit('x', { until: 100_000_050, why: '' });
    pass(-30_000);
    expect(b.look('x')?.until).toBe(100_000_050);
    pass(-28_800_000);
    expect(b.look('x')?.until).toBe(100_000_000 - 28_830_000);
    expect(b.probe('x')).toBe(true);
    b.hit('x', { until: 71_170_100, why: '' });
    expect(a.look('x')?.until).toBe(71_170_100);
  });

  it('lets one try, another when that one is gone, and everybody after an answer', () => {
    const { clockOf, alive, pass } = place();
    const [a, b, c] = [clockOf(1), clockOf(2), clockOf(3)];
    a.hit('x', { until: 1_100_000, why: '' });
    pass(200_000);
    expect([a.probe('x'), b.probe('x'), a.probe('x'), c.probe('x')]).toEqual([true, false, true, false]);
    alive.delete(1);
    expect([b.probe('x'), c.probe('x')]).toEqual([true, false]);
    b.release('x');
    expect(c.probe('x')).toBe(true);
    pass(11 * 60_000);
    expect(b.probe('x')).toBe(true);
    b.free('x');
    expect([a.look('x'), b.look('x')]).toEqual([undefined, undefined]);
  });

  it('a limit that comes back while it is tried holds everybody again', () => {
    const { clockOf, pass } = place();
    const [a, b] = [clockOf(1), clockOf(2)];
    a.hit('x', { until: 1_100_000, why: '' });
    pass(200_000);
    expect(a.probe('x')).toBe(true);
    a.hit('x', { until: 1_900_000, why: 'again' });
    expect(b.look('x')).toEqual({ until: 1_900_000, why: 'again' });
  });

  it('what is no limit is none: nonsense, and ends that are too far away', () => {
    const { clockOf, folder } = place();
    const clock = clockOf(1);
    clock.hit('x', { until: 1_100_000, why: '' });
    for (const text of ['', 'x', '[]', '{"until":"soon"}', '{"until":1e300}', '{"until":9999999999999}']) {
      writeFileSync(join(folder, 'x.json'), text);
      expect(clock.look('x')).toBeUndefined();
    }
    expect(clock.hit('../../escape', { until: 1_100_000, why: '' })).toBe(true);
    expect(readdirSync(folder).toSorted()).toEqual(['.._.._escape.json', 'x.json']);
  });

  it('without a folder that can be written each run waits for itself', () => {
    const { folder } = place();
    writeFileSync(folder, 'a file');
    const clock = limitClock({ folder, now: () => 1, me: { pid: 1, started: '', boot: '' }, isAlive: () => true });
    expect(clock.hit('x', { until: 2, why: '' })).toBe(false);
    expect(clock.look('x')).toBeUndefined();
  });

  it('lies in the state folder of the user', () => {
    expect(limitsFolder({ HOME: '/h' })).toBe('/h/.local/state/ralph/limits');
    expect(limitsFolder({ HOME: '/h', XDG_STATE_HOME: '/s' })).toBe('/s/ralph/limits');
  });
});

describe('an account', () => {
  const none = { args: [], env: {} };

  it('is a login, told without its secret', () => {
    const key = 'sk-ant-very-secret';
    const first = accountOf(named('claude'), none, { HOME: '/a', ANTHROPIC_API_KEY: key });
    expect(first).toBe(accountOf(named('claude'), none, { HOME: '/b', ANTHROPIC_API_KEY: key }));
    expect(first).not.toContain('secret');
    expect(first).not.toBe(accountOf(named('claude'), none, { HOME: '/a', ANTHROPIC_API_KEY: 'other' }));
    expect(accountOf(named('claude'), none, { HOME: '/a' })).not.toBe(accountOf(named('claude'), none, { HOME: '/b' }));
    expect(accountOf(named('codex'), none, { HOME: '/a' })).not.toBe(accountOf(named('claude'), none, { HOME: '/a' }));
  });

  it('is not guessed for programs about which nothing is known, and may be named', () => {
    expect(accountOf(named('script'), none, { HOME: '/a' })).toBeUndefined();
    expect(accountOf(named('script'), { ...none, account: 'work' }, {})).toMatch(/^script-/);
  });

  it('leaves no key in the file', () => {
    const { clockOf, folder } = place();
    const account = accountOf(named('claude'), none, { ANTHROPIC_API_KEY: 'sk-ant-very-secret' }) ?? '';
    clockOf(1).hit(account, { until: 1_100_000, why: 'limit' });
    for (const file of readdirSync(folder)) {
      expect(file + readFileSync(join(folder, file), 'utf8')).not.toContain('secret');
    }
  });
});
