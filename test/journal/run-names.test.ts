import { expect, test } from 'vitest';
import { slug } from '../../src/journal/runs.ts';

test('a name that is too long for a branch ends after a whole word', () => {
  expect(slug('Build the thing until done. When everything works')).toBe('build-the-thing-until-done-when');
  expect(slug('Wörter im Café: Übergröße')).toBe('worter-im-cafe-ubergro-e');
  expect(slug('x'.repeat(60))).toBe('x'.repeat(40));
  expect(slug('Exactly forty letters, no more than that')).toBe('exactly-forty-letters-no-more-than-that');
});
