import { describe, expect, it } from 'vitest';
import { acceptedLines } from '../../src/evidence/accepted.ts';
import { type VerdictInput, verdict } from '../../src/evidence/verdict.ts';
import { type Evidence, type GateResult, ruleIds } from '../../src/protocol.ts';

const green: GateResult = { name: 'test', run: 'npm test', status: 'green', exit: 0, durationMs: 5, tail: '' };
const red: GateResult = { ...green, status: 'red', exit: 1, tail: 'expected 2, got 3' };
const late: GateResult = { ...green, status: 'timeout', exit: null, tail: '' };
const clean: Evidence = {
  tree: 't',
  changed: true,
  files: 1,
  added: 3,
  deleted: 0,
  findings: [],
  gates: [green],
  verify: [],
  verifyWasRed: false,
};
const claimed: VerdictInput = {
  item: { id: 'US-1', changeOptional: false },
  claim: { type: 'done', how: 'signal' },
  end: { reason: 'exited', code: 0 },
  evidence: clean,
  repeats: false,
};
const none = { type: 'none' } as const;
const block = {
  rule: 'forbidden-paths',
  level: 'block',
  message: 'changed forbidden paths: data/x',
  path: 'data/x',
} as const;
const warn = { ...block, level: 'warn' } as const;
const proof = { verify: [green], verifyWasRed: true } as const;

const table: readonly [name: string, input: Partial<VerdictInput>, type: string, reason?: string][] = [
  ['claimed, green, changed', {}, 'accepted'],
  ['claimed by a promise', { claim: { type: 'done', how: 'promise' } }, 'accepted'],
  ['claimed by its mark in the plan', { claim: { type: 'done', how: 'mark' } }, 'accepted'],
  ['no gates at all', { evidence: { ...clean, gates: [] } }, 'accepted'],
  ['a warning of a guard', { evidence: { ...clean, findings: [warn] } }, 'accepted'],
  ['a red gate', { evidence: { ...clean, gates: [red] } }, 'rejected', 'gate-red'],
  ['a gate out of time', { evidence: { ...clean, gates: [late] } }, 'rejected', 'gate-red'],
  [
    'one red of many',
    { evidence: { ...clean, gates: [green, red, { ...green, status: 'not-run' }] } },
    'rejected',
    'gate-red',
  ],
  ['a blocking guard', { evidence: { ...clean, findings: [block] } }, 'rejected', 'guard'],
  [
    'a blocking guard outranks a red gate',
    { evidence: { ...clean, findings: [block], gates: [red] } },
    'rejected',
    'guard',
  ],
  ['nothing changed', { evidence: { ...clean, changed: false } }, 'rejected', 'no-change'],
  [
    'nothing changed, and need not',
    { evidence: { ...clean, changed: false }, item: { id: 'x', changeOptional: true } },
    'accepted',
  ],
  ['green work without a claim', { claim: none }, 'rejected', 'no-claim'],
  ['the same again, unchanged', { claim: none, settling: { tree: clean.tree } }, 'accepted'],
  ['the same again, changed', { claim: none, settling: { tree: 'other' } }, 'rejected', 'no-claim'],
  [
    'the same again, but nothing was ever changed',
    { claim: none, settling: { tree: clean.tree }, evidence: { ...clean, changed: false } },
    'rejected',
    'no-change',
  ],
  ['red work without a claim', { claim: none, evidence: { ...clean, gates: [red] } }, 'rejected', 'gate-red'],
  ['its own checks went from red to green, no claim', { claim: none, evidence: { ...clean, ...proof } }, 'accepted'],
  [
    'its own checks were green before, no claim',
    { claim: none, evidence: { ...clean, verify: [green] } },
    'rejected',
    'no-claim',
  ],
  ['its own checks are red', { evidence: { ...clean, verify: [red], verifyWasRed: true } }, 'rejected', 'verify-red'],
  [
    'proven, but a gate is red',
    { claim: none, evidence: { ...clean, ...proof, gates: [red] } },
    'rejected',
    'gate-red',
  ],
  ['says it is blocked', { claim: { type: 'blocked', why: 'no database' } }, 'blocked'],
  ['says it is blocked, all green', { claim: { type: 'blocked', why: 'x' }, evidence: clean }, 'blocked'],
  ['rate limit', { claim: none, failure: { class: 'rate-limit', message: 'x' } }, 'retry'],
  ['overload', { claim: none, failure: { class: 'overload', message: 'x' } }, 'retry'],
  ['network', { claim: none, failure: { class: 'network', message: 'x' } }, 'retry'],
  ['timeout', { claim: none, failure: { class: 'timeout', message: 'x' } }, 'retry'],
  ['auth', { claim: none, failure: { class: 'auth', message: 'x' } }, 'retry'],
  ['the agent refused its input', { claim: none, failure: { class: 'validation', message: 'x' } }, 'blocked'],
  ['the agent cannot be used', { claim: none, failure: { class: 'setup', message: 'x' } }, 'retry'],
  [
    'the agent refused the very first input',
    { claim: none, failure: { class: 'validation', message: 'x' }, answered: false },
    'retry',
  ],
  [
    'the agent crashed before any answer',
    { claim: none, failure: { class: 'logic', message: 'x', unanswered: true }, answered: false },
    'retry',
  ],
  [
    'the agent crashed before its answer, but one came before',
    { claim: none, failure: { class: 'logic', message: 'x', unanswered: true }, answered: true },
    'rejected',
    'agent-failed',
  ],
  [
    'nothing changed, because it may not write',
    { evidence: { ...clean, changed: false }, answered: false, denied: ['Write a.txt'] },
    'retry',
  ],
  [
    'nothing changed, and it may not ask',
    { evidence: { ...clean, changed: false }, answered: false, denied: ['AskUserQuestion'] },
    'rejected',
    'no-change',
  ],
  ['the agent crashed', { claim: none, failure: { class: 'logic', message: 'x' } }, 'rejected', 'agent-failed'],
  ['claimed, then hung: the work counts', { failure: { class: 'timeout', message: 'x' } }, 'accepted'],
  [
    'claimed, then hung, gate red',
    { failure: { class: 'timeout', message: 'x' }, evidence: { ...clean, gates: [red] } },
    'rejected',
    'gate-red',
  ],
  [
    'limited, but already proven',
    { claim: none, failure: { class: 'rate-limit', message: 'x' }, evidence: { ...clean, ...proof } },
    'accepted',
  ],
  ['repeating: green, no promise', { claim: none, repeats: true }, 'progress'],
  ['repeating: promise and green', { repeats: true }, 'accepted'],
  ['repeating: promise, nothing left to change', { repeats: true, evidence: { ...clean, changed: false } }, 'accepted'],
  ['repeating: promise but red', { repeats: true, evidence: { ...clean, gates: [red] } }, 'rejected', 'gate-red'],
  [
    'repeating: no promise, no change',
    { repeats: true, claim: none, evidence: { ...clean, changed: false } },
    'rejected',
    'no-change',
  ],
];

