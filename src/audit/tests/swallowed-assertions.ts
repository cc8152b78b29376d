/** Ways to ignore a failing assertion other than a `try` with braces. */

import { assertionsOf } from './assertions.ts';
import { closing } from './brackets.ts';
import type { TestCase } from './test-case.ts';

export function hasAssertion(test: TestCase, from: number, to: number): boolean {
  return (
    assertionsOf({ code: test.code.slice(from, to), bare: test.bare.slice(from, to), bodyLine: 1, head: '' }).length > 0
  );
}

const EXCEPT =
  /^([ \t]*)except(?:\s+\(?(?:[\w.]*(?:Exception|AssertionError|Error)\b[\s,]*)+\)?(?:\s+as\s+\w+)?)?\s*:[ \t]*(.*)$/gm;
const SAYS_LITTLE =
  /^(?:pass|continue|return(?:\s+None)?|(?:pytest\.(?:skip|xfail)|self\.skipTest)\(.*|raise\s+(?:unittest\.)?SkipTest.*|\.\.\.|(?:print|warnings\.warn|time\.sleep|sleep)\(.*|(?:\w+\.)*log\w*\..*|last_\w+\s*=\s*\w+)$/i;

/** Python: an `except` after an assertion that ignores its failure. */
export function exceptedAt(test: TestCase): number | undefined {
  const { bare } = test;
  if (!bare.includes('except')) return undefined;
  for (const match of bare.matchAll(EXCEPT)) {
    const indent = match[1] ?? '';
    const inline = (match[2] ?? '').trim();
    const body = inline === '' ? deeper(bare, match.index + match[0].length + 1, indent.length) : [inline];
    if (body.length === 0 || !body.every(line => SAYS_LITTLE.test(line))) continue;
    const tried = bare.slice(0, match.index).lastIndexOf(`\n${indent}try:`);
    const from = tried >= 0 ? tried : bare.startsWith(`${indent}try:`) ? 0 : undefined;
    if (from !== undefined && hasAssertion(test, from, match.index)) return match.index;
  }
  return undefined;
}

/** The following lines that are indented deeper. */
function deeper(bare: string, from: number, indent: number): readonly string[] {
  const body: string[] = [];
  for (const line of bare.slice(from).split('\n')) {
    if (line.trim() === '') continue;
    if (line.length - line.trimStart().length <= indent) break;
    body.push(line.trim());
  }
  return body;
}

const RESCUE = /^([ \t]*)rescue\b[ \t]*([\w:, \t]*?)(?:[ \t]*=>[ \t]*(\w+))?[ \t]*$/gm;
/** Exception classes that include a failing assertion. */
const TAKES = /^$|\b(?:StandardError|Exception|Minitest::Assertion|Test::Unit::\w+|ExpectationNotMetError|RSpec::\S+)/;
const TALK =
  /^(?:nil|true|false|next|(?:skip|pending)\b.*|return(?:\s+(?:nil|true))?|(?:puts|pp?|warn|print|logger|Rails\.logger|\$std\w+|[\w.]*log\w*)\b.*)$/;

/** Ruby: a `rescue` after an assertion that only logs the failure, or one at the end of the assertion's own line. */
export function rescuedAt(test: TestCase): number | undefined {
  const { bare } = test;
  if (!bare.includes('rescue')) return undefined;
  for (const match of bare.matchAll(RESCUE)) {
    if (!TAKES.test((match[2] ?? '').trim())) continue;
    const body = deeper(bare, match.index + match[0].length + 1, (match[1] ?? '').length);
    if (body.every(line => TALK.test(line)) && hasAssertion(test, 0, match.index)) return match.index;
  }
  for (const match of bare.matchAll(
    /^.*\)\s+rescue\s+(?:nil|true|false)\s*$|^.*\S\s+rescue\s+(?:nil|true|false)\s*$/gm,
  )) {
    if (hasAssertion(test, match.index, match.index + match[0].indexOf('rescue'))) return match.index;
  }
  return undefined;
}

const CATCHING =
  /(^|[^\n]*?)\b(?:(?:\w+\.)?runCatching|(?:scala\.util\.)?Try|Record\.Exception(?:Async)?|Assert\.Catch|allSettled)\s*([({])/gm;
const HANDED_ON = /^\s*\)?\s*(?:\?\.|\.)(?:getOrThrow|get\b|exceptionOrNull|isSuccess|isFailure|should|Should)/;

/** Kotlin, Scala, C#: a catching call whose result is never used. */
export function forgottenAt(test: TestCase): number | undefined {
  const { bare } = test;
  for (const match of bare.matchAll(CATCHING)) {
    const open = match.index + match[0].length - 1;
    const close = closing(bare, open);
    if (/=\s*(?:await\s+)?$|\breturn\b|[(,]\s*$/.test(match[1] ?? '') || HANDED_ON.test(bare.slice(close + 1)))
      continue;
    if (hasAssertion(test, open + 1, close)) return match.index;
  }
  // A `return` in a `finally` drops the exception.
  const last = /\bfinally\s*\{[^{}]*\breturn\b|^([ \t]*)finally:[ \t]*\n\1[ \t]+return\b/m.exec(bare);
  return last && hasAssertion(test, 0, last.index) ? last.index : undefined;
}

/** A cheap test: without one of these words nothing is caught. */
export const CATCHES =
  /try|except|suppress|rescue|[cC]atch|err != nil|recover|Try\b|Record\.Exception|finally|allSettled/;
