/** Fields of an object that is compared as a whole: they need no assertion of their own any more. */
import type { Assertion } from './test-case.ts';

/** Whether the whole object is compared with a value that contains the field and its value. */
export function isFieldOfKnown({ subject, literals }: Assertion, now: readonly Assertion[]): boolean {
  const [, whole, field] = /^([\w$@]+)(?:\??\.|->|\[:?['"]?)([\w$]+)/.exec(subject) ?? [];
  if (whole === undefined || field === undefined || literals.length === 0) return false;
  return now.some(
    other =>
      other.strength >= 5 &&
      other.subject === whole &&
      new RegExp(String.raw`(?<![\w$])${field.replace(/\$/g, '\\$')}['"]?\s*(?::|=>?)`).test(other.text) &&
      literals.every(literal => other.text.includes(longestOf(literal))),
  );
}

/** The longest word of a value, `390.00` of `390.00 EUR`, because its formatting may differ. */
const longestOf = (literal: string): string =>
  literal
    .split(/\s+/)
    .toSorted((a, b) => b.length - a.length)
    .at(0) ?? literal;
