/** Assertions that hold whatever the code does. */
import type { Language } from '../language.ts';
import { closing, partsOf } from './brackets.ts';

const CONSTANT =
  /^(?:true|false|True|False|null|None|nil|undefined|-?\d[\d_.]*|'(?:\\.|[^'\\])*'|:\w+|\[\]|\{\}|\[(?:\s*-?\d+\s*,?)*\]|Some\(\d+\)|Ok\(\(\)\))$/;
const TRUE = /^(?:true|True|1|!0|!false|not False|!!1|'[^']+'|\[\d.*\]|TRUE)$/;
const FALSE = /^(?:false|False|0|!1|!true|not True|null|None|nil|''|FALSE)$/;
const EQUALS =
  /^(?:toBe|toEqual|toStrictEqual|equal|equals|eql?|deepEqual|deepStrictEqual|strictEqual|be|isEqualTo|isSameAs|assertEquals?|assertSame|assertIs|assert_?eq|assert_equal|assert_same|AreEqual|AreSame|Equal|Exactly|Same|is|same|shouldBe|ShouldEqual|EXPECT_EQ|ASSERT_EQ|XCTAssertEqual|debug_assert_eq|must_equal|assertListEqual|assertDictEqual|isEqual|should_equal|EqualValues|strictSame)$/;
const IS_TRUE =
  /^(?:toBeTruthy|ok|isTrue|isOk|be_truthy|assertTrue|assert|assert_true|True|truthy|true|IsTrue|toBeDefined|isNotNull|assertNotNull|assertIsNotNone|NotNil|be_present|EXPECT_TRUE|ASSERT_TRUE|XCTAssert|XCTAssertTrue|debug_assert|BeTrue|REQUIRE|CHECK|prop_assert|refute_nil|assert_not_nil|notNull|isDefined|exists)$/;
const IS_FALSE =
  /^(?:toBeFalsy|isFalse|be_falsy|be_falsey|assertFalse|assert_false|False|falsy|false|IsFalse|refute|notOk|EXPECT_FALSE|XCTAssertFalse|BeFalse)$/;

const REFLEXIVE = /reflex|equal|identity|itself|self|same|nan|hash|symmetr|compar|clone|copy/i;

export interface Context {
  /** The name of the test that contains it. */
  readonly name: string;
  readonly language: Language;
}

