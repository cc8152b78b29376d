/** The `if` that a line of a test stands in. */
import { indentOf } from '../../util/text.ts';
import type { Assertion } from './assertions.ts';
import type { TestCase } from './test-case.ts';

/** Its condition; nothing where the line is reached in any case, or where the other branch does something, too. */
export function conditionAround(
  { code, bodyLine }: Pick<TestCase, 'code' | 'bodyLine'>,
  line: number,
): string | undefined {
  const lines = code.split('\n');
  const own = line - bodyLine;
  let indent = indentOf(lines[own] ?? '');
  for (let at = own - 1; at >= 0; at--) {
    const text = lines[at] ?? '';
    if (text.trim() === '' || indentOf(text) >= indent) continue;
    indent = indentOf(text);
    const condition = /^\s*if\b\s*(.+?)\s*[{:]?\s*$/.exec(text)?.[1];
    if (condition === undefined) continue;
    const rest = lines
      .slice(own + 1)
      .find(next => next.trim() !== '' && indentOf(next) <= indent && !/^\s*\}\s*$/.test(next));
    return /^\s*(?:\}\s*)?(?:else|elif|elsif)\b/.test(rest ?? '') ? undefined : condition;
  }
  return undefined;
}

/** On its own line: `total && expect(total)…`, `total ? expect(total)… : 0`, `expect(total)… if total`. */
export function conditionOn({ code, bodyLine }: Pick<TestCase, 'code' | 'bodyLine'>, line: number): string | undefined {
  const text = code.split('\n')[line - bodyLine] ?? '';
  const before = /^\s*([^=;]+?(?:[=!]==?[^=;]+?)?)\s*(?:&&|\?(?!\.))\s*(?:await\s+)?(?:expect|assert)\b/.exec(
    text,
  )?.[1];
  return before ?? /^\s*(?:expect|assert|refute)\b.*\S\s+(?:if|unless)\s+([^'"]+)$/.exec(text)?.[1];
}

const EQUALITY = /(?<![!<>=])={2,3}(?!=)|\.equals\(|\beql?\?/;

/** Whether a condition holds only for the very value that an assertion asks for. */
export function isAskedIn({ subject, literals, strength }: Assertion, condition: string): boolean {
  if (strength < 4 || literals.length === 0 || !EQUALITY.test(condition)) return false;
  const plain = condition.replace(/["`]/g, "'").replace(/\s+/g, ' ');
  const at = plain.replace(/ ?([(),[\].]) ?/g, '$1').indexOf(subject);
  const named = subject.length > 1 && at >= 0 && !/\w/.test(plain[at - 1] ?? ' ');
  return (
    named && literals.every(literal => new RegExp(`(?<![\\w.])${literal.replace(/[^\w]/g, '\\$&')}(?!\\w)`).test(plain))
  );
}
