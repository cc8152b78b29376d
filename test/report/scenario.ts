/** A small run with a bit of everything, as the loop would tell it. */
import type { Durable, Event, Recorded } from '../../src/events.ts';
import type { Evidence, GateResult } from '../../src/protocol.ts';

export const START = Date.UTC(2026, 0, 8, 14, 2);

export const utcTime = (at: number): string => new Date(at).toISOString().slice(11, 16);

/** An event and when it happened, in seconds after the start. */
export type Told = readonly [seconds: number, event: Event];

export const gate = (name: string, over: Partial<GateResult> = {}): GateResult => ({
  name,
  run: `npm run ${name}`,
  status: 'green',
  exit: 0,
  durationMs: 3200,
  tail: '',
  ...over,
});

const evidence = (over: Partial<Evidence> = {}): Evidence => ({
  tree: 't1',
  changed: true,
  files: 3,
  added: 120,
  deleted: 4,
  findings: [],
  gates: [gate('typecheck'), gate('test', { durationMs: 12_000 })],
  verify: [],
  verifyWasRed: false,
  ...over,
});

const end = { reason: 'exited', code: 0, signal: null, durationMs: 65_000, leftovers: [], droppedBytes: 0 } as const;
const usage = { inputTokens: 12_300, outputTokens: 2_100, cachedTokens: 9_000 };
const started = (iteration: number, item: string, title: string, attempt: number, nth: number): Event => ({
  type: 'iteration.started',
  iteration,
  item,
  title,
  attempt,
  try: nth,
  base: 'b'.repeat(40),
  tree: 't0',
  lease: 'lease',
});
const one = { iteration: 1, item: 'US-001' };
const two = { iteration: 2, item: 'US-002' };
const three = { iteration: 3, item: 'US-002' };
const four = { iteration: 4, item: 'US-003' };

