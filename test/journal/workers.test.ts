/** A run with several workers: what each has open is held apart, and numbers are given once. */
import { describe, expect, test } from 'vitest';
import type { Durable } from '../../src/events.ts';
import {
  fold,
  isCutOff,
  openOf,
  openReviewOf,
  openWork,
  type RunState,
  unjudged,
  withWorker,
} from '../../src/state.ts';
import { sampleEvents } from './sample.ts';

const [started] = sampleEvents;
const usage = { inputTokens: 1, outputTokens: 1, cachedTokens: 0 };
const process = { pid: 7, started: '1', boot: 'b' };

const begins = (iteration: number, worker?: number, base = 'base'): Durable => ({
  type: 'iteration.started',
  ...(worker === undefined ? {} : { worker }),
  iteration,
  item: `US-${iteration}`,
  title: 'A story',
  attempt: 1,
  try: 1,
  base,
  tree: `tree-${iteration}`,
  lease: `lease-${iteration}`,
});

const key = (iteration: number) => ({ iteration, item: `US-${iteration}` });

const accepted = (iteration: number): readonly Durable[] => [
  { type: 'verdict', ...key(iteration), verdict: { type: 'accepted', why: 'claimed' }, message: 'feat: x' },
  {
    type: 'iteration.finished',
    ...key(iteration),
    verdict: 'accepted',
    tree: 't',
    durationMs: 1,
    commit: `commit-${iteration}`,
  },
];

const aborted = (iteration: number): Durable => ({ type: 'iteration.aborted', ...key(iteration), why: 'died' });

const stateOf = (...events: readonly Durable[]): RunState =>
  fold([started as Durable, ...events].map((event, n) => ({ seq: n + 1, at: n, ...event })));

const numbers = ({ openIterations }: RunState): readonly number[] => openIterations.map(({ iteration }) => iteration);

describe('workers', () => {
  test('have one open iteration each, and a record changes only the one it is about', () => {
    const state = stateOf(begins(1), begins(2, 1), begins(3, 2), { type: 'agent.started', ...key(2), process });
    expect(numbers(state)).toEqual([1, 2, 3]);
    expect(openOf(state)?.process).toBeUndefined();
    expect(openOf(state, 1)).toMatchObject({ iteration: 2, item: 'US-2', worker: 1, process });
    expect(openOf(state, 3)).toBeUndefined();
    expect(openOf(state)).not.toHaveProperty('worker');
  });

  test('finish in any order, and what the others have open stays', () => {
    const state = stateOf(begins(1), begins(2, 1), begins(3, 2), ...accepted(2));
    expect(numbers(state)).toEqual([1, 3]);
    expect(state.items.get('US-2')).toMatchObject({ status: 'done', commit: 'commit-2' });
    expect(state.items.get('US-1')?.status).toBe('pending');
    expect(isCutOff({ ...state, finished: { reason: 'failed', why: '', at: 1 } })).toBe(true);
  });

  test('do not take the tip back to where another one began', () => {
    const state = stateOf(begins(1), ...accepted(1), begins(2, undefined, 'by-hand'), begins(3, 1, 'commit-1'));
    expect(state.tip).toBe('by-hand');
    // With workers, a person's commit is taken by a record of its own.
    const taken = stateOf(begins(1, 0), ...accepted(1), { type: 'branch.taken', commit: 'by-hand' }, begins(2, 0));
    expect(taken.tip).toBe('by-hand');
    expect(stateOf(begins(1), begins(2, 1), ...accepted(1), begins(3, 0, 'base')).tip).toBe('commit-1');
  });

  test('never have a number twice: one that was cut off is given again only if no later one is in use', () => {
    expect(stateOf(begins(1), begins(2, 1), aborted(2)).iterations).toBe(1);
    expect(stateOf(begins(1), begins(2, 1), aborted(1)).iterations).toBe(2);
    expect(stateOf(begins(1), begins(2, 1), aborted(1), aborted(2)).iterations).toBe(1);
    expect(stateOf(begins(1), begins(2, 1), ...accepted(2), aborted(1)).iterations).toBe(2);
  });

  test('review at the same time, and a request to stop is about all of them', () => {
    const review = (n: number, worker?: number): Durable => ({
      type: 'review.started',
      ...(worker === undefined ? {} : { worker }),
      review: n,
      item: `US-${n}`,
      round: 1,
      agent: 'script',
      base: 'base',
      tree: 't',
      lease: 'l',
    });
    const state = stateOf(begins(1), begins(2, 3), review(1, 1), review(2, 2), {
      type: 'stopping',
      reason: 'interrupted',
    });
    expect(state.openIterations.map(({ stopping }) => stopping)).toEqual([true, true]);
    expect(openReviewOf(state, 2)).toMatchObject({ review: 2, item: 'US-2' });
    expect(openWork(state)).toHaveLength(4);
    const ends: Durable = { type: 'review.aborted', review: 1, item: 'US-1', why: 'died', usage, costUsd: 0 };
    const later = fold([{ seq: 99, at: 99, ...ends }], state);
    expect(later.openReviews.map(({ review: n }) => n)).toEqual([2]);
    expect(withWorker(state, ends)).toEqual({ ...ends, worker: 1 });
  });

  test('need not be named by what follows the start, and one that has a verdict is judged', () => {
    const state = stateOf(begins(1), begins(2, 1), ...accepted(2).slice(0, 1));
    expect(withWorker(state, aborted(2))).toEqual({ ...aborted(2), worker: 1 });
    expect(withWorker(state, aborted(1))).toEqual(aborted(1));
    expect(withWorker(state, { type: 'paused' })).toEqual({ type: 'paused' });
    expect(unjudged(state).map(({ item }) => item)).toEqual(['US-1']);
  });
});
