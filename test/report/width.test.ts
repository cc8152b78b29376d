import { expect, test } from 'vitest';
import { displayWidth, fit, fitWords, hardWrap, wrap, wrapText } from '../../src/report/width.ts';

test.each([
  ['plain', 5],
  ['\u001b[31mred\u001b[39m', 3],
  ['請求書', 6],
  ['한글', 4],
  ['ｆｕｌｌ', 8],
  ['🚀', 2],
  ['é', 1],
  ['e\u0301', 1],
  ['━─✓✗·…', 6],
  ['❤\ufe0f', 2],
])('%s takes %i columns', (text, columns) => {
  expect(displayWidth(text)).toBe(columns);
});

test('what does not fit ends in an ellipsis, in whole characters, with its colour closed', () => {
  expect(fit('invoice', 7)).toBe('invoice');
  expect(fit('invoice', 4)).toBe('inv…');
  expect(fit('請求書', 4)).toBe('請…');
  expect(fit('🚀🚀🚀', 5)).toBe('🚀🚀…');
  expect(fit('\u001b[31minvoice\u001b[39m', 4)).toBe('\u001b[31minv…\u001b[0m');
  expect(fit('invoice', 0)).toBe('');
});

test('words wrap, and no word is lost', () => {
  expect(wrap('one two three', 7)).toEqual(['one two', 'three']);
  expect(wrap('a-very-long-word x', 5)).toEqual(['a-very-long-word', 'x']);
  expect(wrap('', 5)).toEqual(['']);
});

test('output is broken where it must be', () => {
  expect(hardWrap('a-very-long-word x', 5)).toEqual(['a-ver', 'y-lon', 'g-wor', 'd', 'x']);
  expect(hardWrap('請求書', 4)).toEqual(['請求', '書']);
});

test('a sentence is cut between two words, and a single word where it must be', () => {
  expect(fitWords('Send the invoice', 16)).toBe('Send the invoice');
  expect(fitWords('Send the invoice', 13)).toBe('Send the …');
  expect(fitWords('Send-the-invoice', 8)).toBe('Send-th…');
  expect(fitWords('\u001b[1mSend the invoice\u001b[22m', 13)).toBe('\u001b[1mSend the …\u001b[0m');
});

test('a text goes on below itself; a command with a comment stays in one line', () => {
  expect(wrapText('Needs\n  US-2 Send: the key is gone\n  ralph run          # go on now', 20)).toBe(
    'Needs\n  US-2 Send: the\n      key is gone\n  ralph run  # go on now',
  );
});

test('a command is in one line, however narrow the terminal is: its first line alone would be run', () => {
  const log = '  git log --oneline 4c4454c..ralph/shop  # the commits';
  const next = "  next     ralph retry US-3 --plan prd.json --with 'what was missing'";
  for (const line of [log, next]) expect(wrapText(line, 20)).toBe(line);
});
