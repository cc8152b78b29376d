/** Assertions that are made only where there is something to make them about. */
import { allMatches } from '../matches.ts';
import { assertionsOf } from './assertions.ts';
import { closing } from './brackets.ts';
import { hasAssertion } from './swallows.ts';
import type { TestCase } from './test-case.ts';

/** Each ends in the bracket that its body stands in. */
const ONLY_IF =
  /\bif\s+let\s+(?:Ok|Some|Err)\([^{;]*\{|\bif\s*\(?\s*err\w*\s*==\s*nil\s*\)?\s*\{|\.(?:ifPresent|onSuccess|ifSuccess|onFailure|ifLeft|ifRight|peek|IfSome|IfSuccess)\s*[({]|\?\.(?:let|also|run|apply)\s*\{|\bif\s*\([^(){}]*(?:\([^()]*\)[^(){}]*)*\b(?:is|instanceof)\s+(?!null\b)[\w.<>{} ]+\)\s*\{|\bif\s*\([^(){}]*(?:!=\s*null|is not null|\.isPresent\(\)|\.HasValue|isset\(\$[\w>-]+\))\s*\)\s*\{/g;
/** The other branch says nothing. */
const QUIET_ARM =
  /\b(?:Err|None|Some|Ok)\b(?:\([^()]*\))?\s*=>\s*(?:\{\s*(?:return;?\s*)?\}|\(\)|return\b)|(?<![\w.])_\s*=>\s*(?:\{\s*\}|\(\)|return\b)/;

export const mayBeOnlyIfThere = (bare: string): boolean => bare.search(ONLY_IF) >= 0 || QUIET_ARM.test(bare);

/** Where the first of them stands; nothing where as much as before is asked in any case. */
export function onlyIfThere(before: TestCase, after: TestCase): number | undefined {
  if (!mayBeOnlyIfThere(after.bare)) return undefined;
  const had = guardedIn(before);
  const now = guardedIn(after);
  const [first] = now.spans;
  if (!first || now.spans.length <= had.spans.length) return undefined;
  return now.always < had.always && now.always + now.inside <= had.always + had.inside ? first : undefined;
}

function guardedIn(test: TestCase): {
  readonly spans: readonly number[];
  readonly always: number;
  readonly inside: number;
} {
  const { bare, code } = test;
  const spans: number[] = [];
  let inside = 0;
  let past = -1;
  for (const match of allMatches(bare, ONLY_IF)) {
    if (match.index < past) continue;
    const open = match.index + match[0].length - 1;
    const close = closing(bare, open);
    if (/^\s*\}?\s*else\b/.test(bare.slice(close + 1, close + 30)) || !hasAssertion(test, open + 1, close)) continue;
    past = close;
    spans.push(match.index);
    inside += assertionsOf({
      code: code.slice(open + 1, close),
      bare: bare.slice(open + 1, close),
      bodyLine: 1,
      head: '',
    }).length;
  }
  const arm = /\bmatch\s[^{;]*\{/.exec(bare);
  if (arm) {
    const open = arm.index + arm[0].length - 1;
    const body = bare.slice(open, closing(bare, open));
    if (QUIET_ARM.test(body) && hasAssertion(test, open + 1, open + body.length)) {
      spans.push(arm.index);
      inside += 1;
    }
  }
  return { spans, always: assertionsOf(test).length - inside, inside };
}
