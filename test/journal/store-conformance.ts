/**
 * What any store has to do, whatever it is made of. `storeConformance` is called in a test file with a function that makes
 * an empty one; `dieAt` stands for the end of a process at any of the store's own steps.
 */
import { describe, expect, test } from 'vitest';
import type { Durable, Recorded } from '../../src/events.ts';
import type { Request } from '../../src/journal/control.ts';
import type { Store } from '../../src/journal/store.ts';
import type { ProcessId } from '../../src/protocol.ts';
import type { Result } from '../../src/util/result.ts';
import { sampleEvents } from './sample.ts';

export interface StoreUnderTest {
  /** The store as a process sees it that has just started. */
  open(): Store;
  /** Runs this up to the n-th step that changes what is kept, and dies before it; whether it came that far. */
  dieAt(n: number, act: () => void): 'died' | 'finished';
  /** Leaves half of a record at the end of this run's journal, as a power cut does. */
  tear(run: string): void;
  /** Takes the derived list of runs away. */
  loseList(): void;
}

const AT = 1_700_000_000_000;
/** More steps than anything here has. */
const MOST_STEPS = 200;

const processOf = (pid: number): ProcessId => ({ pid, started: '1', boot: 'boot' });
const [me, other, third] = [processOf(1), processOf(2), processOf(3)];

const value = <T>(result: Result<T, unknown>): T => {
  if (!result.ok) throw new Error(`refused: ${JSON.stringify(result.error)}`);
  return result.value;
};

function recordsOf(store: Store, run: string): readonly Recorded[] {
  const records: Recorded[] = [];
  value(store.readJournal(run, record => records.push(record)));
  return records;
}

function write(store: Store, run: string, events: readonly Durable[]): readonly Recorded[] {
  const journal = value(store.openJournal(run));
  store.workOn({ run, plan: `${run}.json` });
  const records = events.map((event, n) => journal.append(event, AT + n));
  journal.close();
  return records;
}

const begin = (run: string): Durable => ({
  type: 'run.started',
  run,
  plan: { path: `${run}.json`, format: 'prd', name: run },
  branch: 'b',
  base: 'c',
  workspace: '.',
  agent: 'a',
  gates: [],
});

const take = (store: Store, who: ProcessId, dead: readonly ProcessId[] = []) =>
  store.lock({ me: who, command: 'ralph run', now: AT, isAlive: ({ pid }) => dead.every(one => one.pid !== pid) });

/** The same for every step at which it can be cut off: prepared anew, cut off, then looked at by another process. */
function atEachStep(
  make: () => StoreUnderTest,
  {
    before = () => undefined,
    act,
    after,
  }: {
    readonly before?: (store: Store) => void;
    readonly act: (store: Store, step: number) => void;
    readonly after: (store: Store, step: number) => void;
  },
): void {
  for (let step = 1; step < MOST_STEPS; step++) {
    const under = make();
    before(under.open());
    const came = under.dieAt(step, () => act(under.open(), step));
    after(under.open(), step);
    if (came === 'finished') {
      expect(step, 'nothing was cut off').toBeGreaterThan(1);
      return;
    }
  }
  throw new Error('it takes more steps than any store should');
}

