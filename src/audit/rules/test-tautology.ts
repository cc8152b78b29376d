/**
 * Assertions that hold whatever the code does.
 *
 *     - expect(total(cart)).toBe(3);
 *     + const sum = total(cart); expect(sum).toBe(sum);
 */

import { once } from '../../util/once.ts';
import type { Language } from '../language.ts';
import { allMatches } from '../matches.ts';
import { assertionsOf } from '../tests/assertions.ts';
import { testsNow } from '../tests/compare.ts';
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
        // The assertion is unchanged.
        if (former.some(({ raw }) => raw === assertion.raw)) return [];
        const { text } = assertion;
        if (former.length > 0 && old().has(text)) return [];
        // `t.ok(true, 'came here')` only marks a place in a test that has other assertions.
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

/** Names inside a test that are assigned one fixed value, or another name. */
const ASSIGNED =
  /(?:^|[;{\n])[ \t]*((?:const|let|var|val|final|auto|int|double|String|boolean|long)\s+(?:mut\s+)?)?([A-Za-z_]\w*)(?:\s*:\s*[\w<>&]+)?[ \t]*(:=|=(?![=>~]))[ \t]*([^\n;]+)/g;
const FIXED = /^(?:-?\d[\d_.]*|'(?:\\.|[^'\\\n])*'|true|false|True|False|[A-Za-z_]\w*)$/;

const DECLARES: ReadonlySet<Language> = new Set(['go', 'rust', 'java', 'kotlin', 'csharp']);

/** Only names that are assigned once and never passed on to be changed. */
function localValues(code: string, language: Language): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const twice = new Set<string>();
  for (const [, keyword = '', name = '', sign, value = ''] of allMatches(code, ASSIGNED)) {
    if (found.has(name) || twice.has(name)) twice.add(name);
    const fixed = value.trim().replace(/["`]/g, "'");
    // In a language with declarations, a plain assignment means that the name is declared elsewhere: a flag set by a callback.
    const isSet = keyword === '' && sign === '=' && DECLARES.has(language);
    const isConstant = language === 'js' ? keyword.startsWith('const') : !isSet && !/\bmut\b|\bvar\b/.test(keyword);
    if (isConstant && FIXED.test(fixed)) found.set(name, fixed);
    else twice.add(name);
  }
  for (const name of [...found.keys()]) {
    const changed = new RegExp(
      `&(?:mut )?${name}\\b|\\b${name}\\s*(?:[-+*/|&]=|\\+\\+|--|<<)|\\b(?:nonlocal|global)\\b|\\bref ${name}\\b`,
    );
    if (twice.has(name) || changed.test(code)) found.delete(name);
  }
  return found;
}

/** The assertion with these names replaced by their values. */
const withValues = (text: string, values: ReadonlyMap<string, string>): string =>
  values.size === 0
    ? text
    : text
        .split(/('(?:\\.|[^'\\])*')/)
        .map((part, index) =>
          index % 2 === 1
            ? part
            : part.replace(/(?<![\w.$@])[A-Za-z_]\w*(?![\w(.[])/g, word => values.get(word) ?? word),
        )
        .join('');
