/** How strong an assertion is, judged by the vocabulary of many libraries, in the order in which the patterns decide. */

import { partsOf } from './brackets.ts';

/** Passes for nearly everything: a value exists, has some type, or nothing was thrown. */
const HARDLY =
  /\.is_err\(\)|\.toBeDefined\b|\.not\.?\.?(?:to)?\.?be\.?(?:Null|Undefined|null|undefined)\b|\.not\.toBe(?:Null|Undefined|NaN)\b|\.toBeInstanceOf\b|\.toBeTypeOf\b|\.not\.toThrow|\.toBeTruthy\(\)\s*\|\||\btypeof\b|\bis not None\b|[iI]s_?[nN]ot_?(?:None|Null|Nil)\b|[nN]ot_?(?:Null|Nil)(?:Value)?\b|\bIsInstance\b|assertIsInstance|isinstance\(|\bNotNil\b|\bNotEmpty\b|\bNoError\b|\.is_(?:some|ok)\(\)|\bnot_to be_nil|\bto_not be_nil|\bbe_(?:present|an?|kind_of|instance_of|an_instance_of|a_kind_of)\b|\.exist\b|\brefute_nil|[iI]nstance_?[oO]f|doesNotThrow|DoesNotThrow|notThrows|NotPanics|hasattr\(|expect\.any(?:thing)?\b|\bmock\.ANY\b|\bto\.be\.an?\(|!==? ?(?:null|undefined|nil|None)\b|\bdoes_not_raise|assert_nothing_raised|\bnot_to raise_error|isNotEmpty|\.not\.(?:to\.)?be\.?empty|not_to be_empty|to_not be_empty|assertIsObject|\bAny<|anyOf?\(|anyString\(|anyInt\(|is_list|is_map|is_binary|if err != nil\b|callable\(|assert_(?:kind_of|respond_to|predicate|changes\b(?!.*(?:from:|to:)))|\brespond_to[( ]|refute_empty|assert_not_empty|\.be\.an?\(''\)$|toBeEmptyDOMElement|\.not\.(?:null|undefined)\b/;
const ANY_RAISE =
  /\.(?:toThrow|toThrowError|throws?|rejects)\(\s*\)|\.to\.throw\(\s*\)|raises\(\s*\(?(?:[\w.]+,\s*)*(?:Base)?Exception\s*[,)]|assertRaises\(\s*(?:self,)?\s*\(?(?:[\w.]+,\s*)*(?:Base)?Exception\s*[,)]|assertThrows\(\s*(?:Exception|Throwable|RuntimeException)(?:\.class|::class\.java)|assertFailsWith<(?:Exception|Throwable)>|\braise_error\s*\)?\s*$|raise_error\(\s*(?:StandardError|Exception)\s*\)|assert_raises?\(?\s*(?:StandardError|Exception)\b|Assert\.Throws(?:Any|Async)?<Exception>|^#\[should_panic\]$|\bPanics\(|expected\s*=\s*(?:Exception|Throwable)\.class|\bassert_raises?\s*(?:\{|do\b)|assert_raise\(?\s*RuntimeError|\.toThrow(?:Error)?\(Error\)|\b(?:throws|rejects)(?:Async)?\(.*,Error\)$|throws\([^,()]*(?:\([^()]*\))?[^,()]*\)$|\b(?:assert|require|check|must|is|s|suite)\.(?:Errorf?|Panics)\(|ThrownBy\(.*\.isInstanceOf\((?:Exception|Throwable|RuntimeException)\.class\)$|shouldThrow(?:Any|<(?:Exception|Throwable)>)|expectException\(\\?(?:Exception|Throwable|Error)::class\)|\bThrow(?:Async)?<(?:System\.)?Exception>\(\)$|\bhave_enqueued_(?:job|mail)$|verify\(.*\batLeastOnce\(\)/;
const TRUTH =
  /\.toBeTruthy\b|\.toBeFalsy\b|\.ok\(|\.isOk\(|[aA]ssert_?[tT]rue|[aA]ssert_?[fF]alse|\bbe_truthy|\bbe_falsy|\bbe_falsey|\.toHaveBeenCalled\(\)|\.toBeCalled\(\)|\.assert_called\(\)|\.called\b|\b(?:True|False)\(|\.isTrue\(|\.isFalse\(|\.to\.be\.ok\b|\.should\.be\.ok\b|t\.(?:true|false|truthy|falsy|ok|notOk)\(|XCTAssert(?:True|False)?\(|(?:EXPECT|ASSERT)_(?:TRUE|FALSE)|(?:REQUIRE|CHECK)(?:_FALSE)?\(|^assert[!.]?\s*\(|^assert\s|\bassert!\(/;
const EXACT_SIGN = /(?<![=!<>])={2,3}(?!=)|\bis (?!not\b|instance)|\.equals\(|\.eq\(|\bmatches!\(|\.is_equal|\beql?\?/;
const ORDER_SIGN = /[^-=<>]>=?[^>=]|[^<]<=?[^<=]/;
const NOT_EQUAL_SIGN = /!==?/;
const ORDER =
  /toBe(?:Greater|Less)Than|assert(?:Greater|Less)|\b(?:Greater|Less)(?:OrEqual)?\(|by_at_(?:least|most)|\bbe\s*[<>]|be_(?:between|positive|negative)|isGreaterThan|isLessThan|isPositive|isAtLeast|isAtMost|\.(?:above|below|least|most|gt|gte|lt|lte)\(|\.within\(|\.length\.(?:gt|gte|least|above|greaterThan|lt|lte|most|below|lessThan)\b|\.(?:greaterThan|lessThan)\w*\(|assert_(?:operator|in_range|enqueued_jobs|emails)|(?:EXPECT|ASSERT)_[GL][TE]\b/;
const NOT_EQUAL =
  /\.not\.(?:to\.)?(?:toBe(?!\w)|toHave(?:Length|Count)\(|toEqual|toStrictEqual|equal|eq|eql|deep)|[nN]ot_?(?:Deep)?(?:Strict)?Equals?\b|assert_ne!|not_to eq|to_not eq|refute_equal|isNotEqualTo|notDeepEqual|notEqual|(?:EXPECT|ASSERT)_NE\b|assert_not_equal|AreNotEqual|NotSame/;
const PART =
  /toMatchObject|[pP]artial(?:Deep)?\w*|\bSubset\(|containSubset|hash_including|array_including|hasEntry|hasItems?\(|everyItem|objectContaining|arrayContaining|stringContaining|stringMatching|toContain|\.toMatch\(|assert(?:Not)?In\(|assertRegex|[cC]ontains?\b|ContainsString|\binclude\b|\.includes?\(|start_?[wW]ith|end_?[wW]ith|startsWith|endsWith|toHaveProperty|hasItem|hasProperty|toBeCloseTo|\bapprox\(|AlmostEqual|InDelta|InEpsilon|be_within|closeTo|isCloseTo|assert_allclose|assert_in_delta|isclose|\bto match\b|\.match\(|Regexp?\(|\bregex\(|\bmatch\(|\blike\(|assert_includes|assert_match|toThrow|raises|assertRaises|assertThrows|raise_error|assert_raise|Throws|ErrorContains|ErrorIs|ErrorAs|should_panic|rejects|toHaveBeenCalledWith\([^)]*expect\.|\bin\b/;
const EXACT =
  /\.toBe\(|\.toEqual|\.toStrictEqual|[dD]eep_?[eE]qual|[sS]trict_?[eE]qual|[eE]quals?\b|[eE]qualTo|assert_eq|\beq[l]?\b|\.toHaveLength|CalledTimes|CalledWith|ToHaveBeenNthCalled|\.toBeNull|\.toBeUndefined|assertIsNone|\bNil\(|\bbe_nil|\bshouldBe\b|\bSame\(|assertSame|JSONEq|ElementsMatch|Snapshot|assertCountEqual|assertDictEqual|assertListEqual|AreEqual|t\.is\(|\.is\(|(?:EXPECT|ASSERT)_(?:EQ|STREQ|DOUBLE_EQ|FLOAT_EQ)|isNull|isEmpty\(|hasSize|\bLen\(|Exactly|\.have\.(?:text|value|html|length|attr|css|class|members)\(|toHave(?:Text|Value|URL|Title|Count)\(|must_equal|must_be_nil|assert_nil|assert_empty|assert_called_(?:once_)?with|EqualError|EqualValues|isInstance|isSame|BeEquivalentTo\(|\.Be\(|contain_exactly|match_array|\.members\(|HaveCount\(|\bbe\s*==|verify\(/;

/** The last call of an AssertJ chain decides, whatever precedes it. */
const CHAIN =
  /\.(?:hasMessage|hasMessageContaining|containsExactly\w*|isEqualTo|hasSize|contains|containsEntry|isEqualByComparingTo|hasToString)\(/;
const PRESENT = /\.to(?:BeInTheDocument|BeVisible|BeAttached|Exist)\(\)$/;
/** As exact as a comparison of floating-point numbers can be. */
const TIGHT = /[aA]bs\(.*<=?\s*(?:1e-\d+\b|0?\.0{2,}\d|[\w:.]*(?:EPSILON|epsilon))/;
/** A query by visible text also asserts that text. */
const BY_TEXT = /By(?:\w*Text|LabelText|Title|DisplayValue)\(|name: ?[''/]|hasText/;
const ANYTHING =
  /\(\/(?:\.[*+]|\^?\.[*+]\$?)\/\)|match=r?'\.[*+]'|\btype\(.*\) ?(?:is|==)|^expect\(Array\.isArray\(|\.pass\(/;
/** Cypress writes the matcher as a string. */
const THERE = /\.(?:should|and)\.(?:exist|be\.visible|not\.be\.empty|be\.ok)\(\)$/;
const ATTRIBUTES = /\bhav(?:e|ing)_attributes\(/;
const NO_TIMES =
  /\b[aA]tLeast\(\s*0\s*\)|\b[aA]tMost\(\w+\)|\batMost ?= ?\d|\batLeast ?= ?0|\bexpects\((?:\$this->|self::)any\(\)\)|\bat_(?:least\(0\)|most\()|zeroOrMoreTimes/;
const ALSO = /(?<=\.(?:to|should)[ .].*)\.(?:and|that|which)(\.| |\((?=\w))(?=\w)(.+)$/;

/** A cheap test, because the lookbehind of the full pattern is slow and most assertions contain none of these words. */
const MAY_ALSO = /\.(?:and|that|which)[. (]/;

export function strengthOf(written: string): number {
  const also = MAY_ALSO.test(written) ? ALSO.exec(written) : null;
  // `be_an(Integer).and eq(3)`, `to.be.an('object').that.equals(…)`: the stronger of both.
  if (also)
    return Math.max(
      partStrength(written.slice(0, also.index)),
      strengthOf(`expect(x).to${also[1] === '.' ? '.' : ' '}${also[2]}`),
    );
  // The same words with another prefix.
  const own = /^(?:debug_|prop_)assert/.test(written) ? written.slice(written.indexOf('assert')) : written;
  const text = own.includes('Assert.') ? own.replace(/^(?:\w+\.)*Assert\.(?:Is)?(True|False)\(/, 'assert$1(') : own;
  return partStrength(text);
}

function partStrength(text: string): number {
  // Only the code decides: words inside strings do not count.
  const bare = text.replace(/'(?:\\.|[^'\\])*'/g, "''").replace(/,''\)?$/, ')');
  if (bare.startsWith('if ')) return conditionStrength(bare);
  const body = bare.replace(/=>/g, '  ').replace(/->/g, '  ');
  if (
    /expect\([^()]*(?:\([^()]*\)[^()]*)*(?<![=!<>])===?[^=]/.test(body) &&
    /\b(?:true|True)\b|[tT]ruthy|\.ok\b/.test(body)
  )
    return /\.(?:some|find|any|every)\(/.test(body) ? 4 : 5;
  if ((body.includes('bs(') && TIGHT.test(body)) || /assert_operator.*:===?,/.test(text)) return 5;
  if (NO_TIMES.test(bare) || ANYTHING.test(text)) return 1;
  if (PRESENT.test(body) && !/\.not\./.test(body)) return BY_TEXT.test(text) ? 4 : 2;
  // It marks a place that must not be reached.
  if (/^(?:[\w.]+\.)?(?:fail|flunk)\(/.test(body)) return 2;
  if (THERE.test(text)) return /cy\.contains\(|ByText\(|ByLabelText\(/.test(text) ? 4 : 2;
  if (isBareThrow(text)) return 2;
  const pattern = patternStrength(body);
  if (pattern !== undefined) return pattern;
  // A rejected promise that is checked for this class was checked for its error.
  if (/\.rejects\.toBeInstanceOf\((?!Error\))/.test(body)) return 4;
  if (ATTRIBUTES.test(body)) return 5;
  if (ANY_RAISE.test(body)) return 2;
  if (CHAIN.test(body) && !/\.not\b|isNotEqualTo|^assert!?\(/.test(body)) return 5;
  // Hamcrest's `contains` requires all elements, in order.
  if (/^(?:\w+\.)*assertThat\(.*,(?:is\()?contains(?:InAnyOrder)?\(/.test(body)) return 5;
  if (/\berrors\.(?:Is|As)\(/.test(body)) return 4;
  if (/ThrownBy\(.*\.is(?:Exactly)?InstanceOf\(/.test(body)) return 4;
  if (HARDLY.test(body)) return otherwise(body);
  if (/toHaveProperty\([^,()]+\)$/.test(body)) return 3;
  if (/have\.property\([^,()]+,|toHaveProperty\([^,()]+,/.test(body)) return 5;
  if (NOT_EQUAL.test(body)) return 2;
  if (ORDER.test(body)) return /\(\s*-?0\s*\)|by_at_least\([01]\)|> 0\b|>= [01]\b/.test(body) ? 2 : 3;
  if (PART.test(body) && !/\bassert\w*(?:\(|!\(|\s).*(?<![=!<>])==/.test(body)) return 4;
  if (EXACT.test(body)) return isBoolean(body) ? 4 : 5;
  if (TRUTH.test(body)) return truthStrength(body);
  // An unknown word is not known to be weak.
  return 4;
}

/** Rust's `matches!`: a wildcard in the pattern asserts nothing. */
function patternStrength(body: string): number | undefined {
  const open = body.indexOf('matches!(');
  if (open < 0 || !/^(?:debug_)?assert/.test(body)) return undefined;
  const inside = partsOf(body, open + 8).map(([from, to]) => body.slice(from, to));
  const pattern = inside.slice(1).join(',').trim();
  if (pattern === '_') return 0;
  if (/ if /.test(pattern) || !/(?<!\w)_(?!\w)|\.\./.test(pattern)) return undefined;
  const told = pattern.replace(/\b(?:Ok|Err|Some)\b|[^\w']/g, ' ').replace(/(?<!\w)_(?!\w)/g, ' ');
  if (told.trim() === '') return 1;
  return /\d|'/.test(told) ? 4 : 3;
}

/** `assert.rejects(work)` accepts any error; the expected one would be the second argument. */
function isBareThrow(text: string): boolean {
  const open = text.indexOf('(');
  if (!/^(?:t\.|assert\.|t\.assert\.)(?:rejects|throws)(?:Async)?$/.test(text.slice(0, open))) return false;
  return partsOf(text, open).length === 1;
}

/** `toEqual({id: expect.any(Number), name: 'x'})` still asserts something. */
function otherwise(body: string): number {
  return /expect\.any|mock\.ANY/.test(body) &&
    /[:,[(]\s*(?:''|\d|true|false)/.test(body.replace(/expect\.any\w*\([^)]*\)/g, ''))
    ? 4
    : 1;
}

const isBoolean = (body: string): boolean =>
  /(?:toBe|toEqual|toStrictEqual|eq|eql|equal|equals|is|be)[ (]\(?(?:true|false|True|False)\)?\)?$|,\s*(?:true|false|True|False)\)$|\((?:true|false),|(?:==|is) (?:True|False|true|false)$/.test(
    body,
  );

function truthStrength(body: string): number {
  if (EXACT_SIGN.test(body)) return isBoolean(body) ? 4 : 5;
  if (/\bin\b|\.(?:includes|contains|starts_with|startsWith|startswith|endswith|match|test)\(/.test(body)) return 4;
  if (ORDER_SIGN.test(body)) return /[>]=? ?[01]\b/.test(body) ? 2 : 3;
  if (NOT_EQUAL_SIGN.test(body)) return 2;
  return 2;
}

/** Go's `if` before `t.Error`: its condition is what the test asserts. */
function conditionStrength(condition: string): number {
  const asked = condition.replace(/(?: |(?<=\)))t\.\w+\(.*$/, '');
  if (/&&\s*false\b|^if false\b/.test(asked)) return 0;
  if (/\berr\w* != nil$/.test(asked)) return 1;
  if (/\berr\w* == nil$/.test(asked)) return 2;
  if (/== (?:nil|''|0)$|len\([^)]*\) (?:== 0|< 1)$/.test(asked)) return 1;
  // Equal lengths, whatever the contents.
  if (/len\([^()]*\) ?!= ?len\([^()]*\)$/.test(asked) && !asked.includes('||')) return 3;
  if (/DeepEqual|cmp\.(?:Diff|Equal)|bytes\.Equal|slices\.Equal|maps\.Equal|!=/.test(asked)) return 5;
  if (/strings\.(?:Contains|HasPrefix|HasSuffix)|errors\.(?:Is|As)|regexp/.test(asked)) return 4;
  if (/[<>]/.test(asked)) return 3;
  return 2;
}
