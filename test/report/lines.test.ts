import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import { lineReporter } from '../../src/report/lines.ts';
import { START, scenario, type Told, utcTime } from './scenario.ts';

function tell(told: readonly Told[], more: Partial<Parameters<typeof lineReporter>[0]> = {}): string {
  let out = '';
  const sink = lineReporter({
    write: text => {
      out += text;
    },
    color: false,
    clockTime: utcTime,
    limits: { idleMs: 600_000 },
    ...more,
  });
  for (const [seconds, event] of told) sink(event, START + seconds * 1000);
  return out;
}

test('what several workers do names its item, and one iteration by itself does not', () => {
  const begins = (iteration: number, item: string): Told => [
    iteration,
    {
      type: 'iteration.started',
      ...{ iteration, item, title: 'Pay', attempt: 1, try: 1, base: 'b', tree: 't', lease: 'l', worker: iteration },
    },
  ];
  const says = (iteration: number, text: string): Told => [
    3,
    { type: 'agent.signal', iteration, signal: { type: 'text', text } },
  ];
  const read: Told = [0, { type: 'plan.read', done: 1, total: 4, blocked: 0 }];
  const told = [read, begins(1, 'A'), begins(2, 'B'), says(2, 'Two\n\nmore'), says(1, 'One')];
  expect(tell(told, { verbose: true }).split('\n')).toEqual([
    '14:02  [2/4] A Pay',
    '14:02  [3/4] B Pay',
    '       0:01       B · Two',
    '',
    '                  more',
    '       0:02       A · One',
    '',
  ]);
  expect(tell(told, { verbose: true, alone: true })).toContain('\n       0:02       One\n');
});

test('a whole run reads as a short, aligned log', () => {
  expect(tell(scenario)).toBe(
    `
14:02  run        2026-01-08-payments · branch ralph/payments · agent claude
       plan       prd.json · gates typecheck, test
14:02  baseline   ✓ typecheck 3.2s · ✓ test 12s
14:02  [1/3] US-001 Add the invoice table
       agent      1m 05s · 12.3k in · 2.1k out · $0.12 · says done
       restored   the agent changed what is the runner's: US-003 was marked done
       changed    12 files, +120 -4
       guard      size: 12 files changed, more than 10 · src/a.ts
       gates      ✓ typecheck 3.2s · ✓ test 12s
       accepted   claimed, every gate green · commit c0ffee1
14:03  [2/3] US-002 Send the invoice
       agent      Exited with code 3 after 1m 05s · 12.3k in · 2.1k out · $0.20 · says done
       leftover   node server.js (pid 4242) killed
       changed    3 files, +120 -4
       gates      ✓ typecheck 3.2s · ✗ test exit 1 after 900ms
       rejected   test is red: 1 of 40 failed · ralph logs 2
14:04  [2/3] US-002 Send the invoice (attempt 2)
       agent      Killed after 10m without output · no claim
       retry      rate limit · not charged
14:15  waiting    until 14:22 (6m 59s): rate limit
14:22  blocked    US-002: needs the mail key · by hand
14:22  [3/3] US-003 Show the total
       agent      1m 05s · 12.3k in · 2.1k out · $0.10 · says done
       changed    1 file, +5 -0
       gates      ✓ typecheck 3.2s · ✓ test 12s
       accepted   claimed, every gate green · commit decade7
14:23  final      ✗ e2e timed out after 3.0s
14:23  end        A person is needed: nothing is left but blocked items (US-002 waits for a person).
`.slice(1),
  );
});

test('colour adds styles and changes no word', () => {
  const colored = tell(scenario, { color: true });
  expect(colored).toContain('\u001b[32m');
  expect(stripVTControlCharacters(colored)).toBe(tell(scenario));
});

test('the rare events have their line too', () => {
  const told: readonly Told[] = [
    [0, { type: 'run.resumed', base: 'abcdef0123' }],
    [0, { type: 'iteration.aborted', iteration: 1, item: 'A', why: 'the runner died', ref: 'refs/ralph/r/A/1' }],
    [0, { type: 'item.adopted', item: 'B', commit: '1234567890' }],
    [0, { type: 'item.added', item: 'FIX-1', why: 'final gate e2e is red' }],
    [0, { type: 'steered', text: 'use\nthe old API' }],
    [0, { type: 'paused' }],
    [0, { type: 'unpaused' }],
    [0, { type: 'notice', level: 'warn', message: 'no gates' }],
    // Without a plan.read there is no position; without a verdict record, no reason is made up.
    [
      0,
      {
        type: 'iteration.started',
        iteration: 2,
        item: 'C',
        title: 'Go',
        attempt: 1,
        try: 3,
        base: 'b',
        tree: 't',
        lease: 'l',
      },
    ],
    [0, { type: 'iteration.finished', iteration: 2, item: 'C', verdict: 'accepted', tree: 't', durationMs: 1 }],
    [0, { type: 'run.finished', reason: 'complete', why: '' }],
  ];
  expect(tell(told)).toBe(
    `
14:02  run        resumed at abcdef0
14:02  cut off    A: the runner died · kept as refs/ralph/r/A/1
14:02  adopted    B from commit 1234567
14:02  added      FIX-1: final gate e2e is red
14:02  steered    use the old API
14:02  paused     continue with: ralph resume
14:02  resumed    going on
14:02  warning    no gates
14:02  C Go (try 3)
       accepted
14:02  end        Complete: every item is done.
`.slice(1),
  );
});

test('in a narrow terminal lines go on at the gutter, and no word is broken', () => {
  expect(tell(scenario, { columns: 40 })).toContain(`
       agent      1m 05s · 12.3k in ·
       2.1k out · $0.12 · says done
`);
});