/** The result of a call, which is neither constant nor equal to its expected value. */
const OF_CALL = /^(?:expect\(|assert )(?!(?:isinstance|Some|Ok|len|not|matches)\b)[A-Za-z_$][\w$.]*\(/;
/** Forms that may still always hold. */
const MAY_HOLD = /\|\||\bor\b|\bis\b|>=|east|OrEqual|gte|\b(?:Or|either|SatisfyAny|anyOf|AnyOf)\b/;

/** A cheap test that it is no tautology, whatever the names in it mean. */
export const isOpenQuestion = (text: string): boolean => OF_CALL.test(text) && !MAY_HOLD.test(text);

/** Why this assertion (in its normal form) can never fail, or undefined. */
export function tautology(text: string, { name, language }: Context): string | undefined {
  // A string with interpolation is not a constant.
  if (/\$\{|#\{|\bf'|\.not\.|\bnot_to\b|\bto_not\b/.test(text)) return undefined;
  if (
    language === 'python' &&
    text.startsWith('assert(') &&
    /^assert\(.*[=<>].*,'.*'\)$/.test(text) &&
    split(text, 6).length === 2 &&
    closing(blank(text), 6) === text.length - 1
  )
    return 'is a tuple, which is always true';
  const asked = read(text);
  if (!asked) return undefined;
  const { matcher, parts } = asked;
  const [a = '', b] = parts;
  const reflexive = REFLEXIVE.test(name);
  const asksTruth = IS_TRUE.test(matcher) || (b !== undefined && EQUALS.test(matcher) && TRUE.test(b));
  if (asksTruth && alwaysTrue(a, reflexive)) return 'is always true';
  if (IS_FALSE.test(matcher) && FALSE.test(a)) return 'is always true';
  if (EQUALS.test(matcher) && b !== undefined) {
    if (CONSTANT.test(a) && a === b) return 'compares a constant with itself';
    // Calling twice and comparing the results is a legitimate test.
    const plain = /^[\w.$[\]'@]+$/.test(a);
    if (a === b && plain && !reflexive) return 'compares a value with itself';
  }
  if (
    /^(?:toBeGreaterThanOrEqual|GreaterOrEqual|assertGreaterEqual|least|gte|isAtLeast|isGreaterThanOrEqualTo)$/.test(
      matcher,
    ) &&
    b === '0' &&
    isLength(a)
  ) {
    return 'asks a length to be at least 0';
  }
  return undefined;
}

const isLength = (code: string): boolean => /\.(?:length|size|count|len)(?:\(\))?$|^len\(/.test(code);

function alwaysTrue(code: string, reflexive: boolean): boolean {
  if (TRUE.test(code)) return true;
  const flat = code.replace(/\s+/g, ' ');
  if (/(?:\|\||\bor\b) ?(?:true|True|!0|1)$|^(?:true|True|!0) ?(?:\|\||\bor\b)/.test(flat)) return true;
  const sides = /^(.+?) ?(?:===?|\bis\b(?! not)) ?(.+)$/.exec(flat);
  if (!reflexive && sides && sides[1] === sides[2] && /^[\w.$'[\]-]+$/.test(sides[1] ?? '')) return true;
  if (/^(?:len\(.*\)|.*\.(?:length|size|count|len)(?:\(\))?) ?>= ?0$/.test(flat)) return true;
  if (/^matches!\(.*,_\)$/.test(flat)) return true;
  if (/^(.+)\.is_ok\(\) ?\|\| ?\1\.is_err\(\)$|^(.+)\.is_some\(\) ?\|\| ?\2\.is_none\(\)$/.test(flat)) return true;
  return /^isinstance\(.*,object\)$/.test(flat);
}

interface Asked {
  readonly matcher: string;
  readonly parts: readonly string[];
}

/** The two sides that an assertion (in its normal form) requires to be equal. */
export function sidesOf(text: string): readonly [string, string] | undefined {
  if (/\.not\.|\bnot_to\b|\bto_not\b/.test(text)) return undefined;
  const condition =
    /^if (?:.*; ?)?!?(?:reflect\.DeepEqual|cmp\.Equal|slices\.Equal|maps\.Equal|bytes\.Equal)\((.+?),([^,]+)\) ?(?:t|tb)\./.exec(
      text,
    );
  const unequal = condition ?? /^if (?:.*; ?)?(.+?) != (.+?)(?: |(?<=\)) ?)(?:t|tb)\.(?:Error|Fatal|Fail)/.exec(text);
  if (unequal) return [unequal[1] ?? '', unequal[2] ?? ''];
  const asked = read(text);
  if (!asked) return undefined;
  const [a = '', b] = asked.parts;
  if (b !== undefined) return EQUALS.test(asked.matcher) ? [a, b] : undefined;
  const sides = /^(.+?) ?===? ?(.+)$/.exec(a);
  return sides && !/ (?:and|or) |&&|\|\|/.test(a) ? [sides[1] ?? '', sides[2] ?? ''] : undefined;
}

/** `expect(a).toBe(b)`, `assertEquals(a, b)`, `assert a == b`, `assert_equal a, b`, `expect(a).to eq(b)`. */
function read(text: string): Asked | undefined {
  const isCall = text.startsWith('assert(');
  if (!isCall && /^(?:assert|refute)\s+(?!\().+$|^assert\s*\(/.test(text))
    return plainAssert(text.replace(/^assert\s*/, ''), text.startsWith('refute'));
  if (isCall) {
    const close = closing(blank(text), 6);
    const rest = text.slice(close + 1);
    const inner = split(text, 6);
    if (rest === '' || rest.startsWith(',')) return plainAssert(inner[0] ?? '', false);
    // `assert (a, b) in rows`
    return plainAssert(text.slice(6), false);
  }
  const bare = blank(text);
  const open = bare.search(/[({]/);
  const command = /^(\w+[!?]?)\s+(.+)$/.exec(text);
  if (open < 0 || (command && /^(?:assert|refute)_\w+$/.test(command[1] ?? ''))) {
    if (!command) return undefined;
    const list = `(${command[2] ?? ''})`;
    return { matcher: command[1] ?? '', parts: split(list, 0) };
  }
  const head = bare.slice(0, open);
  const word = /([A-Za-z_]\w*)!?\s*$/.exec(head)?.[1] ?? '';
  const close = closing(bare, open);
  const parts = split(text, open, bare).filter((part, index) => !(index === 0 && /^(?:t|tb|c)$/.test(part)));
  const after = text.slice(close + 1);
  if (/^(?:expect|Expect|assertThat|that|soft|is|expectThat|assert_that)$/.test(word) && after !== '')
    return chained(parts[0] ?? '', after);
  if (/^should$/i.test(word)) return undefined;
  return { matcher: word, parts };
}

function chained(subject: string, after: string): Asked | undefined {
  const ruby = after.startsWith('.to') ? /^\.to\s+(\w+)(?:[( ](.*?)\)?)?$/.exec(after) : null;
  if (ruby) return { matcher: ruby[1] ?? '', parts: ruby[2] === undefined ? [subject] : [subject, ruby[2]] };
  const bare = blank(after);
  const call = /([A-Za-z_]\w*)\(([^]*)\)$/.exec(bare);
  if (!call) {
    const word = /\.(\w+)$/.exec(bare)?.[1];
    return word ? { matcher: word, parts: [subject] } : undefined;
  }
  const open = call.index + (call[1] ?? '').length;
  return { matcher: call[1] ?? '', parts: [subject, ...split(after, open, bare)] };
}

function plainAssert(condition: string, negated: boolean): Asked {
  const text = condition
    .replace(/,\s*f?'(?:\\.|[^'\\])*'$/, '')
    .replace(/^\((.*)\)$/, '$1')
    .trim();
  return { matcher: negated ? 'refute' : 'assert', parts: [text] };
}

/** The text with the contents of strings blanked, so that brackets in them do not count. */
const blank = (text: string): string =>
  text.includes("'")
    ? text.replace(/'(?:\\.|[^'\\])*'/g, found => `'${'_'.repeat(Math.max(0, found.length - 2))}'`)
    : text;

const split = (text: string, open: number, bare = blank(text)): readonly string[] =>
  partsOf(bare, open, closing(bare, open)).map(([from, to]) => text.slice(from, to).trim());
