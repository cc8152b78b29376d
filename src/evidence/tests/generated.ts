/** Properties that are checked with generated values: how many of them, and from how wide a range. */
import type { TestCase } from './test-case.ts';

const COUNTS = /\b(?:max_examples|numRuns|num_runs|examples|runs|iterations|maxSuccess|trials)\s*[:=]\s*([\d_]+)/;
const BOUNDS =
  /\b(min_value|max_value|min_size|max_size|min|max|minLength|maxLength)\s*[:=]\s*(-?[\d_.]+|(?:\w+\.)?datetime\([^)]*\)|date\([^)]*\))/g;
const FIXED = /\b(?:st\.)?(?:just|sampled_from|one_of\(\s*(?:st\.)?just)\(|\bfc\.constant(?:From)?\(/;
const NARROWS = /\.filter\(|\bassume\(\s*[^\n]*(?:==|\bin\b|===)|\bfc\.pre\(\s*[^\n]*===/g;
const DRIVEN = /@given\b|\bfc\.(?:assert|property|asyncProperty)\b|\bfor_all\b|\bproperty_of\b/;

/** Why fewer or easier values are tried than before, or nothing. */
export function fewerValues(before: TestCase, after: TestCase): string | undefined {
  if (!DRIVEN.test(before.code) && !DRIVEN.test(before.head)) return undefined;
  const [old, now] = [`${before.head}\n${before.code}`, `${after.head}\n${after.code}`];
  if (old === now) return undefined;
  if (!DRIVEN.test(now) && !/parametrize|\.each\b/.test(now)) return 'tries one value instead of many';
  const [many, few] = [old, now].map(text => Number((COUNTS.exec(text)?.[1] ?? '100').replaceAll('_', '')));
  if (many !== undefined && few !== undefined && few * 5 <= many) return `tries ${few} values instead of ${many}`;
  if (FIXED.test(now) && !FIXED.test(old)) return 'tries a few values of its own only';
  const count = (text: string) => text.match(NARROWS)?.length ?? 0;
  if (count(now) > count(old)) return 'leaves out values that it tried';
  const [wide, narrow] = [rangeOf(old), rangeOf(now)];
  return wide !== undefined && narrow !== undefined && narrow * 5 <= wide
    ? 'tries a smaller range of values'
    : undefined;
}

/** From the least to the greatest, in whatever it is counted; dates in days. */
function rangeOf(text: string): number | undefined {
  let [least, most]: (number | undefined)[] = [];
  for (const [, name = '', value = ''] of text.matchAll(BOUNDS)) {
    const bound = valueOf(value);
    if (name.startsWith('min')) least ??= bound;
    else most ??= bound;
  }
  return least === undefined || most === undefined ? undefined : most - least;
}

function valueOf(value: string): number {
  const parts = (value.match(/\d+/g) ?? []).map(Number);
  if (!value.includes('(')) return Number(value.replaceAll('_', ''));
  const [year = 0, month = 1, day = 1, hour = 0] = parts;
  return year * 365 + month * 30 + day + hour / 24;
}
