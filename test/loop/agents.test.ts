/** Which agent works when one cannot, what other runs learn of its limits, and what is done about the money. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Event } from '../../src/events.ts';
import { sendRequest } from '../../src/journal/control.ts';
import { ralphFolder } from '../../src/journal/runs.ts';
import type { Clock } from '../../src/protocol.ts';
import { makeRepo, type Repo } from '../support/repo.ts';
import { night, runOn } from './night.ts';
import { doneIn, planOf, recordsOf, verdictsIn, works } from './scene.ts';

/** Two scripted agents, told apart by their scenarios. */
function twoAgents(first: object, second: object, more: object = {}): Repo {
  const repo = makeRepo({
    plan: planOf('US-1', 'US-2', 'US-3'),
    config: {
      gates: ['true'],
      agent: [
        { use: 'script', scenario: '../outside/first.json' },
        { use: 'script', scenario: '../outside/second.json' },
      ],
      ...more,
    },
  });
  repo.write('../outside/first.json', JSON.stringify({ items: first }));
  repo.write('../outside/second.json', JSON.stringify({ items: second }));
  return repo;
}

const whoIn = (repo: Repo): readonly string[] =>
  recordsOf(repo, 'iteration.started').map(
    ({ item, agent = 'first' }) => `${item} ${agent.replace(/^.*:|\.json$/g, '')}`,
  );

describe.concurrent('agents in order', () => {
  test('the next works while the first is limited, and the first again when it is free', async () => {
    const limited = { steps: [{ 'rate-limit': { for: '2h' } }] };
    const slow = { steps: [{ run: 'true' }], ...works };
    const repo = twoAgents({ 'US-1': [limited, works], '*': works }, { '*': slow });
    const clock = night();
    const started: number[] = [];
    const watch = (event: Event) => {
      if (event.type !== 'iteration.finished') return;
      started.push(clock.now());
      // As if the second agent had taken its time over the second item.
      if (started.length === 3) void clock.sleep(2.5 * 3_600_000);
    };
    await runOn(repo, { clock, sinks: [watch] });
    expect(doneIn(repo)).toEqual(['US-1', 'US-2', 'US-3']);
    expect(whoIn(repo)).toEqual(['US-1 first', 'US-1 second', 'US-2 second', 'US-3 first']);
    expect(recordsOf(repo, 'wait.started')).toEqual([]);
    const [parked] = recordsOf(repo, 'agent.parked');
    expect(parked?.agent).toBe('script:first.json');
    expect(parked?.until).toBeGreaterThan(0);
    // Nothing was charged for the one that was cut off.
    expect(verdictsIn(repo)[0]).toBe('US-1 retry');
  });

  test('where all are limited the run waits for the first to be free', async () => {
    const repo = twoAgents(
      { 'US-1': [{ steps: [{ 'rate-limit': { for: '3h' } }] }], '*': works },
      { 'US-1': [works, { steps: [{ 'rate-limit': { for: '1h' } }] }, works], '*': works },
    );
    const clock = night();
    const { reason } = await runOn(repo, { clock });
    expect(reason).toBe('complete');
    const [wait] = recordsOf(repo, 'wait.started');
    expect(wait?.announced).toBe(true);
    expect((wait?.until ?? 0) - (wait?.at ?? 0)).toBeLessThan(1.2 * 3_600_000);
    expect(whoIn(repo).slice(0, 3)).toEqual(['US-1 first', 'US-1 second', 'US-1 second']);
  });

  test('one whose key is refused is out for the run; where nobody is left the run says whose fault it is', async () => {
    const refused = { '*': { steps: [{ fail: { class: 'auth', message: 'invalid key' } }] } };
    const repo = twoAgents(refused, { '*': works });
    expect((await runOn(repo)).reason).toBe('complete');
    expect(recordsOf(repo, 'agent.parked').map(({ until }) => until)).toEqual([undefined]);
    const lost = twoAgents(refused, refused);
    const { reason, why } = await runOn(lost);
    expect(reason).toBe('agent-unavailable');
    expect(why).toContain('script:first.json: the agent is not logged in or its key was refused: invalid key');
    expect(why).toContain('script:second.json');
  });

  test('reviewers step in for each other too', async () => {
    const script = (name: string) => ({ use: 'script', scenario: `../outside/${name}.json` });
    const limited = (hours: string) => ({ steps: [{ 'rate-limit': { for: hours } }] });
    const repo = makeRepo({
      plan: planOf('US-1', 'US-2'),
      config: {
        gates: ['true'],
        agent: script('builder'),
        review: { agent: [script('first'), { use: 'pi' }, script('second')] },
      },
    });
    repo.write('../outside/builder.json', JSON.stringify({ items: { '*': works } }));
    repo.write('../outside/first.json', JSON.stringify({ items: {}, reviews: { '*': limited('3h') } }));
    repo.write('../outside/second.json', JSON.stringify({ items: {}, reviews: { '*': {} } }));
    const { reason } = await runOn(repo);
    expect(reason).toBe('complete');
    expect(recordsOf(repo, 'agent.parked').map(({ agent }) => agent)).toEqual(['script:first.json']);
    expect(recordsOf(repo, 'wait.started')).toEqual([]);
    expect(recordsOf(repo, 'review.finished').map(({ item, verdict }) => `${item} ${verdict}`)).toEqual([
      'US-1 pass',
      'US-2 pass',
    ]);
  });

  test('one that is missing is said and left out', async () => {
    const repo = makeRepo({
      plan: planOf('US-1'),
      config: {
        gates: ['true'],
        agent: ['codex', { use: 'script', scenario: '../outside/s.json' }],
      },
    });
    repo.write('../outside/s.json', JSON.stringify({ items: { '*': works } }));
    const { stdout, code } = await repo.run([], { env: { PATH: '/usr/bin:/bin' } });
    expect(code).toBe(0);
    expect(stdout).toContain('the agent\'s program "codex" was not found; the other agents are used');
  });

  test('another agent for retries and for reviews', async () => {
    const wrong = { steps: [{ write: { path: 'bad.txt', text: 'x' } }] };
    const repo = makeRepo({
      plan: planOf('US-1'),
      config: {
        gates: ['test ! -e bad.txt'],
        agents: {
          build: { use: 'script', scenario: '../outside/first.json' },
          retry: { use: 'script', scenario: '../outside/second.json' },
          review: { use: 'script', scenario: '../outside/third.json' },
        },
        review: 'all',
      },
    });
    repo.write('../outside/first.json', JSON.stringify({ items: { '*': wrong } }));
    repo.write(
      '../outside/second.json',
      JSON.stringify({ items: { '*': { steps: [{ delete: 'bad.txt' }, { write: { path: 'a', text: 'b' } }] } } }),
    );
    repo.write('../outside/third.json', JSON.stringify({ items: {}, reviews: { '*': { verdict: 'pass' } } }));
    await runOn(repo);
    expect(whoIn(repo)).toEqual(['US-1 first', 'US-1 second']);
    expect(recordsOf(repo, 'review.finished').map(({ verdict }) => verdict)).toEqual(['pass']);
  });
});