export function storeConformance(name: string, make: () => StoreUnderTest): void {
  describe(`${name}: the journal`, () => {
    test('gives back what was appended, in order, to another process too', () => {
      const under = make();
      const written = write(under.open(), 'a', sampleEvents);
      expect(recordsOf(under.open(), 'a')).toEqual(written);
      expect(written.map(({ seq }) => seq)).toEqual(sampleEvents.map((_, n) => n + 1));
      expect(under.open().firstRecord('a')).toEqual(written[0]);
      expect(under.open().firstRecord('none')).toBeUndefined();
      expect(recordsOf(under.open(), 'none')).toEqual([]);
    });

    test('can be read by whoever looks while it is written, and from a known place on', () => {
      const under = make();
      const journal = value(under.open().openJournal('a'));
      for (const [n, event] of sampleEvents.slice(0, 5).entries()) {
        journal.append(event, AT);
        expect(recordsOf(under.open(), 'a')).toHaveLength(n + 1);
      }
      const place = journal.end;
      const later = journal.append({ type: 'steered', text: 'later' }, AT);
      journal.close();
      const since: Recorded[] = [];
      value(under.open().readJournal('a', record => since.push(record), place));
      expect(since).toEqual([later]);
    });

    test('is read from the place before any of its last records, a torn end or not', () => {
      const under = make();
      const written = write(under.open(), 'a', sampleEvents.slice(0, 6));
      under.tear('a');
      for (const [n, { seq }] of written.entries()) {
        const since: Recorded[] = [];
        const place = under.open().placeBefore('a', seq);
        expect(place).toBeDefined();
        value(under.open().readJournal('a', record => since.push(record), place));
        expect(since).toEqual(written.slice(n));
      }
      expect(under.open().placeBefore('a', written.length + 1)).toBeUndefined();
      expect(under.open().placeBefore('none', 1)).toBeUndefined();
    });

    test('loses a torn end and nothing before it, and goes on there', () => {
      const under = make();
      const written = write(under.open(), 'a', sampleEvents.slice(0, 4));
      under.tear('a');
      expect(recordsOf(under.open(), 'a')).toEqual(written);
      const more = write(under.open(), 'a', [{ type: 'steered', text: 'after the cut' }]);
      expect(recordsOf(under.open(), 'a')).toEqual([...written, ...more]);
    });

    test('has every acknowledged record after a death at any step, and can be written on', () => {
      let acknowledged: Recorded[] = [];
      const events = sampleEvents.slice(0, 4);
      atEachStep(make, {
        act: store => {
          acknowledged = [];
          const journal = value(store.openJournal('a'));
          for (const event of events) acknowledged.push(journal.append(event, AT));
          journal.close();
        },
        after: (store, step) => {
          const found = recordsOf(store, 'a');
          expect(found.slice(0, acknowledged.length), `step ${step}`).toEqual(acknowledged);
          // At most the one that was on its way.
          expect(found.length - acknowledged.length).toBeLessThanOrEqual(1);
          const [more] = write(store, 'a', [{ type: 'steered', text: 'on' }]);
          expect(recordsOf(store, 'a')).toEqual([...found, more]);
        },
      });
    });
  });

  describe(`${name}: the lock`, () => {
    test('is held by one, names its owner, and is free once it is given back', () => {
      const under = make();
      const mine = value(take(under.open(), me));
      expect(mine).toMatchObject({ inherited: false, owner: { process: me, command: 'ralph run' } });
      expect(take(under.open(), other)).toMatchObject({ ok: false, error: { reason: 'held', owner: { process: me } } });
      expect(under.open().owner({ isAlive: () => true })?.process).toEqual(me);
      mine.release();
      expect(under.open().owner({ isAlive: () => true })).toBeUndefined();
      expect(value(take(under.open(), other)).inherited).toBe(false);
      // One that lost it does not take it from the next.
      mine.release();
      expect(under.open().owner({ isAlive: () => true })?.process).toEqual(other);
    });

    test('is taken over from the dead, and says so', () => {
      const under = make();
      value(take(under.open(), me));
      expect(under.open().owner({ isAlive: () => false })).toBeUndefined();
      expect(value(take(under.open(), other, [me]))).toMatchObject({ inherited: true, owner: { process: other } });
      expect(take(under.open(), third, [me])).toMatchObject({ ok: false, error: { owner: { process: other } } });
    });

    test.each(['free', 'a dead owner’s'])('that is %s can be had after a death at any step of taking it', found => {
      atEachStep(make, {
        before: store => {
          if (found !== 'free') value(take(store, third));
        },
        act: store => void value(take(store, me, [third])),
        after: (store, step) => {
          const mine = value(take(store, other, [me, third]));
          expect(mine.owner.process, `step ${step}`).toEqual(other);
          expect(take(store, third, [me])).toMatchObject({ ok: false, error: { owner: { process: other } } });
          mine.release();
        },
      });
    });

    test('is held or free after a death at any step of giving it back', () => {
      atEachStep(make, {
        act: store => value(take(store, me)).release(),
        after: store => {
          const again = take(store, other, []);
          if (!again.ok) expect(again.error).toMatchObject({ reason: 'held', owner: { process: me } });
          expect(value(take(store, third, [me, other])).owner.process).toEqual(third);
        },
      });
    });
  });

  describe(`${name}: the inbox`, () => {
    const requests: readonly Request[] = [
      { type: 'pause' },
      { type: 'steer', text: 'mind the tests \u2028 "\\\n' },
      { type: 'mark', mark: { id: 'US-1', to: 'skipped', note: 'later' } },
      { type: 'resume' },
      { type: 'stop', now: true },
    ];
    const inbox = (store: Store): readonly Request[] => store.receive().map(({ request }) => request);

    test('gives requests in the order they were sent, each until it is done, and never again', () => {
      const under = make();
      for (const request of requests) under.open().send(request);
      expect(inbox(under.open())).toEqual(requests);
      expect(inbox(under.open())).toEqual(requests);
      for (const { done } of under.open().receive().slice(0, 2)) done();
      expect(inbox(under.open())).toEqual(requests.slice(2));
      for (const { done } of under.open().receive()) done();
      expect(inbox(under.open())).toEqual([]);
    });

    test('carries the answer back, and who asked', () => {
      const under = make();
      const sent = under.open().send(requests[2] as Request, { from: me, confirm: '1234' });
      expect(sent.answer()).toBeUndefined();
      const [received] = under.open().receive();
      expect(received?.asker).toEqual({ from: me, confirm: '1234' });
      received?.answer('taken');
      received?.done();
      expect(sent.answer()).toBe('taken');
      sent.withdraw();
      const late = under.open().send(requests[0] as Request, { from: me });
      late.withdraw();
      expect(inbox(under.open())).toEqual([]);
    });

    test('holds a request whole or not at all after a death at any step of sending it', () => {
      atEachStep(make, {
        before: store => void store.send({ type: 'pause' }),
        act: store => void store.send({ type: 'steer', text: 'all of it' }),
        after: (store, step) => {
          const [first, ...rest] = inbox(store);
          expect(first).toEqual({ type: 'pause' });
          if (rest.length > 0) expect(rest, `step ${step}`).toEqual([{ type: 'steer', text: 'all of it' }]);
          store.send({ type: 'resume' });
          expect(inbox(store).at(-1)).toEqual({ type: 'resume' });
        },
      });
    });
  });

  describe(`${name}: the list of runs`, () => {
    test('has the run that was worked on last first, with its plan, and is made again where it is lost', () => {
      const under = make();
      expect(under.open().runs()).toEqual([]);
      for (const run of ['a', 'b', 'c']) write(under.open(), run, [begin(run)]);
      write(under.open(), 'a', [{ type: 'run.resumed', base: 'c' }]);
      expect(under.open().runs()).toEqual(['a', 'c', 'b']);
      const listed = under.open().runsWithPlans();
      expect(listed).toContainEqual({ run: 'b', plan: 'b.json' });
      under.loseList();
      expect(under.open().runsWithPlans().toSorted(byRun)).toEqual(listed.toSorted(byRun));
      write(under.open(), 'b', [{ type: 'run.resumed', base: 'c' }]);
      expect(under.open().runs()[0]).toBe('b');
    });

    test('has every run that has a record after a death at any step', () => {
      atEachStep(make, {
        before: store => void write(store, 'old', [begin('old')]),
        act: store => void write(store, 'new', [begin('new')]),
        after: (store, step) => {
          const has = recordsOf(store, 'new').length > 0;
          // One whose first record is only half there may be listed: whoever reads it says what is wrong.
          expect(store.runs(), `step ${step}`).toEqual(expect.arrayContaining(has ? ['new', 'old'] : ['old']));
          write(store, 'old', [{ type: 'run.resumed', base: 'c' }]);
          expect(store.runs()[0]).toBe('old');
        },
      });
    });
  });
}

const byRun = (a: { readonly run: string }, b: { readonly run: string }): number => (a.run < b.run ? -1 : 1);
