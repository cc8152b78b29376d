/** What a person is told about: an event and the state around it in, messages out. */
import { describe, expect, test } from 'vitest';
import type { Durable, Event } from '../../src/events.ts';
import type { Message } from '../../src/notify/message.ts';
import { type NotifierOptions, openNotifier } from '../../src/notify/notifier.ts';
import { fold, type RunState } from '../../src/state.ts';
import { until } from '../support/until.ts';
import { listen } from './servers.ts';

const AT = Date.UTC(2026, 0, 8, 6, 30);
const limits = { costUsd: 10, stuck: 3 };
const usage = { inputTokens: 0, outputTokens: 0, cachedTokens: 0 };

const started: Durable = {
  type: 'run.started',
  run: 'r',
  plan: { path: 'prd.json', format: 'prd', name: 'Shop' },
  branch: 'ralph/shop',
  base: 'abc',
  workspace: '.',
  agent: 'script',
  gates: [],
  from: 'main',
};
const begins = (iteration: number, item = 'US-1'): Durable => ({
  type: 'iteration.started',
  ...{ iteration, item, title: 'Pay', attempt: iteration, try: iteration, base: 'abc', tree: 't', lease: 'l' },
});
const spends = (costUsd: number, iteration = 1, item = 'US-1'): Durable => ({
  type: 'agent.finished',
  ...{ iteration, item, claim: { type: 'none' }, usage, costUsd },
  end: { reason: 'exited', code: 0, signal: null, durationMs: 1, leftovers: [], droppedBytes: 0 },
});
const ends = (reason: Extract<Durable, { type: 'run.finished' }>['reason'], why = 'because'): Durable => ({
  type: 'run.finished',
  reason,
  why,
});
const blocks = (why: string, by: 'runner' | 'person' = 'runner'): Durable => ({
  type: 'item.marked',
  ...{ item: 'US-1', to: 'blocked', by, why },
});

const quiet: Omit<NotifierOptions, 'targets'> = {
  ...{ env: {}, programEnv: {}, root: '/src/shop', limits, from: undefined },
  report: text => {
    throw new Error(text);
  },
};

/** What a target that wants everything is sent. */
async function told(events: readonly Event[], target: object = {}, from?: RunState): Promise<readonly Message[]> {
  const server = await listen(200);
  const all = ['done', 'blocked', 'needs-person', 'stuck', 'wait', 'cost', 'stopped', 'failed'] as const;
  const one = { kind: 'webhook', name: 'hook', on: all, items: [], fields: { webhook: server.url }, env: [] } as const;
  const notifier = openNotifier({ ...quiet, from, targets: [{ ...one, ...target }] });
  for (const event of [started, ...events]) notifier.sink(event, AT);
  await notifier.close();
  return server.got.map(({ body }) => {
    const { type, data } = JSON.parse(body) as { type: string; data: Omit<Message, 'kind'> };
    return { ...data, kind: type.replace('ralph.', '') } as Message;
  });
}

const short = ({ kind, what, why, next }: Message) => [kind, what, why, ...next];

