/** Assertions in something that nobody waits for, or that is reached only by an error that may never come. */
import { indentOf } from '../../util/text.ts';
import { allMatches } from '../matches.ts';
import { type Assertion, assertionsOf } from './assertions.ts';
import { closing } from './brackets.ts';
import { hasAssertion } from './swallows.ts';
import type { TestCase } from './test-case.ts';

const LATER =
  /\.then\s*\(|(?<=^[ \t]*)(?:waitFor|waitForElementToBeRemoved|vi\.waitFor|vi\.waitUntil)\s*\(|(?<![\w.])(?:setTimeout|setImmediate|queueMicrotask|process\.nextTick)\s*\(|\bgo\s+func\s*\([^)]*\)\s*\{/gm;

export const MAY_BE_LEFT = /waitFor|\.then\s*\(|setTimeout|setImmediate|queueMicrotask|nextTick|\bgo\s+func/;

/** Offset of work that is started, holds assertions, and is left alone. */
export function leftAloneAt(test: TestCase): number | undefined {
  const { bare } = test;
  if (!MAY_BE_LEFT.test(bare)) return undefined;
  if (/\bdone\b|\bnew Promise\b|\.Wait\(\)|<-|useFakeTimers|\bresolve\b/.test(bare)) return undefined;
  for (const match of bare.matchAll(LATER)) {
    const open = match.index + match[0].length - 1;
    // Cypress keeps a queue of its own and waits for all of it.
    if (match[0].startsWith('.') && /\bcy\s*\.\s*\w+\(/.test(bare)) continue;
    const line = bare.slice(bare.lastIndexOf('\n', match.index) + 1, match.index);
    // A chain may have begun on a line above.
    const start =
      match[0].startsWith('.') && /^\s*$/.test(line)
        ? (bare.slice(0, match.index).trimEnd().split('\n').at(-1) ?? '')
        : line;
    if (/\b(?:await|return|yield)\b|=>|=(?!=)|[([,]\s*$|^\s*\./.test(start)) continue;
    if (hasAssertion(test, open + 1, closing(bare, open))) return match.index;
  }
  return undefined;
}

const RAISES =
  /raises?\b|toThrow|[tT]hrows?\b|assertThrows|raise_error|[rR]aises|rejects|expectException|ThrownBy|Throws/;
const FAILS =
  /\bfail\w*\b|\bthrow\b|\braise\b|unreachable|\.assertions\(|hasAssertions|flunk|Fatal|caught|thrown|\bt\.plan\(/i;
const HANDLER = /^(\s*)(?:\}\s*)?(?:catch|except|rescue)\b/;

/** What says that no error came. */
const FAILED_WITHOUT =
  /\b(?:fail|flunk|unreachable|Fatalf?|FailNow)\b|\.assertions\(|hasAssertions|\bt\.plan\(|\bXCTFail\b/;
/** `error = caught` in a handler keeps the error for what is asked afterwards. */
const KEPT = /\b(?:catch|except|rescue)\b[^\n]*(?:\n[^\n]*)?\n?[^\n=]*?\b([A-Za-z_]\w*)\s*=\s*\w+/g;

/** Where an error was asked for and is looked at now only if it comes. */
export function onlyIfItFails(before: TestCase, after: TestCase): Assertion | undefined {
  if (!/\b(?:catch|except|rescue)\b/.test(after.bare) || FAILS.test(after.bare)) return undefined;
  const old = assertionsOf(before);
  const hasFailed = FAILED_WITHOUT.test(before.bare);
  if (!hasFailed && !old.some(({ text }) => RAISES.test(text)) && !isKept(before, old)) return undefined;
  const now = assertionsOf(after);
  if (now.some(({ text }) => RAISES.test(text))) return undefined;
  // What stood outside of a handler was always asked.
  const always = new Set(old.filter(one => !isHandled(before, one)).map(({ text }) => text));
  const known = new Set(old.map(({ text }) => text));
  // Where nothing says any more that no error came, the rest may be as it was.
  const asked = now.filter(one => hasFailed || !known.has(one.text) || (always.has(one.text) && isHandled(after, one)));
  return asked.length > 0 && asked.every(one => isHandled(after, one)) ? asked[0] : undefined;
}

/** Stands in a handler of errors. */
function isHandled({ code, bodyLine }: TestCase, { line }: Assertion): boolean {
  const lines = code.split('\n');
  const own = line - bodyLine;
  const indent = indentOf(lines[own] ?? '');
  for (let at = own - 1; at >= 0; at--) {
    const text = lines[at] ?? '';
    if (text.trim() === '' || indentOf(text) >= indent) continue;
    return HANDLER.test(text);
  }
  return false;
}

/** An assertion on what a handler kept: it fails where no error came. */
function isKept({ bare }: TestCase, old: readonly Assertion[]): boolean {
  const names = new Set(allMatches(bare, KEPT).map(match => match[1]));
  return names.size > 0 && old.some(({ subject }) => names.has(/[A-Za-z_]\w*/.exec(subject)?.[0]));
}
