import { describe, expect, test } from 'vitest';
import type { Event } from '../../src/events.ts';
import type { AgentSignal } from '../../src/protocol.ts';
import { liveReporter } from '../../src/report/live.ts';
import type { LiveLimits } from '../../src/report/live-block.ts';
import { START, scenario, utcTime } from './scenario.ts';
import { Terminal } from './terminal.ts';

/** A view whose clock stands still until it is told a time, one second per event at least. */
function view({
  columns = 100,
  rows = 24,
  color = false,
  limits,
}: {
  columns?: number;
  rows?: number;
  color?: boolean;
  limits?: LiveLimits;
} = {}) {
  const terminal = new Terminal({ columns, rows });
  let seconds = 0;
  const clock = { now: () => START + seconds * 1000, monotonic: () => seconds * 1000 };
  const live = liveReporter({ stream: terminal, clock, color, limits, clockTime: utcTime });
  const tell = (at: number, event: Event) => {
    // Frames closer than a tenth of a second are put off; each of these is to be drawn.
    seconds = Math.max(at, seconds + 0.2);
    live.sink(event, START + at * 1000);
  };
  return { terminal, live, tell, pass: (by: number) => (seconds += by) };
}

const linesAbove = (terminal: Terminal): string => terminal.screen().split('\n\n').slice(0, -1).join('\n\n');

const upTo = (seconds: number) => scenario.filter(([at]) => at <= seconds);
const limits = { iterations: 50, timeMs: 4 * 3_600_000, costUsd: 25, idleMs: 600_000 };

describe('the block under the lines', () => {
  test('shows progress, item, activity, spending against limits and the last verdict', () => {
    const { terminal, tell, live } = view({ limits });
    for (const [at, event] of upTo(176)) tell(at, event);
    tell(240, {
      type: 'agent.signal',
      iteration: 3,
      signal: { type: 'tool', name: 'Bash', detail: 'npm test\n-- invoice' },
    });
    tell(245, { type: 'agent.output', iteration: 3 });
    expect(terminal.screen().split('\n\n').at(-1)).toBe(
      `
       ━━━━━━━━━━━━━━━━────────────────────────────────  1/3 done
       now        US-002 Send the invoice (attempt 2) · 1m 08s
       doing      Bash npm test -- invoice · 0s ago
       spent      24.6k in · 4.2k out · $0.32 of $25.00 · iteration 3 of 50 · 4m 05s of 4h
       last       rejected US-002: test is red: 1 of 40 failed`.slice(1),
    );
    expect(terminal.screen()).toContain(
      '       rejected   test is red: 1 of 40 failed · ralph logs 2\n14:04  [2/3] US-002',
    );
    live.close();
  });

  test('shows the last four steps, and what is used as it is used', () => {
    const { terminal, tell, live } = view({ columns: 80 });
    for (const [at, event] of upTo(176)) tell(at, event);
    const usage = { inputTokens: 400, outputTokens: 100, cachedTokens: 0 };
    const signals: readonly AgentSignal[] = [
      { type: 'text', text: 'gone by now' },
      { type: 'tool', name: 'Read', detail: 'src/invoice.ts', id: 'a' },
      { type: 'result', text: 'export const invoice', lines: 90, id: 'a' },
      { type: 'tool', name: 'Bash', detail: 'npm test', id: 'b' },
      { type: 'result', text: 'Exit code 1\nred', lines: 2, failed: true, id: 'b' },
      { type: 'usage', usage, costUsd: 0.08 },
      { type: 'text', text: 'The total is wrong, so I look at how the cents are added up before anything else.' },
    ];
    for (const signal of signals) tell(240, { type: 'agent.signal', iteration: 3, signal });
    expect(terminal.screen().split('\n\n').at(-1)).toBe(
      `
       ━━━━━━━━━━━━━━━━────────────────────────────────  1/3 done
       now        US-002 Send the invoice (attempt 2) · 1m 04s
       doing      Read src/invoice.ts
                  Bash npm test
                  failed: Exit code 1 red
                  The total is wrong, so I look at how the cents are … · 0s ago
       spent      25.0k in · 4.3k out · $0.40 · iteration 3 · 4m 01s
       last       rejected US-002: test is red: 1 of 40 failed`.slice(1),
    );
    live.close();
  });

  test('says how long the agent has been silent, what is waited for, and which gate runs', () => {
    const { terminal, tell, live } = view({ limits });
    for (const [at, event] of upTo(176)) tell(at, event);
    tell(600, { type: 'notice', level: 'info', message: 'still here' });
    expect(terminal.screen()).toMatch(/doing {6}starting the agent · silent for 7m 0\ds of 10m/);
    for (const [at, event] of scenario.filter(([at]) => at > 176 && at <= 781)) tell(at, event);
    expect(terminal.screen()).toMatch(/now {8}waiting until 14:22, 6m 5\ds left: rate limit/);
    tell(1200, { type: 'wait.ended' });
    tell(1201, { type: 'gate.started', name: 'e2e', phase: 'final' });
    expect(terminal.screen()).toContain('now        final gate e2e · 0s');
    tell(1202, { type: 'paused' });
    expect(terminal.screen()).toContain('now        paused · continue with: ralph resume');
    tell(1202, { type: 'stopping', reason: 'interrupted' });
    expect(terminal.screen()).toContain('now        stopping: what runs is being ended · 0s');
    live.close();
  });

  test('is gone at the end, and the lines stay', () => {
    const { terminal, tell, live } = view({ columns: 140 });
    for (const [at, event] of scenario) tell(at, event);
    const screen = terminal.screen();
    expect(screen).not.toContain('spent');
    expect(screen).not.toContain('━');
    expect(screen.split('\n').at(-1)).toContain('(US-002 waits for a person).');
    expect(screen).toContain('14:23  final      ✗ e2e timed out after 3.0s');
    live.close();
    live.close();
    expect(terminal.screen()).toBe(screen);
    expect(terminal.cursor()).toEqual([screen.split('\n').length, 0]);
  });

  test('close in the middle of a run takes the block away', () => {
    const { terminal, tell, live } = view();
    for (const [at, event] of upTo(100)) tell(at, event);
    expect(terminal.screen()).toContain('spent');
    live.close();
    expect(terminal.screen()).not.toContain('spent');
    expect(terminal.screen()).toMatch(/\[2\/3\] US-002 Send the invoice$/);
  });

  test('hold takes it away for a question and the release brings it back', () => {
    const { terminal, tell, live } = view();
    for (const [at, event] of upTo(100)) tell(at, event);
    const release = live.hold();
    expect(terminal.screen()).not.toContain('spent');
    terminal.write('Go on? y\n');
    tell(120, { type: 'notice', level: 'info', message: 'meanwhile' });
    expect(terminal.screen()).not.toContain('spent');
    release();
    release();
    expect(terminal.screen()).toMatch(/Go on\? y\n14:04 {2}note {7}meanwhile\n\n[^]*spent/);
    live.close();
  });
});

