/** Assertions that hold whatever the code does. */
import { assertionsOf } from '../tests/assertions.ts';
import { compareTests } from '../tests/compare.ts';
import { localValues, withValues } from '../tests/locals.ts';
import { tautology } from '../tests/tautology.ts';
import { type Found, quote, type Rule } from './rule.ts';

export const testTautology: Rule = {
  id: 'test-tautology',
  level: 'block',
  protects: 'tests',
  about: 'An assertion that can never fail.',
  check: look => {
    const { pairs, fresh } = compareTests(look);
    const placed = [
      ...pairs.map(({ before, after }) => ({ after, before })),
      ...fresh.map(after => ({ after, before: undefined })),
    ];
    return placed.flatMap(({ before, after: { file, test } }): readonly Found[] => {
      if (before?.test.code === test.code || test.skip !== 'no') return [];
      const old = new Set(before ? assertionsOf(before.test).map(({ text }) => text) : []);
      const all = assertionsOf(test);
      const values = localValues(test.code, file.language);
      return all.flatMap(({ text, line }): readonly Found[] => {
        if (old.has(text)) return [];
        const context = { name: test.name, language: file.language };
        const why = tautology(text, context) ?? tautology(withValues(text, values), context);
        if (why === undefined) return [];
        return [{ message: `in the test ${quote(test.name)}, ${quote(text)} ${why}`, path: file.path, line }];
      });
    });
  },
};
