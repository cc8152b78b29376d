/** Lists that are compared as a whole: their size and each of their rows need not be asked for any more. */
import { allMatches } from '../matches.ts';
import { literalsOf } from './assertion-text.ts';
import { closing, partsOf } from './brackets.ts';
import type { Assertion } from './test-case.ts';

interface Whole {
  /** The list: `orders` in `expect(orders).toEqual([…])`. */
  readonly name: string;
  /** What is taken of each row, where it is not all of it. */
  readonly fields: string | undefined;
  readonly rows: readonly string[];
}

/** Nothing but one list passes. */
const EQUAL =
  /={2,3}|assert_eq!|[eE]quals?\w*\(|[iI]s[eE]qualTo\(|containsExactly\w*\(|DeepEqual|cmp\.(?:Diff|Equal)|slices\.Equal|\b(?:eq|eql|contain_exactly|match_array|assert_equal|must_equal)\b|ElementsMatch|shouldBe\b|assertCountEqual/;
const LIST =
  /(?:\bvec!|&|%[wi])?\[(?!\]|\s*\.\.)|\b(?:List\.of|Arrays\.asList|listOf|containsExactly(?:InAnyOrder)?|contain_exactly|Arrays\.array)\(|\[\]\*?[\w.]+\{|\bnew \w+\[\]\s*\{/g;
/** One thing taken of each row. */
const TAKEN =
  /^(.+?)\.(?:map|pluck|collect|stream\(\)\.map|extracting|iter\(\)\.map)\((.+)\)(?:\.(?:toList|to_a|collect(?:::<[^>]*>)?)\([^()]*\))?$|^\[(.+?)\s?\bfor \w+ in ([\w.()]+)\]$|^(.+)\.(?:map|collect)(?:\((&:\w+)\)|\{.*\})$/;
const KEPT =
  /\.(?:slice|clone|to_vec|to_a|as_slice|iter|into_iter|toArray)\(\)$|^(?:list|Array\.from|structuredClone)\((.*)\)$/;

/** Nobody reads a longer one, and the patterns above try many places. */
const LONG = 4000;

const blank = (text: string): string =>
  text.replace(/'(?:\\.|[^'\\])*'/g, found => `'${'_'.repeat(Math.max(0, found.length - 2))}'`);

/** The rows of the first list in this text. */
function rowsIn(text: string): readonly string[] | undefined {
  const bare = blank(text);
  const list = allMatches(bare, LIST).at(0);
  if (!list) return undefined;
  const open = list.index + list[0].length - 1;
  if (list[0].startsWith('%')) return text.slice(open + 1, closing(bare, open)).match(/\S+/g) ?? [];
  // What is spread into it is not known.
  const rows = partsOf(bare, open).map(([from, to]) => text.slice(from, to).trim());
  return rows.some(row => /^(?:\.\.\.|\*)|\bfor\b.*\bin\b|;/.test(row)) ? undefined : rows;
}

/** What a name of the test was set to, on one line and in one kind of quotes. */
function valueOf(name: string, code: string): string | undefined {
  if (!/^[A-Za-z_]\w*$/.test(name)) return undefined;
  const at = code.search(new RegExp(`\\b${name}\\b(?:\\s*:[^=\\n]+)?\\s*:?=(?![=>])`));
  if (at < 0) return undefined;
  const flat = code.slice(code.indexOf('=', at) + 1, at + 4000).replace(/["`]/g, "'");
  return flat
    .replace(/\s+/g, ' ')
    .replace(/ ?([()[\]{},]) ?/g, '$1')
    .trim();
}

function wholeOf({ text, subject, strength }: Assertion, code: string): Whole | undefined {
  if (text.length > LONG || (strength < 5 && !/cmp\.Diff/.test(text))) return undefined;
  if (!EQUAL.test(text) || /[!=]=.*(?:&&|\|\|| and | or )|\bnot?\b.*[eE]qual|!==? ?\[/.test(blank(text)))
    return undefined;
  const compared = comparedBy(text, code) ?? [subject, text.replace(subject, ' ')];
  const [own, other] = compared;
  const rows = LIST_BEGINS.test(other) || own === subject ? rowsIn(other) : undefined;
  const known = rows ?? rowsIn(valueAfter(other, code) ?? '');
  if (!known) return undefined;
  const [, list, taken, each, from, words, word] = TAKEN.exec(own) ?? [];
  const name = list ?? from ?? words ?? own.replace(KEPT, '$1');
  return { name, fields: taken ?? each ?? word, rows: known };
}

const LIST_BEGINS = /^\s*(?:vec!|&|%[wi])?\[|^\s*(?:List\.of|Arrays\.asList|listOf)\(|^\s*\[\]/;

/** Go compares in a condition, and either may come first. */
function comparedBy(text: string, code: string): readonly [string, string] | undefined {
  const call = /(?:DeepEqual|cmp\.(?:Diff|Equal)|slices\.Equal|maps\.Equal)\(/.exec(text);
  const diff = call ? undefined : /^if (\w+) != ''/.exec(text)?.[1];
  const said = diff === undefined ? text : (valueOf(diff, code) ?? '');
  const start = /(?:DeepEqual|cmp\.(?:Diff|Equal)|slices\.Equal|maps\.Equal)\(/.exec(said);
  if (!start) return undefined;
  const bare = blank(said);
  const [a = '', b = ''] = partsOf(bare, start.index + start[0].length - 1).map(([from, to]) =>
    said.slice(from, to).trim(),
  );
  const isGiven = (part: string) => LIST_BEGINS.test(part) || LIST_BEGINS.test(valueOf(part, code) ?? '');
  return isGiven(b) ? [a, b] : [b, a];
}

/** The value of the one name that stands where the list would. */
function valueAfter(other: string, code: string): string | undefined {
  const values = (other.match(/(?<![\w.'])[A-Za-z_]\w*(?![\w(.'!])/g) ?? []).map(name => valueOf(name, code));
  return values.find(value => value !== undefined && LIST_BEGINS.test(value));
}

const SIZED = /^(.+?)\.(?:length|size|count|len)(?:\(\))?$|^(?:len|count)\((.+)\)$/;
const ASKS_SIZE = /\b(?:toHaveLength|hasSize|Len|have\.length|lengthOf|assertCount|HaveCount|shouldHaveSize)\b/;
/** One row: `orders[0]`, `orders.get(0)`, `orders.first`, with what is taken of it. */
const ROW =
  /^(.+?)(?:\[(-?\d+)\]|\.(?:get|at|nth|elementAt)\((-?\d+)\)|\.(first|last|getFirst|getLast)\b(?:\(\))?)\??!?((?:\.\w+(?:\(\))?|\['\w+'\])*)$/;

/** What was asked of a list or of a row of it, and the whole list is asked for now with the same in it. */
export function isInWhole(old: Assertion, wholes: readonly Whole[]): boolean {
  if (wholes.length === 0 || old.text.length > LONG) return false;
  const sized = SIZED.exec(old.subject);
  const list = sized?.[1] ?? sized?.[2] ?? (ASKS_SIZE.test(old.text) ? old.subject : undefined);
  if (list !== undefined) {
    const size = old.literals.at(-1);
    const numbers = old.literals.filter(literal => /^\d+$/.test(literal));
    return wholes.some(
      ({ name, rows }) =>
        name === list && (numbers.includes(String(rows.length)) || (size === undefined && rows.length > 0)),
    );
  }
  const row = ROW.exec(old.subject);
  if (!row || old.strength < 3) return false;
  const [, name, index, got, end, field = ''] = row;
  const given = end === undefined ? Number(index ?? got) : end.endsWith('irst') ? 0 : -1;
  const values = [...old.literals];
  const place = values.indexOf(String(Math.abs(given)));
  if (end === undefined && place >= 0) values.splice(place, 1);
  return (
    values.length > 0 &&
    wholes.some(whole => {
      if (whole.name !== name) return false;
      const word = /\w+/.exec(field)?.[0];
      if (whole.fields !== undefined && (word === undefined || !new RegExp(`\\b${word}\\b`).test(whole.fields)))
        return false;
      const own = whole.rows.at(given);
      if (own === undefined) return false;
      const known = literalsOf(own);
      const isKnown = (value: string) =>
        own === value || known.some(other => (old.strength < 5 ? other.includes(value) : other === value));
      return values.every(isKnown);
    })
  );
}

const EMPTY_FIELD = /^([\w.]+)\.(\w+)\.(?:is_empty|isEmpty)\(\)$|^([\w.]+)\.(\w+)$/;
const ASKS_EMPTY = /is_empty\(\)|isEmpty\(\)|\bbe_empty\b|assert_empty|\bEmpty\(|toEqual\(\[\]\)|toHaveLength\(0\)/;

/** A field that was asked to be empty, and the whole is asked for now with nothing in that field. */
export function isEmptyInWhole({ text, subject }: Assertion, now: readonly Assertion[]): boolean {
  if (!ASKS_EMPTY.test(text) || /!\w|\bnot|Not/.test(text)) return false;
  const [, of, inner, object = of, field = inner] = EMPTY_FIELD.exec(subject) ?? [];
  if (object === undefined || field === undefined) return false;
  const empty = new RegExp(
    `\\b${field}'?(?::| ?=>|=) ?(?:vec!\\[\\]|\\[\\]|\\{\\}|''|Vec::new\\(\\)|List\\.of\\(\\)|nil\\b)`,
  );
  return now.some(
    other => other.strength === 5 && other.subject === object && EQUAL.test(other.text) && empty.test(other.text),
  );
}

/** Lists that these assertions compare as a whole. */
export const wholeLists = (now: readonly Assertion[], code: string): readonly Whole[] =>
  now.flatMap(assertion => wholeOf(assertion, code) ?? []);

// Fields of a thing that is compared as a whole.

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