describe('the screen', () => {
  test.each([20, 33, 59, 60, 61, 80, 200])('at %i columns no line of the block is wider', columns => {
    const { terminal, tell, live } = view({ columns, limits });
    const title = '請求書を送る 🚀 '.repeat(20);
    tell(0, { type: 'plan.read', done: 1, total: 3, blocked: 1 });
    tell(1, { ...started, title });
    tell(2, { type: 'agent.signal', iteration: 1, signal: { type: 'text', text: title } });
    for (let i = 3; i < 9; i++) tell(i, { type: 'agent.output', iteration: 1 });
    // Had a line wrapped, moving up by lines would have left copies of the block behind.
    expect(terminal.screen().match(/spent/g)).toHaveLength(1);
    expect(terminal.screen().match(/doing/g)).toHaveLength(1);
    live.close();
  });

  test('a narrower window leaves no remains of the wider block', () => {
    const { terminal, tell, live } = view({ columns: 120, rows: 60, limits });
    for (const [at, event] of upTo(176)) tell(at, event);
    const lines = linesAbove(terminal);
    for (const columns of [40, 90, 25, 120, 60, 140]) {
      terminal.resize(columns);
      tell(200, { type: 'agent.signal', iteration: 3, signal: { type: 'text', text: `at ${columns} columns now` } });
      expect(terminal.screen().match(/^ *spent/gm)).toHaveLength(1);
      expect(terminal.screen().match(/^ *doing/gm)).toHaveLength(1);
    }
    expect(linesAbove(terminal)).toBe(lines);
    live.close();
  });

  test('a window of three rows is not overrun', () => {
    const { terminal, tell, live } = view({ rows: 3 });
    for (const [at, event] of upTo(176)) tell(at, event);
    live.close();
    expect(terminal.screen()).not.toContain('1/3 done');
    expect(terminal.screen().match(/US-001 Add the invoice table/g)).toHaveLength(1);
  });

  test('one frame is one write, and bursts are put together', () => {
    const { terminal, live, pass } = view();
    pass(1);
    for (let i = 0; i < 1000; i++) live.sink({ type: 'notice', level: 'info', message: `n${i}` }, START);
    expect(terminal.writes).toBe(1);
    pass(1);
    live.sink({ type: 'notice', level: 'info', message: 'last' }, START);
    expect(terminal.writes).toBe(2);
    expect(terminal.screen()).toContain('n999');
    live.close();
  });

  test('what a burst put off is drawn soon without another event', async () => {
    const { terminal, live } = view();
    live.sink({ type: 'notice', level: 'info', message: 'first' }, START);
    live.sink({ type: 'notice', level: 'info', message: 'second' }, START);
    expect(terminal.screen()).not.toContain('second');
    await expect.poll(() => terminal.screen(), { timeout: 120_000 }).toContain('second');
    live.close();
  });

  test('the seconds go on by themselves', async () => {
    const { terminal, live, tell, pass } = view();
    tell(0, started);
    pass(7);
    await expect.poll(() => terminal.screen(), { timeout: 120_000 }).toContain('· 7s ago');
    live.close();
  });
});

const started = {
  type: 'iteration.started',
  iteration: 1,
  item: 'A',
  title: 'Go',
  attempt: 1,
  try: 1,
  base: 'b',
  tree: 't',
  lease: 'l',
} as const;
