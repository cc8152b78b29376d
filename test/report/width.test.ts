import { expect, test } from 'vitest';
import { displayWidth, fit, wrap } from '../../src/report/width.ts';

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