describe('one clock for the limits of an account', () => {
  const accountRepo = (entries: readonly object[], home?: string): Repo => {
    const repo = makeRepo({
      plan: planOf('US-1'),
      config: {
        gates: ['true'],
        agent: { use: 'script', scenario: '../outside/scenario.json', account: 'work' },
      },
      scenario: { items: { 'US-1': entries } },
    });
    return home === undefined ? repo : { ...repo, home };
  };
  const limitsIn = (repo: Repo) => join(repo.home, '.local/state/ralph/limits');

  test('the first run that meets a limit parks the others; the first answer after it wakes them', async () => {
    const first = accountRepo([{ steps: [{ 'rate-limit': { for: '3h' } }] }, works]);
    const second = accountRepo([works], first.home);
    const time = night();
    const seen: string[] = [];
    let other: Promise<unknown> | undefined;
    // The hours of the wait do not pass while the second run is still starting.
    const starting = () => other !== undefined && seen.length === 0;
    const moment = () => new Promise<void>(resolve => setImmediate(resolve));
    const clock: Clock = { ...time, sleep: ms => (starting() ? moment() : time.sleep(ms)) };
    const watch = (event: Event) => {
      // The second run begins while the first waits, on the same clock.
      if (event.type === 'wait.started') other ??= runOn(second, { clock, sinks: [note] });
    };
    const note = (event: Event) => {
      if (event.type === 'wait.started' || event.type === 'agent.started') seen.push(event.type);
    };
    const began = clock.now();
    await runOn(first, { clock, sinks: [watch] });
    await other;
    expect(doneIn(first)).toEqual(['US-1']);
    expect(doneIn(second)).toEqual(['US-1']);
    expect(seen[0]).toBe('wait.started');
    const [wait] = recordsOf(second, 'wait.started');
    expect(wait?.why).toContain('a limit of the same account');
    const [agent] = recordsOf(second, 'agent.started');
    // Not before the announced moment.
    expect((agent?.at ?? 0) - began).toBeGreaterThanOrEqual(3 * 3_600_000);
    expect(readdirSync(limitsIn(first))).toEqual([]);
    expect(recordsOf(second, 'agent.started')).toHaveLength(1);
  });

  test('a person ends a wait, and with it that of every other run', async () => {
    const repo = accountRepo([{ steps: [{ 'rate-limit': { for: '3h' } }] }, works]);
    const clock = { ...night(), sleep: async () => await new Promise<void>(resolve => setImmediate(resolve)) };
    const watch = (event: Event) => {
      if (event.type === 'wait.started') sendRequest(ralphFolder(repo.root).control, { type: 'resume' });
    };
    await runOn(repo, { clock, sinks: [watch] });
    expect(doneIn(repo)).toEqual(['US-1']);
    expect(recordsOf(repo, 'wait.ended').map(({ by }) => by)).toEqual(['person']);
    expect(existsSync(join(limitsIn(repo), 'x'))).toBe(false);
    expect(readdirSync(limitsIn(repo))).toEqual([]);
  });
});

