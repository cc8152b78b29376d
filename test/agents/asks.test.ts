import { expect, it } from 'vitest';
import { asksPerson, toolQuestion } from '../../src/agents/asks.ts';
import { toolDetail } from '../../src/agents/tool-detail.ts';
import type { AgentSignal } from '../../src/protocol.ts';

it.each([
  'Done so far.\n\nShould I also drop the old table?',
  'Shall I go on? Let me know.',
  '**Which key is it?**',
  'どうしますか？',
  'Which one?\n\n<lesson kind="fact">It is so.</lesson>',
])('waits for an answer: %s', message => expect(asksPerson(message)).toBe(true));

it.each([
  'Added add() and ran the tests.',
  'Why did it fail? The path was wrong.\n\nIt is right now.',
  'It answers `what?` now:\n\n```\nok?\n```',
  'See https://example.org/?q=1 for more.',
  '',
])('waits for nobody: %s', message => expect(asksPerson(message)).toBe(false));

const tool = (name: string, detail = '', from?: string) =>
  ({ type: 'tool', name, detail, ...(from ? { from } : {}) }) as const;

it('a session that ended on a tool for questions has asked; one that went on has not', () => {
  const asked = (...signals: readonly AgentSignal[]) => {
    const question = toolQuestion();
    for (const signal of signals) question.see(signal);
    return question.asked();
  };
  const ask = tool('AskUserQuestion', 'Which one? (a, b)');
  expect(asked(tool('Bash', 'ls'), ask, { type: 'text', text: 'Nobody answered.' })).toBe('Which one? (a, b)');
  expect(asked(ask, tool('Bash', 'ls'))).toBe('');
  expect(asked(tool('AskUserQuestion', 'inner?', 't1'))).toBe('');
  expect(asked(tool('Bash', 'echo AskUserQuestion'))).toBe('');
});

it('what such a tool was given reads as a question with its choices', () => {
  const options = [{ label: 'SQLite' }, { label: 'PostgreSQL' }];
  expect(toolDetail({ questions: [{ header: 'DB', question: 'Which database?', options }] })).toBe(
    'Which database? (SQLite, PostgreSQL)',
  );
  expect(toolDetail({ header: 'x', question: 'Which?' })).toBe('Which?');
});
