/** Loops that end as soon as the asserted condition holds once. */
import { indentOf } from '../../util/text.ts';
import { assertionsOf } from './assertions.ts';
import type { TestCase } from './test-case.ts';

const LOOP = /^\s*(?:for\b|while\b|loop\b|until\b|repeat\b|do\s*\{|\d+\.times\b|.*\.times\s+do\b)/;
const LEAVES = /^\s*(?:return|break)\b/;
const LEAVES_IF = /^\s*(?:if\b\s*(.+?)\s*[{:]?\s*(?:(?:return|break)\b.*)?|(?:return|break)\s+if\s+(.+))$/;

/** A new loop that ends on a condition which was an assertion before. */
export function untilItHolds(
  before: TestCase,
  after: TestCase,
): { readonly condition: string; readonly at: number } | undefined {
  if (!/\b(?:for|while|loop|until|repeat|times)\b/.test(after.bare)) return undefined;
  const old = new Set(before.code.split('\n').map(line => line.trim()));
  const asks = assertionsOf(before);
  const lines = after.code.split('\n');
  for (const [at, line] of lines.entries()) {
    if (!LOOP.test(line) || old.has(line.trim())) continue;
    const tried = triedAgain(lines, at);
    if (tried !== undefined) return { condition: 'it passes', at: tried };
    for (let next = at + 1; next < lines.length; next++) {
      const own = lines[next] ?? '';
      if (own.trim() === '') continue;
      if (indentOf(own) <= indentOf(line)) break;
      const found = LEAVES_IF.exec(own);
      const condition = found?.[1] ?? found?.[2];
      const leaves =
        condition !== undefined && (/\b(?:return|break)\b/.test(own) || LEAVES.test(lines[next + 1] ?? ''));
      if (leaves && asks.some(({ subject, literals }) => isAbout(condition, subject, literals)))
        return { condition, at: next };
    }
  }
  return undefined;
}

/** A `try` in the loop that contains an assertion, and an exit if it passed. */
function triedAgain(lines: readonly string[], at: number): number | undefined {
  const end = lines.findIndex(
    (line, next) => next > at && line.trim() !== '' && indentOf(line) <= indentOf(lines[at] ?? ''),
  );
  const body = lines.slice(at + 1, end < 0 ? undefined : end).join('\n');
  const caught = /^[^\S\n]*(?:\}\s*catch\b|except\b|rescue\b)([\s\S]*)$/m.exec(body);
  if (!caught || /\b(?:throw|raise)\b/.test(caught[1] ?? '')) return undefined;
  const tried = body.slice(0, caught.index);
  return /\b(?:try|begin)\b/.test(tried) && /\b(?:assert|expect)/.test(tried) && /\b(?:break|return)\b/.test(tried)
    ? at
    : undefined;
}

/** Whether a condition is about the same subject and one of its expected values. */
function isAbout(condition: string, subject: string, literals: readonly string[]): boolean {
  const root = /[A-Za-z_]\w*(?:\.\w+)*/.exec(subject)?.[0] ?? '';
  const word = /\w+$/.exec(root)?.[0] ?? '';
  if (word.length < 2 || !new RegExp(`\\b${word}\\b`).test(condition) || /!=/.test(condition)) return false;
  return literals.length === 0 || literals.some(literal => literal !== '' && condition.includes(literal));
}