describe('a message', () => {
  test('says how a run ended, why, and what to do next; a person who ended it is not told', async () => {
    const reasons = ['complete', 'failed', 'agent-unavailable', 'fruitless', 'iterations', 'terminated'] as const;
    const silent = ['interrupted', 'once'] as const;
    const got = await told([...reasons, ...silent].map(reason => ends(reason)));
    expect(got.map(short)).toEqual([
      ['done', 'Complete: every item is done.', 'because', 'ralph review', 'ralph merge r'],
      ['failed', 'The run failed.', 'because', 'ralph status', 'ralph run'],
      ['needs-person', 'A person is needed: the agent cannot be used.', 'because', 'ralph doctor', 'ralph run'],
      ['stuck', 'A person is needed: nothing is accepted any more.', 'because', 'ralph logs 0', 'ralph run'],
      ['stopped', 'Stopped with work left: the iteration limit is reached.', 'because', 'ralph run'],
      ['stopped', 'Terminated: the agent is gone and the state is safe.', 'because', 'ralph run'],
    ]);
  });

  test('names the item that is blocked, once, and not when a person did it', async () => {
    const retry = 'ralph retry US-1 --with "..."';
    const got = await told([begins(1), blocks('3 attempts were rejected: red'), blocks('again'), ends('blocked')]);
    expect(got.map(short)).toEqual([
      ['blocked', 'US-1 Pay is blocked', '3 attempts were rejected: red', 'ralph logs 1', retry],
      ['needs-person', 'A person is needed: nothing is left but blocked items.', 'because', retry, 'ralph run'],
    ]);
    expect(got[0]).toMatchObject({ item: 'US-1', run: 'r', plan: 'Shop', branch: 'ralph/shop', repository: 'shop' });
    expect(await told([begins(1), blocks('not now', 'person')])).toEqual([]);
  });

  test('of a run that waits for answers and for a person has the command for each', async () => {
    const asks: readonly Durable[] = [
      begins(1, 'US-2'),
      { type: 'verdict', iteration: 1, item: 'US-2', verdict: { type: 'blocked', cause: 'asked', why: 'EUR?' } },
      { type: 'iteration.finished', iteration: 1, item: 'US-2', verdict: 'blocked', tree: 't', durationMs: 1 },
    ];
    expect((await told([...asks, ends('blocked')])).at(-1)?.next).toEqual(['ralph answer US-2 "..."', 'ralph run']);
    expect((await told([blocks('red'), ...asks, ends('blocked')])).at(-1)?.next).toEqual([
      'ralph answer US-2 "..."',
      'ralph retry US-1 --with "..."',
      'ralph run',
    ]);
  });

  test('calls an item stuck that fails the same way again and again', async () => {
    const rejected = (iteration: number): readonly Durable[] => [
      begins(iteration),
      {
        type: 'verdict',
        ...{ iteration, item: 'US-1' },
        verdict: { type: 'rejected', reason: 'gate-red', why: 'red', feedback: '', signature: 's', next: 'continue' },
      },
      { type: 'iteration.finished', ...{ iteration, item: 'US-1', verdict: 'rejected', tree: 't', durationMs: 1 } },
    ];
    const got = await told([...[1, 2, 3].flatMap(rejected), blocks('the same failure 3 times in a row: red')]);
    expect(got.map(({ kind, what }) => [kind, what])).toEqual([['stuck', 'US-1 Pay is stuck']]);
  });

  test('comes at half, at four fifths and at all of the cost limit, once each, also after a restart', async () => {
    const got = await told([begins(1), spends(4), spends(1), spends(1), spends(2.5), spends(0.1), spends(3)]);
    expect(got.map(({ kind, what, next }) => [kind, what, next[0]])).toEqual([
      ['cost', '50 % of the cost limit is spent: $5.00 of $10.00', 'ralph status'],
      ['cost', '80 % of the cost limit is spent: $8.50 of $10.00', 'ralph status'],
      ['cost', '100 % of the cost limit is spent: $11.60 of $10.00', 'ralph run --max-cost 20'],
    ]);
    const before = fold([started, begins(1), spends(6)].map((event, seq) => ({ ...event, seq, at: AT })));
    const after = await told([begins(2), spends(1, 2), spends(1.5, 2)], {}, before);
    expect(after.map(({ what }) => what)).toEqual(['80 % of the cost limit is spent: $8.50 of $10.00']);
    expect(before.costUsd).toBe(6);
  });

  test('tells of long waits and of an agent that cannot be used, not of short waits', async () => {
    const wait = (ms: number): Durable => ({ type: 'wait.started', until: AT + ms, why: 'usage limit' });
    const parked: Durable = { type: 'agent.parked', agent: 'codex', why: 'not logged in' };
    const got = await told([wait(30_000), wait(7_200_000), parked, { ...parked, until: AT + 1 }]);
    expect(got.map(({ kind, what, why }) => [kind, what, why])).toEqual([
      ['wait', expect.stringMatching(/^Waiting until .* \(2h 00m\)$/), 'usage limit'],
      ['needs-person', 'codex cannot be used; the other agents are used', 'not logged in'],
    ]);
  });

  test('goes only to who wants its kind and its item, with nothing in it that is a secret or a control code', async () => {
    const token = ['ghp', 'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'].join('_');
    const events = [begins(1), blocks(`it printed ${token} and \u001b[31mred`), ends('complete')];
    expect((await told(events, { on: ['done'] })).map(({ kind }) => kind)).toEqual(['done']);
    expect((await told(events, { items: ['SPEC-*'] })).map(({ kind }) => kind)).toEqual(['done']);
    const [blocked] = await told(events, { items: ['US-*'] });
    expect(blocked?.why).toMatch(/^it printed \[.*\] and red$/);
  });
});

test('a target that fails is tried again, is told in order, and is not waited for at the end', async () => {
  const [healing, silent, refuses] = [await listen(500, 200), await listen('never'), await listen(404)];
  const reported: string[] = [];
  const target = (name: string, webhook: string) =>
    ({ kind: 'webhook', name, on: ['blocked', 'done'], items: [], fields: { webhook }, env: [] }) as const;
  const targets = [target('a', healing.url), target('b', silent.url), target('c', refuses.url)];
  const notifier = openNotifier({ ...quiet, targets, report: text => reported.push(text) });
  for (const event of [started, begins(1), blocks('red')]) notifier.sink(event, AT);
  await until(() => healing.got.length >= 2 && silent.got.length >= 1 && refuses.got.length >= 1);
  notifier.sink(ends('complete'), AT);
  const began = performance.now();
  await notifier.close();
  expect(performance.now() - began).toBeLessThan(30_000);
  const ids = healing.got.map(({ headers }) => headers['webhook-id']);
  expect([ids[0] === ids[1], ids.length]).toEqual([true, 3]);
  expect(reported.toSorted()).toEqual([
    'b did not get 2 messages: the run has ended and no longer waits',
    'c did not get "Complete: every item is done.": it answered 404: no: /',
    'c did not get "US-1 Pay is blocked": it answered 404: no: /',
  ]);
});
