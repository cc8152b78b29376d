/**
 * Assertions that hold whatever the code does.
 *
 *     - expect(total(cart)).toBe(3);
 *     + const sum = total(cart); expect(sum).toBe(sum);
 */
import { once } from '../../util/once.ts';
import { assertionsOf } from '../tests/assertions.ts';
import { testsNow } from '../tests/compare.ts';
import { localValues, withValues } from '../tests/local-values.ts';
import { isOpenQuestion, tautology } from '../tests/tautology.ts';
import { type Found, quote, type Rule } from './rule.ts';

const MARK = /\bok\((?:true,)?'[^']+'\)$/;

export const testTautology: Rule = {
  id: 'test-tautology',
  level: 'block',
  protects: 'tests',
  about: 'An assertion that can never fail.',
  check: look => {
    return testsNow(look).flatMap(({ before, after: { file, test } }): readonly Found[] => {
      if (before?.test.code === test.code || test.skip !== 'no') return [];
      const former = before ? assertionsOf(before.test) : [];
      const old = once(() => new Set(former.map(({ text }) => text)));
      const all = assertionsOf(test);
      const context = { name: test.name, language: file.language };
      let values: ReadonlyMap<string, string> | undefined;
      const byValue = (own: string) => {
        values ??= localValues(test.code, file.language);
        const filled = withValues(own, values);
        return filled === own ? undefined : tautology(filled, context);
      };
      return all.flatMap((assertion): readonly Found[] => {
        // The same as it is written is the same.
        if (former.some(({ raw }) => raw === assertion.raw)) return [];
        const { text } = assertion;
        if (former.length > 0 && old().has(text)) return [];
        // `t.ok(true, 'came here')` marks a place in a test that asks for other things.
        if (MARK.test(text) && all.some(other => !MARK.test(other.text))) return [];
        if (isOpenQuestion(text)) return [];
        const why = tautology(text, context) ?? byValue(text);
        if (why === undefined) return [];
        return [
          { message: `in the test ${quote(test.name)}, ${quote(text)} ${why}`, path: file.path, line: assertion.line },
        ];
      });
    });
  },
};
