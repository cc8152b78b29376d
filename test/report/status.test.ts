import { describe, expect, test } from 'vitest';
import { statusJson } from '../../src/report/status-json.ts';
import { startingText, statusText } from '../../src/report/status-text.ts';
import { displayWidth } from '../../src/report/width.ts';
import { fold } from '../../src/state.ts';
import { asked, items, journalOf, START, scenario, type Told, utcTime } from './scenario.ts';

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
spent     24.6k in · 4.2k out · $0.32 · iteration 3 · 5m 00s

id      state    attempts    time   cost  title
US-001  done            1  1m 22s  $0.12  Add the invoice table
US-002  working         2  1m 19s  $0.20  Send the invoice
        test is red: 1 of 40 failed
US-003  done            -       -      -  Show the total

next      ralph watch  # or: ralph logs -f, ralph stop
`.slice(1),
    );
  });

  test('has a bar that fits a narrow terminal', () => {
    const lines = statusText({ ...at(176), owner, columns: 40 }).split('\n');
    expect(lines.find(line => line.startsWith('items'))).toMatch(/^items {5}[━─]+ {2}2 of 3 done · 1 left$/);
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
spent     36.9k in · 6.3k out · $0.42 · 4 iterations · 14m 06s

id      state    attempts     time   cost  title
US-001  done            1   1m 22s  $0.12  Add the invoice table
US-002  blocked         1  11m 24s  $0.20  Send the invoice
        needs the mail key
US-003  done            1   1m 02s  $0.10  Show the total

next      ralph unblock US-002 && ralph run  # once it is solved
`.slice(1),
    );
  });

  test('after it was complete, and an item was made open again or added', () => {
    const whole = journalOf([
      ...scenario.filter(([, event]) => event.type !== 'run.finished'),
      [9000, { type: 'run.finished', reason: 'complete', why: '2 items done' }],
    ]);
    const plan = [
      { id: 'US-001', title: 'Add the invoice table', status: 'done' },
      { id: 'US-004', title: 'Send it again', status: 'pending' },
    ] as const;
    const facts = {
      records: whole,
      state: fold(whole),
      color: false,
      clockTime: utcTime,
      now: START,
      owner: undefined,
    };
    const text = statusText({ ...facts, items: plan });
    expect(text).toContain('end       It was complete; 1 item is open now.\n');
    expect(text).toMatch(/next {6}ralph run\n$/);
    expect(statusText({ ...facts, items: plan.slice(0, 1) })).toMatch(
      /end {7}Complete: every item.*next {6}ralph report\n$/s,
    );
    const apart = { ...facts, state: { ...facts.state, from: 'main' }, items: plan.slice(0, 1) };
    expect(statusText(apart)).toMatch(/next {6}ralph report {2}# then: ralph merge 2026-01-08-payments\n$/);
  });

  test('while it is paused', () => {
    const records = journalOf([...scenario.filter(([told]) => told <= 176), [300, { type: 'paused' }]]);
    const text = statusText({ ...at(176), state: fold(records), records, owner, now: START + 900_000 });
    // The pause is no time of the run.
    expect(text).toMatch(/spent .* · 5m 00s\n/);
    expect(text).toContain(' · paused since 14:07 (pid 42, ralph run)\n');
    expect(text).toMatch(/next {6}ralph resume\n$/);
  });

  test('with a question: the command that answers it, live or not, and what else is blocked', () => {
    const block = { type: 'item.marked', item: 'US-001', to: 'blocked', by: 'runner', why: 'red' } as const;
    const next = (told: readonly Told[], live: typeof owner | undefined) => {
      const state = fold(journalOf([...scenario.slice(0, 2), ...told]));
      const open = items.map(item => ({ ...item, status: 'pending' as const }));
      return statusText({ ...at(1), state, items: open, owner: live })
        .split('\n')
        .at(-2);
    };
    expect(next(asked('US-002'), owner)).toBe('next      ralph answer US-002 "..."  # or: ralph watch');
    expect(next(asked('US-002'), undefined)).toBe('next      ralph answer US-002 "..." && ralph run');
    expect(next([[1, block], ...asked('US-002')], undefined)).toBe(
      'next      ralph answer US-002 "..." && ralph run  # and: ralph retry US-001 --with "..."',
    );
  });

  test('what the agent does, and what it has used so far', () => {
    const now = START + 300_000;
    const usage = { inputTokens: 400, outputTokens: 100, cachedTokens: 0 };
    const live = { doing: 'Bash npm test', heardAt: now - 4000, spent: { usage, costUsd: 0.08 } };
    const text = statusText({ ...at(176), now, owner, live });
    expect(text).toContain('\ndoing     Bash npm test · 4.0s ago\n');
    expect(text).toContain('\nspent     25.0k in · 4.3k out · $0.40 · iteration 3 · 5m 00s\n');
    const gated = statusText({ ...at(176), now, owner, live: { gate: { name: 'test', since: now - 61_000 } } });
    expect(gated).toContain('\ndoing     gate test · for 1m 01s\n');
  });

  test('while the gates run before the first item', () => {
    const now = START + 70_000;
    const live = { gate: { name: 'e2e', since: START + 10_000 } };
    expect(startingText({ owner, live, now, clockTime: utcTime })).toBe(
      `
run       starting since 14:02 (pid 42, ralph run)
now       the gates are being run before the first item · e2e · for 1m 00s
next      ralph watch, or ralph stop
`.slice(1),
    );
    const later = { ...at(9999), owner: { ...owner, since: START + 9_999_000 }, now: START + 9_999_500 };
    const again = statusText({ ...later, live: { runner: true } });
    expect(again).toContain('run       2026-01-08-payments · starting since 16:48 (pid 42, ralph run)\n');
    expect(again).toContain('now       the gates are being run before the first item · for 500ms\n');
    // Who holds the lock may do something else, such as write a plan.
    expect(statusText(later)).not.toContain('the gates are being run');
  });

  test('at 80 columns nothing is wider and no word is cut', () => {
    const long = 'the mail server of the accountants needs a key which nobody here has, so ask them for one first';
    const records = journalOf([
      ...scenario,
      [1300, { type: 'item.marked', item: 'US-002', to: 'blocked', by: 'person', why: long }],
    ]);
    const titled = items.map(item => ({ ...item, title: `${item.title}, with every column that was asked for` }));
    const text = statusText({
      ...at(9999),
      records,
      state: fold(records),
      items: titled,
      owner: undefined,
      columns: 80,
    });
    expect(Math.max(...text.split('\n').map(displayWidth))).toBeLessThanOrEqual(80);
    expect(text).toContain(
      `
id      state    attempts     time   cost  title
US-001  done            1   1m 22s  $0.12  Add the invoice table, with every …
US-002  blocked         1  11m 24s  $0.20  Send the invoice, with every column …
        the mail server of the accountants needs a key which nobody here has, so
        ask them for one first
US-003  done            1   1m 02s  $0.10  Show the total, with every column …
`,
    );
  });

  test('of many items it shows those that somebody may have to do something about', () => {
    const many = Array.from({ length: 5000 }, (_, n) => ({
      id: `T-${n}`,
      title: `Item ${n}`,
      status: n < 4000 ? ('done' as const) : n === 4500 ? ('blocked' as const) : ('pending' as const),
      note: n === 4500 ? 'no key' : '',
    }));
    const text = statusText({ ...at(0), items: many, owner });
    expect(text.split('\n').length).toBeLessThan(25);
    expect(text).toContain('T-4000  open            -     -  Item 4000\n');
    expect(text).toContain(
      'T-4500  blocked         -     -  Item 4500\n        no key\nand 4994 more items: ralph items\n',
    );
  });
});

test('the JSON status is plain data with every documented key', () => {
  const { state, records } = at(781);
  const status = statusJson({ state, records, items, owner });
  expect(JSON.parse(JSON.stringify(status))).toEqual(status);
  expect(status).toEqual({
    run: '2026-01-08-payments',
    state: 'waiting',
    live: true,
    owner,
    plan: { path: 'prd.json', format: 'prd', name: 'payments' },
    branch: 'ralph/payments',
    done: 2,
    settled: 0,
    total: 3,
    blocked: 0,
    skipped: 0,
    pending: 1,
    iterations: 3,
    current: null,
    reviewing: null,
    waiting: { until: START + 1_200_000, why: 'rate limit' },
    paused: false,
    doing: null,
    running: null,
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
        attempts: 1,
        commit: 'c0ffee1234567890',
        why: '',
        settled: false,
        review: null,
      },
      {
        id: 'US-002',
        title: 'Send the invoice',
        status: 'pending',
        attempts: 1,
        commit: null,
        why: 'test is red: 1 of 40 failed',
        settled: false,
        review: null,
      },
      {
        id: 'US-003',
        title: 'Show the total',
        status: 'done',
        attempts: 0,
        commit: null,
        settled: false,
        why: '',
        review: null,
      },
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
