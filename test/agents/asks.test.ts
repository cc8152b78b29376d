import { expect, it } from 'vitest';
import { asksPerson } from '../../src/agents/asks.ts';

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
