import { describe, expect, test } from 'vitest';
import { statusJson, statusText } from '../../src/report/status.ts';
import { fold } from '../../src/state.ts';
import { items, journalOf, START, scenario, utcTime } from './scenario.ts';

const at = (seconds: number) => {
  const records = journalOf(scenario.filter(([told]) => told <= seconds));
  return { records, state: fold(records), items, color: false, clockTime: utcTime, now: START + seconds * 1000 };
};
const owner = { pid: 42, command: 'ralph run', since: START };

describe('the status of a run', () => {
  test('while it works', () => {
    expect(statusText({ ...at(176), now: START + 300_000, owner })).toBe(
      `
run       2026-01-08-payments · running since 14:02 (pid 42, ralph run)
plan      prd.json · branch ralph/payments · agent claude
items     ━━━━━━━━━━━━━━━━━━━━━───────────  2 of 3 done · 1 left
now       US-002 Send the invoice · attempt 2 · iteration 3 · for 2m 04s
last      rejected US-002: test is red: 1 of 40 failed
spent     24.6k in · 4.2k out · $0.32 · iteration 3 · 2m 56s
next      ralph logs -f  # or: ralph stop
`.slice(1),
    );
  });

  test('while it waits', () => {
    const text = statusText({ ...at(781), owner });
    expect(text).toContain('waiting   until 14:22, 6m 59s left: rate limit\n');
    expect(text).not.toContain('now ');
  });

  test('after its runner died', () => {
    const text = statusText({ ...at(176), owner: undefined });
    expect(text).toContain('run       2026-01-08-payments · not running; it was cut off\n');
    expect(text).toContain('cut off   US-002 Send the invoice · attempt 2 · iteration 3 · since 14:04\n');
    expect(text).toMatch(/next {6}ralph run\n$/);
  });

  test('after it ended', () => {
    expect(statusText({ ...at(9999), owner: undefined })).toBe(
      `
run       2026-01-08-payments · ended at 14:23
plan      prd.json · branch ralph/payments · agent claude
items     ━━━━━━━━━━━━━━━━━━━━━╍╍╍╍╍╍╍╍╍╍╍  2 of 3 done · 1 blocked
end       A person is needed: nothing is left but blocked items (US-002 waits for a person).
last      accepted US-003: claimed, every gate green
spent     36.9k in · 6.3k out · $0.42 · iteration 4 · 21m 05s
blocked   US-002 Send the invoice: needs the mail key
next      ralph unblock US-002 && ralph run  # once it is solved
`.slice(1),
    );
  });

  test('while it is paused', () => {
    const { state, ...rest } = at(176);
    const text = statusText({ ...rest, state: { ...state, paused: true }, owner });
    expect(text).toContain(' · paused since 14:02 (pid 42, ralph run)\n');
    expect(text).toMatch(/next {6}ralph resume\n$/);
  });
});

test('the JSON status is plain data with every documented key', () => {
  const { state, records } = at(781);
  const status = statusJson({ state, records, items, owner });
  expect(JSON.parse(JSON.stringify(status))).toEqual(status);
  expect(status).toEqual({
    run: '2026-01-08-payments',
    live: true,
    owner,
    plan: { path: 'prd.json', format: 'prd', name: 'payments' },
    branch: 'ralph/payments',
    done: 2,
    total: 3,
    blocked: 0,
    skipped: 0,
    pending: 1,
    iterations: 3,
    current: null,
    reviewing: null,
    waiting: { until: START + 1_200_000, why: 'rate limit' },
    paused: false,
    last: { item: 'US-002', verdict: 'retry', why: 'rate limit' },
    usage: { inputTokens: 24_600, outputTokens: 4_200, cachedTokens: 18_000 },
    costUsd: 0.32,
    activeMs: 781_000,
    finished: null,
    items: [
      {
        id: 'US-001',
        title: 'Add the invoice table',
        status: 'done',
        attempts: 0,
        commit: 'c0ffee1234567890',
        why: '',
        review: null,
      },
      {
        id: 'US-002',
        title: 'Send the invoice',
        status: 'pending',
        attempts: 1,
        commit: null,
        why: 'test is red: 1 of 40 failed',
        review: null,
      },
      { id: 'US-003', title: 'Show the total', status: 'done', attempts: 0, commit: null, why: '', review: null },
    ],
  });
});

test('the current iteration says since when', () => {
  const { state, records } = at(176);
  expect(statusJson({ state, records, items, owner }).current).toEqual({
    iteration: 3,
    item: 'US-002',
    attempt: 2,
    since: START + 176_000,
  });
});