describe('a verdict', () => {
  it.each(table)('%s', (_, input, type, reason) => {
    const decided = verdict({ ...claimed, ...input });
    expect(decided.type).toBe(type);
    if (reason) expect(decided).toHaveProperty('reason', reason);
  });

  it('is never accepted with a gate that is not green', () => {
    for (const status of ['red', 'timeout'] as const) {
      for (const claim of [claimed.claim, none]) {
        for (const repeats of [true, false]) {
          const evidence = { ...clean, ...proof, gates: [green, { ...red, status }] };
          expect(verdict({ ...claimed, claim, repeats, evidence }).type).toBe('rejected');
        }
      }
    }
  });

  it.each([
    [
      'a guard',
      { findings: [{ ...block, path: 'data/x', line: 7 }, block] },
      /\(data\/x:7\)[\s\S]*\nAccepted \(forbidden-paths\): /,
    ],
    ['a gate', { gates: [red] }, /exited 1[\s\S]*expected 2, got 3[\s\S]*\nAccepted: it exits 0/],
    ['no change', { changed: false }, /nothing changed[\s\S]*\nAccepted: a change/],
  ])(
    'against %s tells the next brief what, where, and what would be accepted, in lines that fit',
    (_, found, words) => {
      const decided = verdict({ ...claimed, evidence: { ...clean, ...found } });
      if (decided.type !== 'rejected') throw new Error(decided.type);
      expect(decided.feedback).toMatch(words);
      expect(decided.feedback.match(/^Accepted/gm)).toHaveLength(1);
    },
  );

  it('has words about what would be accepted that no brief cuts', () => {
    const lines = acceptedLines(ruleIds);
    expect(lines.length).toBeGreaterThan(40);
    expect(lines.filter(line => line.length > 240)).toEqual([]);
  });

  it('gives the failing output to the next brief, capped', () => {
    const evidence = { ...clean, gates: [{ ...red, tail: `${'x\n'.repeat(9000)}the end` }] };
    const decided = verdict({ ...claimed, evidence });
    if (decided.type !== 'rejected') throw new Error(decided.type);
    expect(decided.feedback).toContain('npm test');
    expect(decided.feedback).toContain('the end');
    expect(decided.feedback.length).toBeLessThan(3500);
  });

  it('knows the same failure again by its signature, whatever the times and numbers in it', () => {
    const signature = (tail: string) => {
      const decided = verdict({ ...claimed, evidence: { ...clean, gates: [{ ...red, tail }] } });
      return decided.type === 'rejected' ? decided.signature : '';
    };
    expect(signature('failed in 12 ms at 0xdead')).toBe(signature('failed in 98 ms at 0xbeef'));
    expect(signature('expected a')).not.toBe(signature('expected b'));
  });

  it('lets the next attempt go on from a red tree, but not from a forbidden one', () => {
    expect(verdict({ ...claimed, evidence: { ...clean, gates: [red] } })).toHaveProperty('next', 'continue');
    expect(verdict({ ...claimed, evidence: { ...clean, findings: [block] } })).toHaveProperty('next', 'fresh');
  });
});
