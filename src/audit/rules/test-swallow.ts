/**
 * Failing assertions that are caught and ignored.
 *
 *     - expect(total(cart)).toBe(3);
 *     + try { expect(total(cart)).toBe(3); } catch {}
 */
import { closing } from '../tests/brackets.ts';
import { testsNow } from '../tests/compare.ts';
import { CATCHES, exceptedAt, forgottenAt, hasAssertion, rescuedAt } from '../tests/swallowed-assertions.ts';
import type { TestCase } from '../tests/test-case.ts';
import { type Found, quote, type Rule } from './rule.ts';

export const testSwallow: Rule = {
  id: 'test-swallow',
  level: 'block',
  protects: 'tests',
  about: 'A failing assertion is caught and ignored, or not awaited.',
  check: look => {
    return testsNow(look).flatMap(({ before, after: { file, test } }): readonly Found[] => {
      if (before?.test.code === test.code) return [];
      const at = swallowedAt(test);
      if (at === undefined || (before && swallowedAt(before.test) !== undefined)) return [];
      const line = test.bodyLine + test.bare.slice(0, at).split('\n').length - 1;
      const message = `in the test ${quote(test.name)} a failing assertion is caught and forgotten, or nobody waits for it`;
      return [{ message, path: file.path, line }];
    });
  },
};

const NOISE =
  /\bexpect\(\w+\)\.(?:toBeDefined|toBeTruthy|not\.toBe(?:Null|Undefined)|toBeInstanceOf|to\.exist)(?:\([^)]*\))?|\b(?:this|t|ctx|test)\.skip\([^)]*\)|\b(?:console|logger?|log|System\.(?:out|err)|fmt|t|Console|error_log)\.\w+\([^;\n]*|\b(?:print(?:ln)?!?|puts|error_log|var_dump|\w+\.printStackTrace|(?:\$this->|self::)addToAssertionCount)\s*\([^;\n]*|\b(?:await\s+)?(?:[\w.]+\.)?(?:[sS]leep|delay|wait|pause)\([^;\n]*|\b(?:return|continue|break|true|null|undefined)\b|\$this->(?=[\s;}]|$)/g;

/** Whether a handler is empty; any other handler may pass the failure on. */
const doesNothing = (handler: string): boolean => handler.replace(NOISE, '').replace(/[\s;]/g, '') === '';

const EVERYTHING =
  /^(?:\s*|\s*\(\s*\\?(?:\w+\\)*(?:Throwable|Exception|AssertionFailedError|ExpectationFailedException|AssertionError|XunitException|AssertFailedException|AssertionException)\s*\$?\w*\s*\)\s*|\s*\(\s*(?:const\s+)?(?:Exception|Throwable|AssertionError|Error|AssertionFailedError|std::exception)?[\w\s:&*|]*\)\s*)$/;

/** Offset of a handler that catches an assertion's failure and ignores it. */
function swallowedAt(test: TestCase): number | undefined {
  const { bare } = test;
  if (!CATCHES.test(bare)) return undefined;
  for (const match of bare.matchAll(/\btry\s*\{/g)) {
    const open = match.index + match[0].length - 1;
    const close = closing(bare, open);
    if (!hasAssertion(test, open, close)) continue;
    const handler = /^\s*catch\s*(\([^)]*\)|[\w\s:]*)?\s*\{/.exec(bare.slice(close + 1));
    if (!handler || !EVERYTHING.test(handler[1] ?? '')) continue;
    const start = close + 1 + handler[0].length - 1;
    if (doesNothing(bare.slice(start + 1, closing(bare, start)))) return close + 1;
  }
  const excepted = exceptedAt(test);
  if (excepted !== undefined) return excepted;
  const suppressed = /\bsuppress\(\s*(?:AssertionError|Exception|BaseException)/.exec(bare);
  if (suppressed && hasAssertion(test, suppressed.index, bare.length)) return suppressed.index;
  const rescued = rescuedAt(test);
  if (rescued !== undefined) return rescued;
  const forgotten = forgottenAt(test);
  if (forgotten !== undefined) return forgotten;
  const promise =
    /\.catch\(\s*(?:\(?\s*\w*\s*\)?\s*=>\s*(?:\{\s*\}|null|undefined|void 0|true)|function\s*\(\w*\)\s*\{\s*\}|noop)\s*\)/.exec(
      bare,
    );
  if (promise && hasAssertion(test, statementStart(bare, promise.index), promise.index)) return promise.index;
  const left = /\bif err != nil \{\s*return\s*\}/.exec(bare);
  if (left) return left.index;
  const recovered = /\bdefer\s+func\(\)\s*\{\s*(?:_\s*=\s*)?recover\(\)\s*\}\(\)/.exec(bare);
  return recovered?.index;
}

/** The start of the chain of calls that ends here. */
function statementStart(bare: string, at: number): number {
  let depth = 0;
  for (let index = at - 1; index >= 0; index--) {
    const character = bare[index] ?? '';
    if (')]}'.includes(character)) depth += 1;
    else if ('([{'.includes(character)) {
      if (depth === 0) return index + 1;
      depth -= 1;
    } else if (
      depth === 0 &&
      (character === ';' || (character === '\n' && !/^\s*\./.test(bare.slice(index + 1, index + 80))))
    )
      return index + 1;
  }
  return 0;
}
