/**
 * The shape of `ralph run --json`, one object per line. The types in events.ts are the source; a test fails to compile
 * where the two differ, and another validates what a real run prints.
 */
import * as z from 'zod/mini';

const { exactOptional: maybe, strictObject: object } = z;
const text = z.string();
const number = z.number();
const texts = z.array(text);
const status = z.enum(['pending', 'done', 'blocked', 'skipped']);

const usage = object({ inputTokens: number, outputTokens: number, cachedTokens: number }).check(
  z.meta({ id: 'usage' }),
);

const failure = object({
  class: z.enum(['network', 'rate-limit', 'overload', 'timeout', 'auth', 'setup', 'validation', 'logic']),
  message: text,
  resetAt: maybe(number),
  unanswered: maybe(z.literal(true)),
}).check(z.meta({ id: 'failure' }));

const claim = z
  .discriminatedUnion('type', [
    object({ type: z.literal('done'), how: z.enum(['promise', 'signal', 'mark']) }),
    object({ type: z.literal('blocked'), why: text }),
    object({ type: z.literal('none') }),
  ])
  .check(z.meta({ id: 'claim' }));

const tests = object({
  runner: text,
  executed: number,
  passed: number,
  failed: number,
  skipped: number,
  of: maybe(z.literal('packages')),
}).check(z.meta({ id: 'tests' }));

const gate = object({
  name: text,
  run: text,
  status: z.enum(['green', 'red', 'timeout', 'not-run']),
  exit: z.nullable(number),
  durationMs: number,
  tail: text,
  wasRed: maybe(z.literal(true)),
  reused: maybe(z.literal(true)),
  tests: maybe(z.union([z.literal('unknown'), tests])),
}).check(z.meta({ id: 'gate' }));

const finding = object({
  rule: text,
  level: z.enum(['note', 'warn', 'block']),
  message: text,
  path: maybe(text),
  line: maybe(number),
});

const evidence = object({
  tree: text,
  changed: z.boolean(),
  files: number,
  added: number,
  deleted: number,
  findings: z.array(finding),
  gates: z.array(gate),
  verify: z.array(gate),
  verifyWasRed: z.boolean(),
  trials: maybe(object({ runs: number, durationMs: number, why: z.array(text) })),
  proof: maybe(
    object({
      tests: z.array(object({ path: text, test: text, line: number, proof: z.enum(['proven', 'weak', 'vacuous']) })),
      mutants: z.array(object({ path: text, line: number, change: text, noticed: z.boolean() })),
    }),
  ),
}).check(z.meta({ id: 'evidence' }));

const verdict = z
  .discriminatedUnion('type', [
    object({ type: z.literal('accepted'), why: text, settled: maybe(z.literal(true)) }),
    object({ type: z.literal('progress'), why: text }),
    object({
      type: z.literal('rejected'),
      reason: z.enum(['gate-red', 'guard', 'no-change', 'no-claim', 'agent-failed', 'verify-red', 'runner-died']),
      why: text,
      feedback: text,
      signature: text,
      next: z.enum(['continue', 'fresh']),
    }),
    object({ type: z.literal('blocked'), cause: z.enum(['claimed', 'refused']), why: text }),
    object({ type: z.literal('retry'), failure, why: text }),
  ])
  .check(z.meta({ id: 'verdict' }));

const signal = z
  .discriminatedUnion('type', [
    object({ type: z.literal('text'), text, from: maybe(text) }),
    object({ type: z.literal('tool'), name: text, detail: text, id: maybe(text), from: maybe(text) }),
    object({
      type: z.literal('result'),
      text,
      lines: number,
      failed: maybe(z.literal(true)),
      id: maybe(text),
      from: maybe(text),
    }),
    object({ type: z.literal('error'), text }),
    object({ type: z.literal('usage'), usage, costUsd: maybe(number) }),
    object({ type: z.literal('retrying'), detail: text, hopeless: maybe(z.literal(true)) }),
    object({ type: z.literal('finished') }),
  ])
  .check(z.meta({ id: 'signal' }));

const phase = z.enum(['baseline', 'item', 'final', 'proof']);
const at = number.check(z.describe('When, in epoch milliseconds.'));
const iteration = { at, iteration: number, item: text };
const review = { at, review: number, item: text };
const process = object({ pid: number, started: text, boot: text });
const runner = object({ process, host: text });

