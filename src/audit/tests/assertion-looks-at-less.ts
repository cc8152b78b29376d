/** What a changed assertion no longer looks at: arguments, order, values behind a count, how near a number is. */

import { linksOf, NARROWS } from './chains.ts';
import { sidesOf } from './tautology.ts';
import type { Assertion } from './test-case.ts';

/** Stands for any value. */
const ANYTHING =
  /\bIt\.IsAny<|WithAnyArgs\b|\bArg\.(?:Any<|Is<[^>]*>\(\s*_\s*=>\s*true)|\bA<[^>]*>\.(?:_|Ignored)|\b(?:any|anyString|anyInt|anyLong|anyList|anyMap|anyBoolean|anyDouble|isA|notNull)\(|\bexpect\.(?:anything|any)\(|\bmock\.ANY\b|(?<![\w.])ANY\b|\bsinon\.match\.(?:any|string|number|object|func|array)|\banything\b|\ban_instance_of\(|\bany_args\b|\bkind_of\(|->anything\(\)|\bmock\.Anything\b|\bgomock\.Any\(|\bmatch\.any\b|(?<=[(,] ?)_(?=[,)])/g;

const UNORDERED =
  /(?<![.\w])sorted\(|\.sort(?:ed|By|_by|With)?\b|\.toSorted\(|\b(?:frozen)?set\(|\bnew Set\(|\bSet\.of\(|HashSet|\.to_set\b|\.toSet\(|ElementsMatch|assertCountEqual|assertItemsEqual|InAnyOrder|\bmatch_array\b|\bcontain_exactly\b|\.members\(|BeEquivalentTo\(|Canonicalizing\(|AreEquivalent\(|\.Equivalent\(|containsOnly\(|EquivalentTo\(|ConsistOf\(|SortSlices\(|IgnoringCollectionOrder\w*\(|WithoutStrictOrdering|IgnoreOrder|assertUnordered|arrayContaining\(|\bsort\.\w+\(|slices\.Sort/g;
const STRICT = /StrictOrdering|\.ordered\b|include\.ordered/;
const SIZE =
  /\.toHaveLength\(|\.toHaveCount\(|\bHaveCount\(|\bhasSize\(|\bhasLength\(|\bassert(?:Database)?Count\(|\bhave_length\b|\blengthOf\(|\.have\.(?:a\.)?length|\bLen\(|\bshouldHaveSize\b|\bassert_len/;
const SIZE_OF = /^(?:len|count|sizeof)\(.*\)$|\.(?:length|size|count|len|Count)(?:\(\))?$/;

/** Words of a title that speak of an order. */
const ABOUT_ORDER =
  /\b(?:sort(?:s|ed|ing)?|order(?:s|ed|ing)?|first|last|newest|oldest|latest|earliest|asc|desc|ascending|descending|rank(?:s|ed|ing)?|priorit\w*|sequence|sequential\w*|fifo|lifo|chronolog\w*|alphabet\w*|insertion|stable|revers\w*|top)\b/i;

const count = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;

/** Why `now` asks for less than `old` although it names the same thing, or nothing. */
export function givesAway(old: Assertion, now: Assertion, title: string): string | undefined {
  const lost = old.literals.filter(literal => !now.literals.includes(literal));
  const won = now.literals.filter(literal => !old.literals.includes(literal));
  const [from, to] = [plain(old.text), plain(now.text)];
  const gone = lost.length > 0 || (old.literals.length === 0 && lostArguments(from, to));
  if (gone && won.length === 0 && count(to, ANYTHING) > count(from, ANYTHING))
    return 'accepts anything where it asked for something, which is less';
  if (
    lost.length > 1 &&
    now.literals.length === 0 &&
    /\w\(\)$/.test(now.text) &&
    old.strength >= 4 &&
    !EMPTY.test(now.text)
  )
    return 'asks for less';
  if (hasFewerArguments(old.text, now.text)) return 'asks for less';
  if (bringsItsAnswer(old, now)) return 'brings the answer with it, which is less';
  if (lost.length > 0 && looksAtPart(old.subject, now.subject)) return 'looks at a part only, which is less';
  const unordered = (text: string) => (STRICT.test(text) ? 0 : count(text, UNORDERED));
  if (old.strength === 5 && unordered(to) > unordered(from) && ABOUT_ORDER.test(spaced(`${title} ${old.subject}`)))
    return 'no longer looks at the order, which is less';
  if (comparesSizes(old.text, now.text)) return 'asks only for a size, which is less';
  const size = ({ text, subject }: Assertion) => SIZE.test(plain(text)) || SIZE_OF.test(subject);
  if (old.strength >= (lost.length > 1 ? 4 : 5) && size(now) && !size(old) && lost.length > 0 && !/\b0\b|mpty/.test(to))
    return 'asks only for a size, which is less';
  if (old.strength >= 4 && now.strength <= old.strength && won.length === 0 && narrowsLess(old.text, now.text))
    return 'asks for less';
  if (old.strength >= 4 && !Number.isNaN(toleranceOf(to)) && !(toleranceOf(to) <= toleranceOf(from) * 10) && isWide(to))
    return 'allows a wide range, which is less';
  return undefined;
}

const SIZED = /\b(?:len|count)\(|\.(?:size|length|len|count|Count|Length)\b/;

/** `got.size shouldBe want.size` where it was `got` and `want`. */
function comparesSizes(old: string, now: string): boolean {
  if (!SIZED.test(now)) return false;
  const [was, is] = [sidesOf(old), sidesOf(now)];
  if (!was || !is) return false;
  const whole = (side: string) =>
    side
      .replace(/^len\((.*)\)$|^count\((.*)\)$/, '$1$2')
      .replace(/\.(?:size|length|len|count|Count|Length)(?:\(\))?$/, '');
  return (
    is.every(side => whole(side) !== side) &&
    was.every(side => whole(side) === side) &&
    is.some(side => was.includes(whole(side)))
  );
}

const plain = (text: string): string => text.replace(/'(?:\\.|[^'\\])*'/g, "''").replace(/(?<=\d)_(?=\d)/g, '');

const spaced = (title: string): string => title.replace(/(?<=[a-z])(?=[A-Z])|_/g, ' ');

const EMPTY = /mpty\(\)$|[nN]ull\(\)$|Undefined\(\)$|Snapshot\(\)$/;

/** The same call without the last argument, which was no message and no number. */
function hasFewerArguments(old: string, now: string): boolean {
  if (!now.endsWith(')') || old.length <= now.length) return false;
  const rest = old.startsWith(`${now.slice(0, -1)},`) ? old.slice(now.length, -1).trim() : '';
  return (
    rest !== '' &&
    !/^(?:'|\d|f'|`|(?:abs|rel|places|delta|atol|rtol|abs_tol|rel_tol)=|status_code=(?:200|302)$)/.test(rest)
  );
}

/** `headers.get('accept', 'json')` is json, whatever the headers are. */
function bringsItsAnswer(old: Assertion, now: Assertion): boolean {
  if (!FALLS_BACK.test(now.subject) || FALLS_BACK.test(old.subject)) return false;
  const fallback = FALLS_BACK.exec(now.subject)?.[1] ?? '';
  return old.literals.includes(fallback.replace(/^'|'$/g, ''));
}

const FALLS_BACK =
  /(?:(?:\|\||\?\?|\?:|\bor\b) ?|\b(?:get|getOrDefault|get_or_default|fetch|getattr|getOrElse|getProperty|coalesce)\([^()]*, ?|\b(?:unwrap_or|or_else|orElse|valueOr|value_or|getOrElse)\( ?)('(?:\\.|[^'\\])*'|-?\d[\d.]*)/;

/** The first few of a list, or the names of an object's fields. */
function looksAtPart(old: string, now: string): boolean {
  if (/^(?:Object\.keys|list|sorted|set|keys)\(/.test(now) && now.includes(`(${old}`)) return /keys/.test(now);
  if (!now.startsWith(old)) return false;
  return /^(?:\.(?:slice|take|first|head|limit|last|keys|at)\b|\[\d*:|\[-?\d+\]$)/.test(now.slice(old.length));
}

/** Something besides the wildcards stood in the brackets before. */
function lostArguments(from: string, to: string): boolean {
  const names = (text: string): readonly string[] => text.replace(ANYTHING, ' ').match(/''|\d+|[A-Za-z_]\w*/g) ?? [];
  const left = names(to);
  return names(from).length > left.length || names(from).some(name => !left.includes(name));
}

/** The same chain without some of the links that narrow it. */
function narrowsLess(from: string, to: string): boolean {
  const [old, now] = [linksOf(from), linksOf(to)];
  if (now.length >= old.length || !now.every(link => old.includes(link))) return false;
  return old.some(link => !now.includes(link) && NARROWS.test(link));
}

/** Bounds that say how far off a number may be; the group is how far. */
const TOLERANCES: readonly RegExp[] = [
  /\bbe_within\((-?[\d.e-]+)/,
  /\b(?:abs|atol|delta|abs_tol|tolerance|epsilon)\s*[:=]\s*([\d.e-]+)/i,
  /InDelta\(.*,\s*([\d.e-]+)[),]/,
  /assert_in_delta[( ].*,\s*([\d.e-]+)\)?$/,
  /(?:\.closeTo|approximately|BeApproximately|isCloseTo)\(.*?,\s*(?:within(?:Percentage)?\(|withPercentage\(|Percentage\.withPercentage\(|offset\(|Offset\.offset\()?([\d.e-]+)/,
  /[aA]bs\(.*<=?\s*([\d.e-]+)/,
  /\brel(?:_tol)?\s*[:=]\s*([\d.e-]+)/,
  /\b(?:Within|plusOrMinus|EqualsWithDelta|EquateApprox)\(?(?:[^()]*,)?\s*(\d[\d.e-]*)/,
  /BeNumerically\('',[^,]*,\s*([\d.e-]+)/,
  /(?<!to)BeCloseTo\([^,]*,\s*([\d.e-]+)/,
];

/** One word of each of them, and of those below. */
const MAY_BE_OFF = /within|abs|atol|delta|tolerance|epsilon|closeTo|approx|\brel|plusOrMinus|BeNumerically|places/i;

/** How far off it may be; not a number where it has to be exact. */
function toleranceOf(text: string): number {
  if (!MAY_BE_OFF.test(text)) return Number.NaN;
  const digits = /toBeCloseTo\([^,()]*(?:\([^()]*\)[^,()]*)*(?:,\s*(-?\d+))?\)/.exec(text);
  if (digits) return 0.5 * 10 ** -Number(digits[1] ?? 2);
  const places = /\bplaces\s*=\s*(\d+)/.exec(text)?.[1];
  if (places !== undefined) return 0.5 * 10 ** -Number(places);
  for (const pattern of TOLERANCES) {
    const found = pattern.exec(text)?.[1];
    if (found !== undefined) return Number(found);
  }
  return Number.NaN;
}

/** A hundredth of the value is no longer a matter of rounding; nor is half of one where the value is not known. */
function isWide(text: string): boolean {
  const share = /\brel(?:_tol)?\s*=\s*([\d.e-]+)/.exec(text)?.[1];
  if (share !== undefined) return Number(share) > 0.01;
  const percent = /\bwith(?:in)?Percentage\(([\d.]+)/.exec(text)?.[1];
  if (percent !== undefined) return Number(percent) > 1;
  if (/be_within\([\d.]+\.(?:milli)?seconds?\)/.test(text)) return false;
  const delta = toleranceOf(text);
  const others = (text.match(/(?<![\w.])\d+(?:\.\d+)?(?:e-?\d+)?/g) ?? []).map(Number).filter(value => value !== delta);
  const value = Math.max(0, ...others);
  return value > 0 && value > delta ? delta / value > 0.01 : delta >= 0.5;
}
