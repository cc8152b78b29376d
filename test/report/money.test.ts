import { describe, expect, it } from 'vitest';
import { costOf, priceOf } from '../../src/agents/index.ts';
import type { Verdict } from '../../src/protocol.ts';
import type { Attempt } from '../../src/report/history.ts';
import { billing, costText, forecast, noPast, perDay } from '../../src/report/money.ts';
import { fold, noUsage } from '../../src/state.ts';

const state = (costUsd: number, notionalUsd?: number) => ({
  ...fold([]),
  costUsd,
  ...(notionalUsd === undefined ? {} : { notionalUsd }),
});

function attempt(item: string, costUsd: number, verdict: Verdict): Attempt {
  const nothing = { findings: [], gates: [], verify: [], restored: [], leftovers: [], strangers: [], droppedBytes: 0 };
  return { iteration: 1, item, attempt: 1, usage: noUsage, costUsd, durationMs: 0, verdict, ...nothing };
}
const accepted: Verdict = { type: 'accepted', why: '' };
const rejected: Verdict = {
  type: 'rejected',
  reason: 'gate-red',
  why: '',
  feedback: '',
  signature: '',
  next: 'continue',
};

describe('what a run cost', () => {
  it('says what an accepted item cost and what was spent on refused work', () => {
    const attempts = [attempt('A', 1, accepted), attempt('B', 2, rejected), attempt('B', 1, accepted)];
    expect(costText(state(4), attempts)).toBe('$4.00 · $2.00 per accepted item · 50 % on work that was refused');
    expect(costText(state(2), [attempt('B', 2, rejected)])).toContain('nothing was accepted · 100 %');
    const asked: Verdict = { type: 'blocked', cause: 'asked', why: 'EUR or CHF?' };
    expect(costText(state(4), [attempt('A', 2, accepted), attempt('B', 2, asked)])).toContain(' · 0 % on work');
    expect(costText(state(0), [])).toBe('not reported');
  });

  it('says what is no bill', () => {
    expect(billing(state(4))).toBe('');
    expect(billing(state(4, 4))).toContain('notional');
    expect(billing(state(4, 1))).toBe(' ($1.00 of it notional)');
  });

  it('foretells the rest from this run and those before it', () => {
    const past = { runs: 2, items: 6, costUsd: 6 };
    expect(forecast(state(2), { accepted: 2, left: 3, past })).toBe(
      'about $3.00 for 3 items that are left, at $1.00 each (this run and 2 runs before)',
    );
    expect(forecast(state(0), { accepted: 0, left: 1, past })).toContain('about $1.00 for 1 item that is left');
    expect(forecast(state(0), { accepted: 0, left: 3, past: noPast })).toBe('');
    expect(forecast(state(2), { accepted: 2, left: 0, past })).toBe('');
  });

  it('tells days apart, where there is more than one', () => {
    const on = (day: string, costUsd: number) => ({
      ...{ seq: 1, at: Date.parse(`${day}T12:00:00Z`), type: 'review.aborted' as const, review: 1, item: 'A', why: '' },
      ...{ usage: noUsage, costUsd },
    });
    expect(perDay([on('2026-01-08', 1), on('2026-01-08', 1), on('2026-01-09', 3)])).toBe(
      '2026-01-08 $2.00, 2026-01-09 $3.00',
    );
    expect(perDay([on('2026-01-08', 1)])).toBe('');
  });
});

describe('prices', () => {
  const usage = { inputTokens: 1800, outputTokens: 90, cachedTokens: 600 };
  it('of the table give what the agents themselves report', () => {
    expect(costOf(usage, priceOf('claude-sonnet-4-6'))).toBeCloseTo(0.00693, 8);
    expect(costOf(usage, priceOf('claude-opus-5-5'))).toBeCloseTo(0.00912, 8);
    expect(costOf(usage, priceOf('claude-sonnet-5-5'))).toBeCloseTo(0.00456, 8);
  });

  it('of the user go first, the longest name before a shorter one', () => {
    const own = { 'gpt-5*': { input: 1, output: 1 }, 'gpt-5-mini*': { input: 2, output: 2 } };
    expect(priceOf('gpt-5-mini-x', own)?.input).toBe(2);
    expect(priceOf('gpt-5-codex', own)?.input).toBe(1);
    expect(priceOf('openai/gpt-5-codex')?.input).toBe(1.25);
    expect(priceOf('gpt-5.7')).toBeUndefined();
    expect(priceOf('constructor', own)).toBeUndefined();
    expect([priceOf(undefined, own), priceOf(undefined, { '*': { input: 3, output: 3 } })?.input]).toEqual([
      undefined,
      3,
    ]);
    expect([priceOf('claude-opus-4-7')?.input, priceOf('claude-opus-4-1')?.input, priceOf('gpt-6.1-sol')]).toEqual([
      5,
      15,
      undefined,
    ]);
    expect(costOf(usage, undefined)).toBeUndefined();
  });
});
