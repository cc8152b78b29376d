import { expect, test } from 'vitest';
import { withLastWords } from '../../src/loop/last-words.ts';
import type { Verdict } from '../../src/protocol.ts';

const rejected = (reason: 'no-change' | 'gate-red'): Verdict => ({
  type: 'rejected',
  reason,
  why: 'nothing changed in the tree',
  feedback: 'nothing changed in the tree',
  signature: reason,
  next: 'continue',
});
const feedbackOf = (reason: 'no-change' | 'gate-red', message: string, denied: readonly string[] = []): string => {
  const verdict = withLastWords(rejected(reason), { message, denied });
  return verdict.type === 'rejected' ? verdict.feedback : '';
};

test('a question, a denied permission and a missing tool are in the next brief in the words of the agent', () => {
  expect(feedbackOf('no-change', 'I looked at it.\n\nShould I use Postgres or SQLite?')).toMatch(
    /\nThe last session asked, .*: Should I use Postgres or SQLite\?$/,
  );
  expect(feedbackOf('gate-red', 'Did it.', ['Bash(npm install)', 'Write(src/a.ts)'])).toContain(
    'was not permitted to use: Bash(npm install); Write(src/a.ts)',
  );
  expect(feedbackOf('gate-red', 'I changed it. But cargo is not installed here. Done.')).toContain(
    'The last session said: But cargo is not installed here.',
  );
});

test('where nothing explains a refusal, the last words do; a red gate explains itself', () => {
  expect(feedbackOf('no-change', 'First.\n\nThe item needs nothing from me.')).toContain(
    'ended with these words: The item needs nothing from me.',
  );
  expect(feedbackOf('gate-red', 'First.\n\nAll done.')).toBe('nothing changed in the tree');
  expect(feedbackOf('no-change', '')).toBe('nothing changed in the tree');
});
