/** Rust: a panic that is caught. What comes of it is asked for, or the test passes whatever happens. */
import { allMatches } from '../matches.ts';
import { assertionsOf } from './assertions.ts';
import { closing } from './brackets.ts';
import { hasAssertion } from './swallows.ts';
import type { TestCase } from './test-case.ts';

const CAUGHT = /(?:\blet\s+(?:mut\s+)?(\w+)(?:\s*:[^=;]+)?\s*=\s*)?(?:\w+::)*\bcatch_unwind\s*\(/g;
/** Only a panic passes, or the panic itself goes on. */
const HANDED_ON = /^\s*\.\s*(?:unwrap|expect|unwrap_err|expect_err|is_err|is_ok|err|ok)\s*\(|^\s*\?/;

/** Offset of the first panic whose outcome nobody asks for. */
export function unwoundAt(test: TestCase): number | undefined {
  const { bare } = test;
  if (!bare.includes('catch_unwind')) return undefined;
  return allMatches(bare, CAUGHT).find(match => !isAskedFor(test, match))?.index;
}

function isAskedFor(test: TestCase, { 0: call, 1: name, index }: RegExpExecArray): boolean {
  const open = index + call.length - 1;
  const close = closing(test.bare, open);
  const rest = test.bare.slice(close + 1);
  // A failing assertion is a panic as well: who asks only whether there was one asks nothing of it.
  const isOfTest = hasAssertion(test, open + 1, close);
  if (name === undefined) return !isOfTest && HANDED_ON.test(rest) && isAsserted(test, index);
  const line = test.bodyLine + test.bare.slice(0, close).split('\n').length - 1;
  const own = new RegExp(`\\b${name}\\b`);
  const asked = assertionsOf(test).filter(other => other.line > line && own.test(other.text));
  const taken = (ways: string) => new RegExp(`\\b${name}\\.(?:${ways})\\(`).test(rest);
  if (isOfTest) return asked.some(({ text }) => text.includes('is_ok()')) || taken('unwrap|expect');
  return !name.startsWith('_') && (HANDED_ON.test(rest) || asked.length > 0 || taken('(?:unwrap|expect)(?:_err)?'));
}

/** The call stands in an assertion, or unwraps: either fails by itself. */
function isAsserted(test: TestCase, index: number): boolean {
  const start = Math.max(test.bare.lastIndexOf(';', index), test.bare.lastIndexOf('\n\n', index), 0);
  const end = test.bare.indexOf(';', closing(test.bare, test.bare.indexOf('(', index)));
  const statement = test.bare.slice(start, end < 0 ? undefined : end);
  return /\bassert\w*!\s*\(/.test(statement) || /\.\s*(?:unwrap|expect)(?:_err)?\s*\(/.test(statement);
}
