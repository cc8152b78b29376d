import { expect, test } from 'vitest';
import type { StopReason } from '../../src/events.ts';
import { describeEnd, describeStop, type EndFacts, exitCode, verdictReason } from '../../src/report/sentences.ts';

const codes: readonly (readonly [StopReason, number])[] = [
  ['complete', 0],
  ['iterations', 1],
  ['time', 1],
  ['cost', 1],
  ['once', 1],
  ['stop-requested', 1],
  ['failed', 1],
  ['blocked', 3],
  ['halted', 3],
  ['agent-unavailable', 3],
  ['agent-unusable', 4],
  ['interrupted', 130],
  ['terminated', 143],
];

test.each(codes)('%s ends with exit code %i', (reason, code) => {
  expect(exitCode(reason)).toBe(code);
});

test('no two reasons to stop read alike, and each is one sentence', () => {
  const sentences = codes.map(([reason]) => describeStop(reason, ''));
  expect(new Set(sentences).size).toBe(codes.length);
  for (const sentence of sentences) expect(sentence).toMatch(/^[A-Z][^.]*\.$/);
});

test('the detail of a stop is in the sentence, harmless', () => {
  expect(describeStop('cost', '$25.10 of $25.00.')).toBe(
    'Stopped with work left: the cost limit is reached ($25.10 of $25.00).',
  );
  expect(describeStop('failed', 'disk \u001b[31mfull\n')).toBe('The run failed (disk full).');
});

test('a verdict without words of its own still has a reason', () => {
  const rejected = { type: 'rejected', why: '', feedback: '', signature: '', next: 'fresh' } as const;
  expect(verdictReason({ ...rejected, reason: 'no-change' })).toBe('nothing was changed');
  expect(verdictReason({ ...rejected, reason: 'guard', why: 'data/ is forbidden' })).toBe('data/ is forbidden');
  expect(verdictReason({ type: 'retry', why: '', failure: { class: 'network', message: 'ECONNRESET' } })).toBe(
    'ECONNRESET',
  );
  expect(verdictReason({ type: 'blocked', cause: 'claimed', why: 'no key' })).toBe('no key');
  expect(verdictReason({ type: 'blocked', cause: 'refused', why: '' })).toBe('the agent refused its input');
});

const base: EndFacts = { reason: 'exited', code: 0, signal: null, durationMs: 245_000 };

test.each<readonly [Partial<EndFacts>, string]>([
  [{}, 'Finished in 4m 05s'],
  [{ code: 2 }, 'Exited with code 2 after 4m 05s'],
  [{ code: null, signal: 'SIGKILL' }, 'Ended by SIGKILL after 4m 05s'],
  [{ reason: 'lingered' }, 'Finished but did not leave; ended after 4m 05s'],
  [{ reason: 'idle' }, 'Killed after 10m without output'],
  [{ reason: 'timeout' }, 'Killed after 1h, the time limit of one iteration'],
  [{ reason: 'stopped' }, 'Stopped on request after 4m 05s'],
  [{ reason: 'not-started', error: 'claude: not found' }, 'Could not be started: claude: not found'],
])('an end %o says its cause first', (end, sentence) => {
  expect(describeEnd({ ...base, ...end }, { idleMs: 600_000, iterationMs: 3_600_000 })).toBe(sentence);
});

test('without known limits the end still says what happened', () => {
  expect(describeEnd({ ...base, reason: 'idle' })).toBe('Killed for giving no output, after 4m 05s');
});