/** One line of `ralph run --json`, but for a run that was refused. */
export const eventSchema = z.discriminatedUnion('type', [
  object({
    at,
    type: z.literal('run.started'),
    run: text,
    plan: object({ path: text, format: text, name: text }),
    branch: text,
    base: text,
    workspace: text,
    agent: text,
    gates: texts,
    sandbox: maybe(text),
    promptText: maybe(text),
    configured: maybe(text),
    from: maybe(text),
    runner: maybe(runner),
    given: maybe(texts),
  }),
  object({
    at,
    type: z.literal('run.resumed'),
    base: text,
    configured: maybe(text),
    sandbox: maybe(text),
    runner: maybe(runner),
  }),
  object({ at, type: z.literal('baseline'), tree: text, gates: z.array(gate) }),
  object({
    ...iteration,
    type: z.literal('iteration.started'),
    title: text,
    attempt: number,
    try: number,
    base: text,
    tree: text,
    lease: text,
    verifyWasRed: maybe(z.boolean()),
  }),
  object({ ...iteration, type: z.literal('lessons.shown'), ids: texts }),
  object({
    ...iteration,
    type: z.literal('agent.started'),
    process,
  }),
  object({
    ...iteration,
    type: z.literal('agent.finished'),
    end: object({
      reason: z.enum(['exited', 'lingered', 'idle', 'timeout', 'stopped', 'not-started']),
      code: z.nullable(number),
      signal: z.nullable(text),
      durationMs: number,
      leftovers: z.array(object({ pid: number, command: text, killed: z.boolean() })),
      strangers: maybe(z.array(object({ pid: number, command: text, killed: z.boolean() }))),
      droppedBytes: number,
    }),
    claim,
    usage,
    costUsd: number,
    model: maybe(text),
    failure: maybe(failure),
  }),
  object({
    ...iteration,
    type: z.literal('lessons.said'),
    lessons: z.array(object({ kind: z.enum(['pattern', 'gotcha', 'fact']), text })),
    used: texts,
  }),
  object({ ...iteration, type: z.literal('plan.restored'), edits: texts }),
  object({ ...iteration, type: z.literal('evidence'), evidence }),
  object({ ...iteration, type: z.literal('verdict'), verdict, message: maybe(text) }),
  object({
    ...iteration,
    type: z.literal('iteration.finished'),
    verdict: z.enum(['accepted', 'progress', 'rejected', 'blocked', 'retry']),
    commit: maybe(text),
    ref: maybe(text),
    tree: text,
    durationMs: number,
  }),
  object({
    ...iteration,
    type: z.literal('iteration.aborted'),
    ref: maybe(text),
    why: text,
    death: maybe(number),
  }),
  object({ at, type: z.literal('item.adopted'), item: text, commit: text, iteration: maybe(number) }),
  object({ at, type: z.literal('wait.started'), until: number, why: text, announced: maybe(z.literal(true)) }),
  object({ at, type: z.literal('wait.ended') }),
  object({
    at,
    type: z.literal('item.marked'),
    item: text,
    to: status,
    by: z.enum(['person', 'runner']),
    why: text,
    asked: maybe(number),
  }),
  object({ at, type: z.literal('item.retried'), item: text, hint: text, asked: maybe(number) }),
  object({ at, type: z.literal('item.added'), item: text, why: text, mends: maybe(text), gate: maybe(text) }),
  object({
    ...review,
    type: z.literal('review.started'),
    round: number,
    agent: text,
    base: text,
    tree: text,
    lease: text,
  }),
  object({ ...review, type: z.literal('reviewer.started'), process }),
  object({
    ...review,
    type: z.literal('review.finished'),
    round: number,
    verdict: z.enum(['pass', 'needs-fix', 'unclear']),
    findings: z.array(
      object({ severity: z.enum(['high', 'medium', 'low']), text, file: maybe(text), line: maybe(number) }),
    ),
    why: text,
    fix: maybe(text),
    undone: texts,
    usage,
    costUsd: number,
    durationMs: number,
  }),
  object({ ...review, type: z.literal('review.settled'), commit: maybe(text) }),
  object({ ...review, type: z.literal('review.aborted'), why: text, usage, costUsd: number, failure: maybe(failure) }),
  object({
    at,
    type: z.literal('stopping'),
    reason: z.enum(['interrupted', 'terminated', 'stop-requested']),
  }),
  object({ at, type: z.literal('steered'), text }),
  object({ at, type: z.literal('paused') }),
  object({ at, type: z.literal('unpaused') }),
  object({ at, type: z.literal('final'), tree: text, gates: z.array(gate) }),
  object({
    at,
    type: z.literal('run.finished'),
    reason: z.enum([
      'complete',
      'iterations',
      'time',
      'cost',
      'deadline',
      'fruitless',
      'once',
      'stop-requested',
      'blocked',
      'review',
      'agent-unavailable',
      'interrupted',
      'terminated',
      'failed',
    ]),
    why: text,
    unsettled: maybe(z.literal(true)),
  }),
  object({ at, type: z.literal('notice'), level: z.enum(['info', 'warn']), message: text }),
  object({ at, type: z.literal('agent.signal'), iteration: number, review: maybe(number), signal }),
  object({ at, type: z.literal('agent.output'), iteration: number, review: maybe(number) }),
  object({ at, type: z.literal('gate.started'), name: text, phase }),
  object({ at, type: z.literal('gate.finished'), result: gate, phase }),
  object({ at, type: z.literal('plan.read'), done: number, total: number, blocked: number }),
]);

/** The only line of a run that was not started. */
const refusedSchema = object({
  type: z.literal('refused'),
  exit: z.union([z.literal(2), z.literal(4)]),
  reason: text,
  message: text,
  file: maybe(text),
  line: maybe(number),
  column: maybe(number),
  hint: maybe(text),
});

/** Any line of `ralph run --json`. */
export const jsonLineSchema = z.union([eventSchema, refusedSchema]);
