/** How hard a test tries: generated cases, repetitions, workers, the ranges that values are drawn from. */
import type { TestCase } from './test-case.ts';

/** Numbers that say how often or by how many at once. */
const COUNTS =
  /\b(?:with_cases|cases|MaxCount|MaxTest|maxTest|EndSize|tries|iterations|minSuccessful|PROPTEST_CASES|QUICKCHECK_TESTS|max_examples|numRuns|num_tests|invocationCount|threadPoolSize|RepeatedTest|Repeat|repeat|checkAll|forAll|newFixedThreadPool|tests|invocations|threads|workers|goroutines|concurrency|parallelism|MaxDegreeOfParallelism|runs|rounds|attempts|times|N|count)\b["')]*\s*(?:[:=(<]|:=|=>)+\s*(\d[\d_]*)/g;
/** Something that runs a body so often. */
const MANY =
  /\b\w*(?:[pP]arallel|[cC]oncurrent|[rR]epeat|[sS]tress|[hH]ammer|[rR]ace|[sS]pawn|[wW]orkers?|[tT]imes)\w*\s*\(\s*(?:\w+\s*,\s*)?(\d[\d_]*)/g;
const SPAWNED = /\(0\.\.=?(\d[\d_]*)(?=\)\s*\.(?:map|for_each|into_par_iter)\b[^\n]*(?:spawn|thread|task))/g;
const LOOP = /\b(?:for|while|repeat)\b[^\n]*?(?:<=?|\.\.=?|until|range|\()\s*(\d[\d_]*)/g;

const number = (text = ''): number => Number(text.replaceAll('_', ''));

interface Fewer {
  readonly text: string;
  readonly from: number;
  readonly to: number;
}

/** A number that fell so far that nothing is tried any more. */
export function triesLess(before: string, after: string): Fewer | undefined {
  for (const pattern of [COUNTS, MANY, SPAWNED, LOOP]) {
    const was = before.match(pattern);
    if (was === null || was.join('\n') === after.match(pattern)?.join('\n')) continue;
    const old = numbersIn(before, pattern);
    for (const [key, { value: to, text }] of numbersIn(after, pattern)) {
      const from = old.get(key)?.value;
      if (from !== undefined && isTooFew(from, to)) return { text, from, to };
    }
  }
  return undefined;
}

/** Faster is fine; once is no longer the same test. */
const isTooFew = (from: number, to: number): boolean =>
  to < from && ((to <= 2 && from >= 5) || (to <= 5 && from >= 50));

function numbersIn(
  code: string,
  pattern: RegExp,
): ReadonlyMap<string, { readonly value: number; readonly text: string }> {
  const found = new Map<string, { readonly value: number; readonly text: string }>();
  for (const line of code.split('\n')) {
    pattern.lastIndex = 0;
    for (let match = pattern.exec(line); match; match = pattern.exec(line)) {
      const key = match[0].replace(/\d[\d_]*$/, '').replace(/\s+/g, '');
      if (!found.has(key)) found.set(key, { value: number(match[1]), text: line.trim() });
    }
  }
  return found;
}

/** Generators, and those that give one value only. */
const GENERATES =
  /\bany::<|\bany\(|\bArb\.|\barbitrary|\bprop::|\bGen\.|\bArbitraries\.|\brapid\.\w|\bgen\.\w|@ForAll|\bquick\.|\bArb<|\bin\s+[\w:"'-]+.*\.\.|f\.Add\(|\bproptest\b|\bArbitrary/;
const ONE_VALUE =
  /\bJust\(|\bArb\.(?:constant|of)\(|\bGen\.(?:const|Constant|Fresh)\w*\(|\bArbitraries\.(?:just|of)\(|\brapid\.Just\(|\bgen\.Const\(|\bExhaustive\.of|\bprop_oneof!\[Just|\bAlways\(/;
const RANGE =
  /(-?\d[\d_]*)\s*\.\.=?\s*(-?\d[\d_]*)|\b(?:\w*(?:Int|Integer|Long|Range|Choose|between|integers?|range)\w*)\s*\(\s*(?:min\s*=\s*)?(-?\d[\d_]*)\s*,\s*(?:max\s*=\s*)?(-?\d[\d_]*)/gi;

/** A line that draws values and draws hardly any now. */
export function drawsLess(
  before: Pick<TestCase, 'head' | 'code'>,
  after: Pick<TestCase, 'head' | 'code'>,
): string | undefined {
  const [old, now] = [`${before.head}\n${before.code}`, `${after.head}\n${after.code}`];
  if (old === now || !GENERATES.test(old)) return undefined;
  const had = new Set(old.split('\n').map(line => line.trim()));
  const fresh = now
    .split('\n')
    .map(line => line.trim())
    .filter(line => !had.has(line));
  if (!ONE_VALUE.test(old)) {
    const one = fresh.find(line => ONE_VALUE.test(line));
    if (one !== undefined) return one;
  }
  const [most, least] = [widest(old), fresh.find(line => widest(line) >= 0 && widest(line) <= 1)];
  if (most < 5 || least === undefined) return undefined;
  const ranges = (text: string) => [...text.matchAll(RANGE)].length;
  return ranges(now) <= ranges(old) && widest(now) <= Math.max(1, most / 10) ? least : undefined;
}

/** The width of the widest range; below 0 where there is none. */
function widest(text: string): number {
  let width = -1;
  for (const match of text.matchAll(RANGE))
    width = Math.max(width, Math.abs(number(match[2] ?? match[4]) - number(match[1] ?? match[3])));
  return width;
}
