/** Fields of a thing that is compared as a whole: they need not be asked for any more. */
import type { Assertion } from './test-case.ts';

/** The whole is compared with something that has the field and the value of it. */
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

/** `390.00` of `390.00 EUR`: how a value is printed may differ from how it is made. */
const longestOf = (literal: string): string =>
  literal
    .split(/\s+/)
    .toSorted((a, b) => b.length - a.length)
    .at(0) ?? literal;
