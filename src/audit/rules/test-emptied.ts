/**
 * Tests that assert nothing.
 *
 *     - test('adds', () => { expect(add(1, 2)).toBe(3); });
 *     + test('adds', () => { add(1, 2); });
 */
import { oncePer } from '../../util/once.ts';
import type { Look, LookFile } from '../look.ts';
import { allMatches } from '../matches.ts';
import { assertionsOf } from '../tests/assertions.ts';
import { compareTests } from '../tests/compare.ts';
import { helperAssertions, unknownMacros } from '../tests/helpers.ts';
import type { TestCase } from '../tests/test-case.ts';
import { type Found, quote, type Rule } from './rule.ts';

export const testEmptied: Rule = {
  id: 'test-emptied',
  level: 'block',
  protects: 'tests',
  about: 'A test without any assertion.',
  check: look => {
    const { pairs, fresh } = compareTests(look);
    return [
      ...pairs.flatMap(({ before, after }): readonly Found[] => {
        const { test, file } = after;
        if (test.skip !== 'no' || (before.test.code === test.code && before.test.head === test.head)) return [];
        if (asksNothing(test) && (assertionsOf(before.test).length > 0 || (isEmpty(test) && !isEmpty(before.test)))) {
          const message = `the test ${quote(test.name)} no longer asserts anything`;
          return tookOver(look, before.test, test) ? [] : [{ message, path: file.path, line: test.line }];
        }
        return [];
      }),
      ...fresh.flatMap(({ file, test }): readonly Found[] => {
        if (test.skip !== 'no' || !asksNothing(test) || /^(?:TestMain|Example|Fuzz)/.test(test.name)) return [];
        const where = { path: file.path, line: test.line };
        if (isEmpty(test)) return [{ message: `the new test ${quote(test.name)} is empty`, ...where }];
        if (helped(look, test)) return [];
        const message = `the new test ${quote(test.name)} asserts nothing`;
        return [{ message, ...where, ...(mayBeHelped(file, test) && { level: 'warn' as const }) }];
      }),
    ];
  },
};

const asksNothing = (test: TestCase): boolean => assertionsOf(test).length === 0;

const NOISE =
  /\b(?:console\.\w+|print(?:ln|f)?!?|fmt\.Print\w*|puts|pp?|logger?\.\w+|log\.\w+|t\.Log\w*|System\.out\.\w+|Console\.\w+|echo|var_dump)\s*(?:\([^()]*(?:\([^()]*\)[^()]*)*\)|['"][^\n]*)/g;

/** Whether nothing in the test does anything. */
function isEmpty({ bare }: TestCase): boolean {
  const rest = bare
    .replace(NOISE, '')
    .replace(/^[^{]*=>/, '')
    .replace(/\b(?:async|function|pass|return|true|null|None|do|end|undefined)\b/g, '');
  return !/\w\s*[!?]?\(|=(?!>)|\w+\s+\w|\.\w/.test(rest.replace(/\(\s*(?:\{[^}]*\}|[\w,\s]*)\s*\)\s*(?==>|\{)/g, ''));
}

const HELPER =
  /(?<![\w$])(?:\w*(?:[aA]ssert|[eE]xpect|[cC]heck|[vV]erify|[sS]hould|[mM]ust|[eE]nsure|[vV]alidate|[rR]equire|[cC]ompare|[mM]atch|run_?[tT]ests?|[tT]est)\w*)\s*!?\s*[(<]/;

/** Names that sound like an assertion but are not. */
const NO_HELP = /^(?:expectNotToPerformAssertions|addToAssertionCount|doesNotPerformAssertions|newTest\w*)$/;

const callsIn = (bare: string): ReadonlySet<string> =>
  new Set([...bare.matchAll(/(?<![\w$])([A-Za-z_]\w*)\s*!?\s*[(<]/g)].map(match => match[1] ?? ''));

/** Whether a new call, or a called function that asserts more than before, now asserts for the test. */
function tookOver(look: Look, before: TestCase, after: TestCase): boolean {
  const old = callsIn(before.bare);
  if (unknownMacros(look, after.bare).some(name => !old.has(name))) return true;
  return [...callsIn(after.bare)].some(name => {
    if (NO_HELP.test(name)) return false;
    const asks = helperAssertions(look, name);
    if (old.has(name)) return (asks?.length ?? 0) > (helperAssertions(look, name, 'before')?.length ?? 0);
    return asks === undefined ? HELPER.test(`${name}(`) : asks.length > 0;
  });
}

/** Whether it calls something that a base class or a neighbouring file may define, or that panics by itself. */
const mayBeHelped = ({ language, after }: LookFile, { bare }: TestCase): boolean =>
  language === 'go' || language === 'rust' || (/\bextends\b/.test(after.bare) && /(?<![\w.])[a-z]\w*\s*\(/.test(bare));

const DEFINED =
  /\b(?:function|def|func|fn|fun|const|let|void|boolean|[A-Z]\w*(?:<[^<>]*>)?)\s+(?:\([^)]*\)\s*)?(\w+)(?=\s*[(=<])/g;

/** Assertions may be in a function that the test calls. */
function helped(look: Look, test: TestCase): boolean {
  if ([...callsIn(test.bare)].some(name => HELPER.test(`${name}(`) && !NO_HELP.test(name))) return true;
  const beginnings = definitionsIn(look);
  return allMatches(test.bare, CALLED).some(([, name = '']) => beginnings.get(name)?.some(text => ASKS.test(text)));
}

const CALLED = /(?<![\w$.])([A-Za-z_]\w*)\s*\(/g;
const ASKS = /\b(?:assert|expect|should|t\.(?:Error|Fatal)|raise|throw)/;

/** How the functions in test files begin, by name; cached, because many tests ask. */
const definitionsIn = oncePer((look: Look): ReadonlyMap<string, readonly string[]> => {
  const found = new Map<string, string[]>();
  for (const { after, role } of look.files) {
    if (role !== 'test' && role !== 'test-support') continue;
    for (const { 1: name = '', index } of allMatches(after.bare, DEFINED)) {
      const text = after.bare.slice(index, index + 1500);
      const others = found.get(name);
      if (others) others.push(text);
      else found.set(name, [text]);
    }
  }
  return found;
});
