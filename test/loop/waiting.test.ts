/** Hours of waiting for a provider, on a clock that passes them in no time. */
import { describe, expect, test } from 'vitest';
import type { Event } from '../../src/events.ts';
import { sendRequest } from '../../src/journal/control.ts';
import { ralphFolder } from '../../src/journal/runs.ts';
import { Stopper } from '../../src/process/stopper.ts';
import type { Clock } from '../../src/protocol.ts';
import { describeStop } from '../../src/report/sentences.ts';
import { type RunOptions, run } from '../../src/run.ts';
import { systemClock } from '../../src/util/clock.ts';
import { cleanEnv } from '../support/cli.ts';
import { makeRepo, type Repo } from '../support/repo.ts';
import { withinSeconds } from '../support/until.ts';
import { agentsIn, planOf, play, recordsOf, verdictsIn, works } from './scene.ts';

const HOUR = 3_600_000;

const limited = (time: string) => ({ steps: [{ 'rate-limit': { for: time } }] });
const overloaded = { steps: [{ fail: { class: 'overload', message: '529 Overloaded' } }] };

interface Night extends Clock {
  /** Every sleep that was asked for. */
  readonly slept: number[];
}

/** Sleeping takes no time here, and may find the wall clock set to another time afterwards. */
function night(jumps: readonly number[] = []): Night {
  const left = [...jumps];
  const slept: number[] = [];
  let ahead = 0;
  let jumped = 0;
  return {
    slept,
    now: () => Date.now() + ahead + jumped,
    monotonic: () => performance.now() + ahead,
    random: () => 0.5,
    sleep: async ms => {
      slept.push(ms);
      ahead += ms;
      jumped += left.shift() ?? 0;
      await new Promise(resolve => setImmediate(resolve));
    },
  };
}

const repoOf = (entries: readonly object[], limits: object = {}): Repo =>
  makeRepo({
    plan: planOf('US-1'),
    config: { gates: ['true'], limits: { attempts: 1, iterations: 1, ...limits } },
    scenario: { items: { 'US-1': entries } },
  });

const runOn = async (repo: Repo, more: Partial<RunOptions>) => {
  const result = await run({ cwd: repo.root, env: cleanEnv(repo.home), ...more });
  if (result.type === 'refused') throw new Error(result.failure.message);
  return result;
};

const waitsIn = (repo: Repo) => recordsOf(repo, 'wait.started').map(({ until, at }) => until - at);

