import * as fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { pickNext, tally } from '../../src/plan/next.ts';
import { pickOrder } from '../../src/plan/pick-order.ts';
import type { Item, ItemStatus } from '../../src/protocol.ts';
import { plainItem } from '../support/samples.ts';
import { runs } from './support.ts';

const item = (id: string, more: Partial<Item> = {}): Item => plainItem({ id, title: id, ...more });
const status = (it: Item) => it.status;

describe('the next item', () => {
  test.each<[string, Item[], string | undefined, string]>([
    [
      'the first pending in the file',
      [item('A', { status: 'done' }), item('B'), item('C')],
      'B',
      'B is the first open item',
    ],
    [
      'the lowest priority number',
      [item('A', { priority: 2 }), item('B', { priority: 1 }), item('C', { priority: 1 })],
      'B',
      'B (priority 1) comes before A (priority 2)',
    ],
    [
      'one with a priority before one without',
      [item('A'), item('B', { priority: 99 })],
      'B',
      'B (priority 99) comes before A (no priority)',
    ],
    [
      'fractions and negative numbers',
      [item('A', { priority: 0 }), item('B', { priority: -1.5 })],
      'B',
      'B (priority -1.5) comes before A (priority 0)',
    ],
    [
      'what is in progress',
      [item('A', { priority: 1 }), item('B', { status: 'in-progress' })],
      'B',
      'B is in progress and is resumed',
    ],
    [
      'in progress with a note after the open ones',
      [item('A', { status: 'in-progress', note: 'marked [~]' }), item('B')],
      'B',
      'B comes before A, which is marked [~]',
    ],
    [
      'in progress with a note when it is all there is',
      [item('A', { status: 'in-progress', note: 'n' })],
      'A',
      'A is the first open item',
    ],
    [
      'not one that waits, whatever its priority',
      [item('A', { priority: 0, dependsOn: ['B'] }), item('B', { priority: 9 })],
      'B',
      'B comes before A, which waits for B',
    ],
    [
      'one whose dependency is skipped',
      [item('A', { status: 'skipped' }), item('B', { dependsOn: ['A'] })],
      'B',
      'B is the first open item',
    ],
    ['one whose dependency is no item', [item('A', { dependsOn: ['the boss'] })], 'A', 'A is the first open item'],
    [
      'none behind a blocked one',
      [item('A', { status: 'blocked' }), item('B', { dependsOn: ['A'] })],
      undefined,
      'B waits for A',
    ],
    [
      'none in a circle',
      [item('A', { dependsOn: ['B'] }), item('B', { dependsOn: ['A'] })],
      undefined,
      'A waits for B',
    ],
    [
      'none when only blocked ones are left',
      [item('A', { status: 'blocked' })],
      undefined,
      'nothing is left but blocked items: A',
    ],
    [
      'none when all is done',
      [item('A', { status: 'done' }), item('B', { status: 'skipped' })],
      undefined,
      'every item is done or skipped',
    ],
    [
      'none when only optional ones are open, which are named',
      [item('A', { status: 'done' }), item('B', { status: 'skipped', optional: true })],
      undefined,
      'every required item is done or skipped; optional and open: B',
    ],
    ['none of nothing', [], undefined, 'the plan holds no items'],
  ])('is %s', (_, items, next, why) => {
    const pick = pickNext({ items, status });
    expect([pick.next?.id, pick.why]).toEqual([next, why]);
  });

  it('follows the status it is told, not the plan alone', () => {
    const items = [item('A'), item('B', { dependsOn: ['A'] })];
    expect(pickNext({ items, status: it => (it.id === 'A' ? 'done' : it.status) }).next?.id).toBe('B');
    expect(
      pickNext({ items, status: it => (it.id === 'A' ? 'blocked' : it.status) }).waiting.map(({ id }) => id),
    ).toEqual(['B']);
  });

  it('is only the named one, when one is named', () => {
    const items = [item('A'), item('B'), item('C', { dependsOn: ['A'] }), item('D', { status: 'done' })];
    expect(pickNext({ items, status, only: 'B' })).toMatchObject({
      next: { id: 'B' },
      why: 'B is the item that was asked for; A before it is still open',
    });
    expect(pickNext({ items, status, only: 'A' }).why).toBe('A is the item that was asked for');
    expect(pickNext({ items, status, only: 'C' })).toMatchObject({ why: 'C waits for A' });
    expect(pickNext({ items, status, only: 'D' })).toMatchObject({ why: 'D is done' });
    expect(pickNext({ items, status, only: 'X' })).toMatchObject({ why: 'the plan has no item "X"' });
  });

  it('works a plan without circles to its end, never before a dependency', () => {
    const plan = fc.array(
      fc.record({ priority: fc.option(fc.integer({ min: 0, max: 5 })), deps: fc.array(fc.nat(), { maxLength: 3 }) }),
      { maxLength: 20 },
    );
    fc.assert(
      fc.property(plan, raw => {
        const items = raw.map(({ priority, deps }, index) =>
          item(String(index), {
            ...(priority !== null && { priority }),
            dependsOn: index === 0 ? [] : deps.map(dep => String(dep % index)),
          }),
        );
        const done = new Set<string>();
        const now = (it: Item): ItemStatus => (done.has(it.id) ? 'done' : 'pending');
        for (let pick = pickNext({ items, status: now }); pick.next; pick = pickNext({ items, status: now })) {
          expect(pick.next.dependsOn.every(id => done.has(id))).toBe(true);
          done.add(pick.next.id);
        }
        expect(done.size).toBe(items.length);
      }),
      { numRuns: runs },
    );
  });
});

it('tallies what is in progress as pending', () => {
  const items = (['done', 'done', 'pending', 'in-progress', 'blocked', 'skipped'] as const).map((now, index) =>
    item(String(index), { status: now }),
  );
  expect(tally(items, status)).toEqual({ done: 2, total: 6, blocked: 1, skipped: 1, pending: 2 });
});

describe('the order of all items', () => {
  const ids = fc.integer({ min: 0, max: 11 }).map(String);
  const some: fc.Arbitrary<Item[]> = fc
    .uniqueArray(
      fc.record({
        id: ids,
        status: fc.constantFrom<ItemStatus>(
          'pending',
          'pending',
          'pending',
          'in-progress',
          'done',
          'blocked',
          'skipped',
        ),
        priority: fc.option(fc.integer({ min: 0, max: 3 }), { nil: undefined }),
        dependsOn: fc.array(ids, { maxLength: 3 }),
      }),
      { selector: ({ id }) => id, maxLength: 12 },
    )
    .map(all =>
      all.map(({ id, priority, ...more }) => item(id, { ...more, ...(priority === undefined ? {} : { priority }) })),
    );

  it('is that of picking one after the other', () => {
    fc.assert(
      fc.property(some, items => {
        const done = new Set<string>();
        for (;;) {
          const { next } = pickNext({ items, status: it => (done.has(it.id) ? 'done' : it.status) });
          if (!next) break;
          done.add(next.id);
        }
        expect(pickOrder({ items, status }).map(({ id }) => id)).toEqual([...done]);
      }),
      { numRuns: runs },
    );
  });

  test('of very many items is found at once', () => {
    const many = Array.from({ length: 100_000 }, (_, at) =>
      item(`T-${at}`, { priority: at % 7, dependsOn: at % 3 === 0 ? [`T-${at + 1}`, 'T-99998'] : [] }),
    );
    // Picking one after the other would take hours.
    expect(pickOrder({ items: many, status })).toHaveLength(100_000);
  });
});
