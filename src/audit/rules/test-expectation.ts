/**
 * Existing tests that now expect another value for the same subject.
 *
 *     - expect(total(cart)).toBe(3);
 *     + expect(total(cart)).toBe(4);
 */
import { assertionsOf } from '../tests/assertions.ts';
import { compareTests } from '../tests/compare.ts';
import { loosened, matchAssertions } from '../tests/weakened-assertion.ts';
import { type Found, quote, type Rule } from './rule.ts';

export const testExpectation: Rule = {
  id: 'test-expectation',
  level: 'warn',
  protects: 'tests',
  about: 'An existing test expects a different value than before.',
  check: look =>
    compareTests(look).pairs.flatMap(({ before, after }): readonly Found[] => {
      if (before.test.code === after.test.code) return [];
      const { pairs } = matchAssertions(assertionsOf(before.test), assertionsOf(after.test));
      return pairs.flatMap(([from, to]): readonly Found[] => {
        if (from.subject !== to.subject || from.strength < 3) return [];
        if (from.literals.join('\n') === to.literals.join('\n')) return [];
        if (loosened(from, to) !== undefined) return [];
        const message = `the test ${quote(after.test.name)} expects ${quote(to.text)}; before it was ${quote(from.text)}`;
        return [{ message, path: after.file.path, line: to.line }];
      });
    }),
};