describe.concurrent('money while it is spent', () => {
  const spend = (steps: readonly object[], more: object = {}) =>
    makeRepo({
      plan: planOf('US-1', 'US-2'),
      config: { gates: ['true'], ...more },
      scenario: { items: { '*': { steps: [{ write: { path: '{{item}}.txt', text: 'kept' } }, ...steps] } } },
    });

  test('at the hard limit the agent is ended in the middle of its work, which is kept', async () => {
    const repo = spend([{ usage: { input: 1, cost: 10 } }, { sleep: '60s' }], { limits: { cost: 5 } });
    const began = Date.now();
    const { reason, state } = await runOn(repo);
    expect(Date.now() - began).toBeLessThan(40_000);
    expect([reason, state.costUsd]).toEqual(['cost', 10]);
    const [finished] = recordsOf(repo, 'iteration.finished');
    expect(finished?.verdict).toBe('retry');
    expect(repo.git('show', `${finished?.ref}:US-1.txt`)).toBe('kept');
  });

  test('at the soft limit the work is finished and accepted, and nothing new begins', async () => {
    const repo = spend([{ usage: { input: 1, cost: 3 } }], { limits: { cost: 50, 'soft-cost': 2 } });
    const notices: string[] = [];
    const { reason, why } = await runOn(repo, {
      sinks: [event => event.type === 'notice' && notices.push(event.message)],
    });
    expect([reason, why]).toEqual(['cost', '$3.00 were spent, past the soft limit of $2.00']);
    expect(doneIn(repo)).toEqual(['US-1']);
    expect(notices.join()).toContain('this iteration may finish, no other begins');
  });

  test('an agent that counts nothing while it works is ended by what can be seen of it, and that is what it cost', async () => {
    const repo = spend([{ tool: { name: 'shell', detail: 'ls' } }, { sleep: '60s' }], {
      prices: { '*': { input: 1000, output: 1000, cached: 1000 } },
      limits: { cost: 0.2 },
    });
    const { reason, state } = await runOn(repo);
    expect(reason).toBe('cost');
    expect(state.costUsd).toBeGreaterThanOrEqual(0.2);
    expect(recordsOf(repo, 'agent.finished')[0]).toMatchObject({ priced: true, usage: { outputTokens: 0 } });
  });

  test('what has no price is said, once', async () => {
    const repo = spend([{ usage: { input: 1000, output: 100 } }]);
    const notices: string[] = [];
    await runOn(repo, { sinks: [event => event.type === 'notice' && notices.push(event.message)] });
    expect(notices.filter(notice => notice.includes('limits.cost does not hold it'))).toHaveLength(1);
  });

  test('tokens without a cost have a price, said to be no bill', async () => {
    const repo = spend([{ usage: { input: 1_000_000, output: 100_000 } }], {
      model: 'house-1',
      prices: { 'house-*': { input: 2, output: 10 } },
      limits: { cost: 2.5 },
    });
    const { reason, state } = await runOn(repo);
    expect(reason).toBe('cost');
    expect(state.costUsd).toBeCloseTo(3);
    expect(state.notionalUsd).toBeCloseTo(3);
    expect(recordsOf(repo, 'agent.finished')[0]?.priced).toBe(true);
  });
});
