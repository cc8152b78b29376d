import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Recorded } from '../../src/events.ts';
import { fold, type RunState, reduce } from '../../src/state.ts';
import { sampleEvents } from './sample.ts';

const RUNS = Number(process.env.RALPH_PROPERTY_RUNS ?? 500);
const records = sampleEvents.map((event, n) => ({
  seq: n + 1,
  at: 1_700_000_000_000 + n * 1000,
  ...event,
})) as Recorded[];

/** Frozen to the last leaf, maps included: whoever writes to it throws. */
function frozen(state: RunState): RunState {
  const items = new Map(state.items);
  const refuse = () => {
    throw new Error('an earlier state was changed');
  };
  for (const item of items.values()) freeze(item);
  items.set = refuse;
  items.delete = refuse;
  items.clear = refuse;
  return freeze({ ...state, items });
}

function freeze<T extends object>(value: T): T {
  for (const part of Object.values(value)) if (part !== null && typeof part === 'object') freeze(part as object);
  return Object.freeze(value);
}

describe('the state', () => {
  test('is a pure fold: an earlier one is never changed by what follows', () => {
    let state = fold([]);
    for (const record of records) {
      const before = frozen(state);
      const copy = structuredClone({ ...state, items: [...state.items] });
      const next = reduce(before, freeze(structuredClone(record)));
      expect({ ...before, items: [...before.items] }).toEqual(copy);
      state = next;
    }
    expect(state).toEqual(fold(records));
    expect(state.finished?.reason).toBe('complete');
  });

  test('is the same however the journal is split', () => {
    fc.assert(
      fc.property(fc.shuffledSubarray(records), fc.nat({ max: records.length }), (some, at) => {
        expect(fold(some.slice(at), fold(some.slice(0, at)))).toEqual(fold(some));
      }),
      { numRuns: RUNS },
    );
  });

  test('takes any order of records without a throw', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...records), { maxLength: 60 }), some => {
        expect(fold(some).iterations).toBeGreaterThanOrEqual(0);
      }),
      { numRuns: RUNS },
    );
  });
});
