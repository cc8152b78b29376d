/** A test that became one with rows: its title says more, its inputs come from a table, what it asks is the same. */
import { assertionsOf } from './assertions.ts';
import type { TestCase } from './test-case.ts';

/** What is said of a case in its title, or a loop that goes through cases. */
const PER_ROW = /#\{|\$\{/;
const LOOP = /\bfor\b[^\n]*\b(?:range|of|in)\b|\.(?:each|forEach)\b|\bsubTest\(/;

export function becameRows(before: TestCase, after: TestCase): boolean {
  if (before.cases > 0) return false;
  if (after.cases < 2 && !PER_ROW.test(after.name) && !LOOP.test(after.bare)) return false;
  const old = titleWords(before.name);
  const now = titleWords(after.name);
  if (old.size < 2 || ![...old].every(word => now.has(word))) return false;
  const asks = new Set(assertionsOf(after).map(({ text }) => withoutInputs(text)));
  const wanted = assertionsOf(before).map(({ text }) => withoutInputs(text));
  return wanted.length > 0 && wanted.every(text => asks.has(text));
}

/** `expect(fee()).toBe(CAP)` of `expect(fee(stay(1, 2))).toBe(CAP)`: what the calls are given may be a row. */
function withoutInputs(text: string): string {
  const kept = /^[\w.!]+\(/.test(text) ? 1 : 0;
  let depth = 0;
  let out = '';
  for (const sign of text) {
    if (sign === ')') depth -= 1;
    if (depth <= kept) out += sign;
    if (sign === '(') depth += 1;
  }
  return out;
}

export const titleWords = (name: string): ReadonlySet<string> =>
  new Set(
    name
      .replace(/(?<=[a-z])(?=[A-Z])|_/g, ' ')
      .toLowerCase()
      .match(/[a-z]{3,}/g)
      ?.filter(word => !/^(?:test|should|the|and|with|for|when|does|not)$/.test(word)) ?? [],
  );