export const scenario: readonly Told[] = [
  [
    0,
    {
      type: 'run.started',
      run: '2026-01-08-payments',
      plan: { path: 'prd.json', format: 'prd', name: 'payments' },
      branch: 'ralph/payments',
      base: 'a'.repeat(40),
      workspace: '.',
      agent: 'claude',
      gates: ['typecheck', 'test'],
    },
  ],
  [0, { type: 'plan.read', done: 0, total: 3, blocked: 0 }],
  [0, { type: 'gate.started', name: 'typecheck', phase: 'baseline' }],
  [15, { type: 'baseline', tree: 't0', gates: [gate('typecheck'), gate('test', { durationMs: 12_000 })] }],
  [15, started(1, 'US-001', 'Add the invoice table', 1, 1)],
  [16, { type: 'agent.started', ...one, process: { pid: 7, started: '1', boot: 'x' } }],
  [40, { type: 'agent.signal', iteration: 1, signal: { type: 'tool', name: 'Edit', detail: 'src/invoice.ts' } }],
  [80, { type: 'agent.finished', ...one, end, claim: { type: 'done', how: 'promise' }, usage, costUsd: 0.12 }],
  [81, { type: 'plan.restored', ...one, edits: ['US-003 was marked done'] }],
  [
    96,
    {
      type: 'evidence',
      ...one,
      evidence: evidence({
        files: 12,
        findings: [{ rule: 'size', level: 'warn', message: '12 files changed, more than 10', path: 'src/a.ts' }],
      }),
    },
  ],
  [96, { type: 'verdict', ...one, verdict: { type: 'accepted', why: 'claimed, every gate green' } }],
  [
    97,
    {
      type: 'iteration.finished',
      ...one,
      verdict: 'accepted',
      commit: 'c0ffee1234567890',
      tree: 't1',
      durationMs: 82_000,
    },
  ],
  [97, { type: 'plan.read', done: 1, total: 3, blocked: 0 }],
  [97, started(2, 'US-002', 'Send the invoice', 1, 1)],
  [
    160,
    {
      type: 'agent.finished',
      ...two,
      end: {
        ...end,
        code: 3,
        leftovers: [{ pid: 4242, command: 'node server.js', killed: true }],
      },
      claim: { type: 'done', how: 'signal' },
      usage,
      costUsd: 0.2,
    },
  ],
  [
    175,
    {
      type: 'evidence',
      ...two,
      evidence: evidence({
        gates: [gate('typecheck'), gate('test', { status: 'red', exit: 1, durationMs: 900, tail: '1 of 40 failed\n' })],
      }),
    },
  ],
  [
    175,
    {
      type: 'verdict',
      ...two,
      verdict: {
        type: 'rejected',
        reason: 'gate-red',
        why: 'test is red: 1 of 40 failed',
        feedback: 'x',
        signature: 's',
        next: 'continue',
      },
    },
  ],
  [
    176,
    {
      type: 'iteration.finished',
      ...two,
      verdict: 'rejected',
      ref: 'refs/ralph/2026-01-08-payments/US-002/1',
      tree: 't2',
      durationMs: 79_000,
    },
  ],
  [176, started(3, 'US-002', 'Send the invoice', 2, 2)],
  [
    780,
    {
      type: 'agent.finished',
      ...three,
      end: { ...end, reason: 'idle', code: null, signal: 'SIGTERM', durationMs: 600_000 },
      claim: { type: 'none' },
      usage: { inputTokens: 0, outputTokens: 0, cachedTokens: 0 },
      costUsd: 0,
      failure: { class: 'rate-limit', message: 'limit' },
    },
  ],
  [
    780,
    {
      type: 'verdict',
      ...three,
      verdict: { type: 'retry', why: 'rate limit', failure: { class: 'rate-limit', message: 'limit' } },
    },
  ],
  [781, { type: 'iteration.finished', ...three, verdict: 'retry', tree: 't2', durationMs: 605_000 }],
  [781, { type: 'wait.started', until: START + 1_200_000, why: 'rate limit' }],
  [1200, { type: 'wait.ended' }],
  [1200, { type: 'item.marked', item: 'US-002', to: 'blocked', by: 'person', why: 'needs the mail key' }],
  [1200, { type: 'plan.read', done: 1, total: 3, blocked: 1 }],
  [1200, started(4, 'US-003', 'Show the total', 1, 1)],
  [1260, { type: 'agent.finished', ...four, end, claim: { type: 'done', how: 'promise' }, usage, costUsd: 0.1 }],
  [1261, { type: 'evidence', ...four, evidence: evidence({ files: 1, added: 5, deleted: 0 }) }],
  [1262, { type: 'verdict', ...four, verdict: { type: 'accepted', why: 'claimed, every gate green' } }],
  [
    1262,
    { type: 'iteration.finished', ...four, verdict: 'accepted', commit: 'decade7777', tree: 't3', durationMs: 62_000 },
  ],
  [1265, { type: 'final', tree: 't3', gates: [gate('e2e', { status: 'timeout', exit: null, durationMs: 3000 })] }],
  [1265, { type: 'run.finished', reason: 'blocked', why: 'US-002 waits for a person' }],
];

/** An iteration whose agent asks. */
export const asked = (item: string): readonly Told[] => [
  [1, started(1, item, 'Send the invoice', 1, 1)],
  [2, { type: 'verdict', iteration: 1, item, verdict: { type: 'blocked', cause: 'asked', why: 'EUR or CHF?' } }],
  [3, { type: 'iteration.finished', iteration: 1, item, verdict: 'blocked', tree: 't0', durationMs: 1 }],
];

export const items = [
  { id: 'US-001', title: 'Add the invoice table', status: 'done' },
  { id: 'US-002', title: 'Send the invoice', status: 'pending' },
  { id: 'US-003', title: 'Show the total', status: 'done' },
] as const;

const PASSING = new Set(['notice', 'agent.signal', 'agent.output', 'gate.started', 'gate.finished', 'plan.read']);

/** The journal of a told run: its durable events. */
export function journalOf(told: readonly Told[]): readonly Recorded[] {
  return told
    .filter((entry): entry is readonly [number, Durable] => !PASSING.has(entry[1].type))
    .map(([seconds, event], index) => ({ ...event, seq: index + 1, at: START + seconds * 1000 }));
}