describe.concurrent('a wait', () => {
  test('for resets in the past has a floor and grows; it is no iteration, no attempt and no time of the run', async () => {
    const repo = repoOf([limited('0ms'), limited('0ms'), limited('0ms'), works], { time: '1m' });
    const { exit, state } = await runOn(repo, { clock: night() });
    expect(exit).toBe(0);
    const [first = 0, second = 0, third = 0] = waitsIn(repo);
    expect([first >= 30_000, second >= 60_000, third >= 120_000]).toEqual([true, true, true]);
    expect(state.items.get('US-1')?.attempts).toBe(0);
    expect(state.activeMs).toBeLessThan(60_000);
  });

  test('for a reset one hour and five hours ahead ends there, although the time limit is shorter', async () => {
    const repo = repoOf([limited('1h'), limited('5h'), works], { time: '30m' });
    const clock = night();
    const { exit, state } = await runOn(repo, { clock });
    expect(exit).toBe(0);
    expect(Math.max(...clock.slept)).toBeLessThanOrEqual(60_000);
    expect(clock.slept.reduce((sum, ms) => sum + ms)).toBeGreaterThan(4 * HOUR);
    expect(state.activeMs).toBeLessThan(60_000);
  });

  test('for an overloaded provider survives an hour of it', async () => {
    const repo = repoOf([...Array.from({ length: 17 }, () => overloaded), works]);
    const { exit, why } = await runOn(repo, { clock: night() });
    expect([exit, why]).toEqual([0, expect.stringContaining('1 item done')]);
    expect(waitsIn(repo).reduce((sum, ms) => sum + ms)).toBeGreaterThan(HOUR);
    expect(verdictsIn(repo).at(-1)).toBe('US-1 accepted');
  });

  test.for([
    { name: 'forward', jump: 6 * HOUR },
    { name: 'back', jump: -6 * HOUR },
  ])('is no longer than it was to be when the wall clock jumps $name', async ({ jump }) => {
    const repo = repoOf([limited('2h'), works]);
    const clock = night([0, jump]);
    expect((await runOn(repo, { clock })).exit).toBe(0);
    const slept = clock.slept.reduce((sum, ms) => sum + ms);
    expect(slept).toBeLessThan(jump > 0 ? HOUR : 2.2 * HOUR);
  });

  test('that would pass the deadline ends the run at once and says so', async () => {
    const repo = repoOf([limited('5h'), works]);
    const clock = night();
    const deadline = new Date(Date.now() + 2 * HOUR);
    const time = `${String(deadline.getHours()).padStart(2, '0')}:${String(deadline.getMinutes()).padStart(2, '0')}`;
    const { exit, reason, why } = await runOn(repo, { clock, overrides: { deadline: time } });
    expect([exit, reason, clock.slept]).toEqual([1, 'deadline', []]);
    expect(describeStop(reason, why)).toMatch(
      new RegExp(`^Stopped with work left because of the deadline \\(waiting until .*, .* would pass ${time}`),
    );
    // What is left of the wait is waited for by the next run.
    expect((await runOn(repo, { clock })).exit).toBe(0);
    expect(agentsIn(repo)).toBe(2);
  });

  test('ends as soon as a stop is asked for', async () => {
    const repo = repoOf([limited('5h'), works]);
    const stopper = new Stopper();
    const sink = (event: Event) => {
      if (event.type === 'wait.started')
        setTimeout(() => stopper.stop({ reason: 'stop-requested', now: false }), 50).unref();
    };
    const { exit, reason } = await runOn(repo, { stopper, sinks: [sink], clock: systemClock });
    expect([exit, reason]).toEqual([1, 'stop-requested']);
  });
});

describe.concurrent('the deadline', () => {
  test('ends the agent that works when it comes', async () => {
    const { repo, stdout } = await withinSeconds(async seconds => {
      const made = makeRepo({
        plan: planOf('US-1'),
        config: { gates: ['true'] },
        scenario: play({ '*': { steps: [{ say: 'thinking' }, { sleep: '600s' }] } }),
      });
      const deadline = new Date(Date.now() + seconds * 1000).toISOString();
      const ended = await made.run(['--deadline', deadline]);
      return agentsIn(made) > 0 ? { repo: made, ...ended } : undefined;
    });
    expect(recordsOf(repo, 'run.finished')[0]?.reason).toBe('deadline');
    expect(recordsOf(repo, 'agent.finished')[0]?.end.reason).toBe('timeout');
    expect(stdout).toContain('because of the deadline');
  });

  test('ends a run that is paused when it comes', async () => {
    const repo = repoOf([limited('1h'), works]);
    const sink = (event: Event) => {
      if (event.type === 'wait.started') sendRequest(ralphFolder(repo.root).control, { type: 'pause' });
    };
    const deadline = new Date(Date.now() + 3 * HOUR).toISOString();
    const { exit, reason } = await runOn(repo, { clock: night(), sinks: [sink], overrides: { deadline } });
    expect([exit, reason]).toEqual([1, 'deadline']);
  });

  test('that cannot be read is refused', async () => {
    const repo = makeRepo({ plan: planOf('US-1'), scenario: play({ '*': works }) });
    const { code, stderr } = await repo.run(['--deadline', 'soon']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('--deadline expects a time such as 07:00')]);
  });
});

test('an agent that spends more than is left is ended while it works', async () => {
  const repo = makeRepo({
    plan: planOf('US-1', 'US-2'),
    config: { gates: ['true'], limits: { cost: 2 } },
    scenario: play({ '*': { steps: [{ usage: { cost: 1.5 } }, { usage: { cost: 1 } }, { sleep: '60s' }] } }),
  });
  const { code, stdout } = await repo.run();
  expect(code, stdout).toBe(1);
  expect(recordsOf(repo, 'run.finished')[0]?.reason).toBe('cost');
  expect(agentsIn(repo)).toBe(1);
  expect(stdout).toContain('the cost limit was reached while it worked');
});
