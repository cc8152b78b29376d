/** Failing assertions that nobody hears of. */
import { assertionsOf } from '../tests/assertions.ts';
import { closing } from '../tests/brackets.ts';
import { compareTests } from '../tests/compare.ts';
import { conditionAround } from '../tests/conditions.ts';
import type { TestCase } from '../tests/test-case.ts';
import { type Found, quote, type Rule } from './rule.ts';

export const testSwallow: Rule = {
  id: 'test-swallow',
  level: 'block',
  protects: 'tests',
  about: 'A failing assertion is caught and forgotten, or runs only if it would pass.',
  check: look => {
    const { pairs, fresh } = compareTests(look);
    const placed = [
      ...pairs.map(({ before, after }) => ({ after, before })),
      ...fresh.map(after => ({ after, before: undefined })),
    ];
    return placed.flatMap(({ before, after: { file, test } }): readonly Found[] => {
      if (before?.test.code === test.code) return [];
      const guarded = before && guardedAssertion(before.test, test);
      if (guarded) {
        const message = `in the test ${quote(test.name)}, ${quote(guarded.text)} is only asked if ${quote(guarded.condition)}`;
        return [{ message, path: file.path, line: guarded.line }];
      }
      const at = swallowedAt(test);
      if (at === undefined || (before && swallowedAt(before.test) !== undefined)) return [];
      const line = test.bodyLine + test.bare.slice(0, at).split('\n').length - 1;
      const message = `in the test ${quote(test.name)} a failing assertion is caught and forgotten`;
      return [{ message, path: file.path, line }];
    });
  },
};

/** An assertion that was always made and now is made only where the very thing it asks about looks right. */
function guardedAssertion(
  before: TestCase,
  after: TestCase,
): { readonly text: string; readonly condition: string; readonly line: number } | undefined {
  if (!/\bif\b/.test(after.bare)) return undefined;
  const old = assertionsOf(before);
  const now = assertionsOf(after);
  for (const { text, line, subject } of now) {
    const was = old.find(other => other.text === text);
    const root = /[A-Za-z_]\w*/.exec(subject)?.[0];
    if (!was || root === undefined || text.startsWith('if ')) continue;
    const condition = conditionAround(after, line);
    if (condition === undefined || conditionAround(before, was.line) !== undefined) continue;
    if (!new RegExp(`\\b${root}\\b`).test(condition)) continue;
    // Somebody else asks for the condition itself.
    if (now.some(other => other.text !== text && other.line < line && other.text.includes(root))) continue;
    return { text, condition, line };
  }
  return undefined;
}

const NOISE =
  /\b(?:console|logger?|log|System\.(?:out|err)|fmt|t)\.\w+\([^;\n]*|\b(?:print(?:ln)?!?|puts|\w+\.printStackTrace)\s*\([^;\n]*|\b(?:return|continue|break|true|null|undefined)\b/g;

/** Whatever else a handler does, it may hand the failure on. */
const doesNothing = (handler: string): boolean => handler.replace(NOISE, '').replace(/[\s;]/g, '') === '';

const EVERYTHING =
  /^(?:\s*|\s*\(\s*(?:const\s+)?(?:Exception|Throwable|AssertionError|Error|AssertionFailedError|std::exception)?[\w\s:&*|]*\)\s*)$/;

/** Without one of these words nothing is caught. */
const CATCHES = /try|except|suppress|rescue|catch|err != nil|recover/;

/** Offset of a handler that takes an assertion's failure and does nothing with it. */
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
  const python =
    /^([ \t]*)except(?:\s+\(?(?:[\w.]*(?:Exception|AssertionError|Error)\b[\s,]*)+\)?(?:\s+as\s+\w+)?)?\s*:[ \t]*(?:(?:pass|continue|return|\.\.\.)[ \t]*$|\n(?:[ \t]*\n)*\1[ \t]+(?:pass|return|continue|\.\.\.|print\(.*|log\w*\..*)[ \t]*(?=\n\1\S|\n?$(?![\s\S])|\n[ \t]{0,4}\S))/gm;
  for (const match of bare.matchAll(python)) {
    const block = tryBefore(bare, match.index, match[1] ?? '');
    if (block !== undefined && hasAssertion(test, block, match.index)) return match.index;
  }
  const suppressed = /\bsuppress\(\s*(?:AssertionError|Exception|BaseException)/.exec(bare);
  if (suppressed && hasAssertion(test, suppressed.index, bare.length)) return suppressed.index;
  const rescued =
    /^\s*rescue\b(?:\s+(?:StandardError|Exception|Minitest::Assertion|RSpec::\S+))?(?:\s*=>\s*\w+)?\s*\n\s*(?:nil|true|puts.*)?\s*\n?\s*(?:end\b|$(?![\s\S]))/m.exec(
      bare,
    );
  if (rescued && hasAssertion(test, 0, rescued.index)) return rescued.index;
  const promise =
    /\.catch\(\s*(?:\(?\s*\w*\s*\)?\s*=>\s*(?:\{\s*\}|null|undefined|void 0|true)|function\s*\(\w*\)\s*\{\s*\}|noop)\s*\)/.exec(
      bare,
    );
  if (promise && hasAssertion(test, statementStart(bare, promise.index), promise.index)) return promise.index;
  const left = /\bif err != nil \{\s*return\s*\}/.exec(bare);
  if (left) return left.index;
  const recovered = /\bdefer\s+func\(\)\s*\{\s*(?:_\s*=\s*)?recover\(\)\s*\}\(\)|\bcatch_unwind\b/.exec(bare);
  return recovered ? recovered.index : undefined;
}

/** Back to where the chain of calls that ends here began. */
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

function hasAssertion(test: TestCase, from: number, to: number): boolean {
  return (
    assertionsOf({ code: test.code.slice(from, to), bare: test.bare.slice(from, to), bodyLine: 1, head: '' }).length > 0
  );
}

/** Offset of the `try:` that an `except` belongs to. */
function tryBefore(bare: string, at: number, indent: string): number | undefined {
  const found = bare.slice(0, at).lastIndexOf(`\n${indent}try:`);
  if (found >= 0) return found;
  return bare.startsWith(`${indent}try:`) ? 0 : undefined;
}
