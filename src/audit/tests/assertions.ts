/** Finds the assertions of a test in all supported languages: their position, subject and strength. */

import { strengthOf } from './assertion-strength.ts';
import { literalsOf, normalize, spelledOut, subjectOf } from './assertion-text.ts';
import { blockEnd, statementEnd, statementStart } from './statements.ts';
import type { Assertion, TestCase } from './test-case.ts';

/**
 * The start of an assertion. Word forms are tried only at the start of a word, links only at their sign, because otherwise
 * every form would be tried at every letter. A form with a lookbehind tests its first letter before it.
 */
const startOf = (owner: string) =>
  new RegExp(String.raw`\b(?=\w)(?:${wordForms(owner)})|(?=[.-])(?:${LINK_FORMS})|${OWN_FORM}|${SWIFT_FORM}`, 'g');

const wordForms = (owner: string): string =>
  [
    // expect(x), expect.soft(x), expectTypeOf(x), is_expected, Expect(x)
    String.raw`(?=[eE])(?<![\w$.@])(?:expect|Expect)(?:\.(?:soft|poll|element))?\s*(?:<[^<>\n]{0,80}>)?\s*(?:\(|\{)`,
    String.raw`(?=[eia])(?<![\w$.])(?:expect_(?:any|all)\w*|is_expected|expectTypeOf|expectType|assertType)\b`,
    String.raw`(?=e)(?<![\w$.])expect\s+do\b|(?=s)(?<![\w$.:'"])should(?:_not)?[ ](?=[a-z]\w+[( ]|[a-z_]+\s*\})`,
    String.raw`(?=[eSEC])(?<![\w$.])(?:expectThat|expectCatching|Should\.\w+|Eventually|Consistently)\s*(?:<[^<>\n]*>)?\s*\(`,
    // assert, assert(x), assert.equal(..), assertEquals(..), assert_eq!(..), $this->assertSame(..)
    String.raw`${owner}(?:debug_)?(?:prop_)?(?:Collection|String|File)?[aA]ssert\w*!?(?:\s*\.\s*\w+)*(?=\s*[\s({!<])`,
    String.raw`\b(?:org|io|com|kotlin|Xunit|NUnit|Microsoft)\.(?:\w+\.)+?(?:[aA]ssert\w*|verify|MatcherAssert)(?:\.\w+)*\s*(?=[({<])`,
    String.raw`(?:t|np\.testing|tm|s|suite|is|qt)\.(?:assert|Assert|fail\b|require)\w*(?:\.\w+)?\s*\(`,
    // Go
    String.raw`\b(?:t|tb|b|c|s\.T\(\)|suite\.T\(\))\.(?:Error|Errorf|Fatal|Fatalf|Fail|FailNow)\s*\(`,
    String.raw`\b(?:s|suite)\.(?:Require|Assert)\(\)\.\w+\s*\(`,
    String.raw`\b(?:require|check|must|qt|is|s|suite)\.(?:Equal|NotEqual|True|False|Nil|NotNil|NoError|Error|ErrorIs|ErrorAs|ErrorContains|EqualError|Contains|NotContains|Len|Empty|NotEmpty|Zero|Greater|Less|InDelta|JSONEq|ElementsMatch|Exactly|Same|Panics|NotPanics|IsType|Implements|Eventually|Regexp|Equals|Assert)\w*\s*\(`,
    // ava, tap, node
    String.raw`\bt\.(?:is|not|deepEqual|notDeepEqual|true|false|truthy|falsy|throws|throwsAsync|notThrows|notThrowsAsync|like|regex|notRegex|equal|same|match|ok|notOk|strictEqual|strictSame|error|rejects|pass|fail|snapshot|has|type)\s*\(`,
    String.raw`\b(?:should(?:Be|Not|Have|Throw|Contain|Equal|Start|End|Match)\w*)\b`,
    String.raw`\b(?:must_(?:equal|be|include|raise|match|respond)\w*|wont_\w+|refute\w*|flunk)\b`,
    String.raw`\bpytest\.(?:raises|warns|fail|deprecated_call)\s*\(`,
    String.raw`\bXCTAssert\w*\s*\(|\b(?:EXPECT|ASSERT|REQUIRE|CHECK|BOOST_\w+|STATIC_REQUIRE)(?:_\w+)?\s*\(`,
    String.raw`(?=[cvimw])(?<![\w$.])(?:coVerify\w*\s*[({]|verify(?:All|Order|Sequence)?\s*\{|(?:inOrder|mockServer|wireMock\w*)\.verify\w*\s*\()`,
    String.raw`(?=[vSscf])(?<![\w$.])(?:verify|verifyNoInteractions|verifyNoMoreInteractions|StepVerifier|sinon\.assert\.\w+|console\.assert|cmp\.Diff|fail)\s*\(`,
  ].join('|');

const LINK_FORMS = [
  String.raw`\.(?:assert_\w+)\s*\(`,
  // chai, should.js, rspec's old form, AssertJ, Kotest, FluentAssertions, supertest, cypress
  String.raw`(?=\.)(?<=[\w)\]])\.(?:should|Should)(?:\b|(?=(?:Not)?[A-Z]\w*[(<]))`,
  String.raw`(?=\.)(?<=[)\]\w])\.(?:expect)\s*\(`,
  // assert_cmd: `cmd.assert().success().stdout(…)`
  String.raw`\.assert\(\)`,
  String.raw`\.(?:expectStatus|expectBody|expectHeader|andExpect|andExpectAll)\s*\(`,
  String.raw`\.then\(\)\s*\.(?:statusCode|body|header|contentType|assertThat|log|time)\b`,
  // PHPUnit's expectations, Moq, NSubstitute, FakeItEasy, MockK
  String.raw`->(?:expectException|expectOutput|expectDeprecation|expectWarning)\w*\s*\(|->expects\s*\(`,
  String.raw`\.Verify(?:Set|Get)?\s*\(\s*\w+\s*=>|\.Verify(?:All|NoOtherCalls)\s*\(|\.(?:Did(?:Not)?)?Received(?:WithAnyArgs)?\s*\(|\.Must(?:Not)?HaveHappened\w*\s*\(`,
].join('|');

/** May follow any character. */
const OWN_FORM = String.raw`(?:\$this->|self::|static::|self\.|this\.)(?:assert|Assert|fail\b|require)\w*(?:\.\w+)?\s*\(`;

/** Swift Testing uses macros. */
const SWIFT_FORM = String.raw`#(?:expect|require)\s*\(`;

const START = startOf(String.raw`(?=[adpACSF])(?<![\w$.])`);
/** In C++ and Rust any word may precede an assertion, so every word is tried. */
const START_WITH_OWNER = startOf(String.raw`(?=\w)(?<![\w$.])(?:\w+::)?`);

/** Longer than any real test body; the rest is ignored. */
const BODY = 60_000;

type Body = Pick<TestCase, 'code' | 'bare' | 'bodyLine' | 'head' | 'asks'>;

/** The assertions of a test; cached, because many rules need them. */
export const assertionsOf = (test: Body): readonly Assertion[] => (test.asks ??= findAssertions(test));

/** An expected panic or exception, asserted by an attribute. */
const PANIC =
  /#\[should_panic[^\]]*\]|\bexpected(?:Exceptions)?\s*=\s*\{?\s*\w+(?:\.\w+)*\.class(?:[^)\n]*RegExp\s*=\s*"[^"]*")?|@expectedException\b[^\n]*|\bExpectedException\(typeof\([^\]\n]*|->throws\w*\([^)]*\)/;

/** Whether two tests have literally the same assertions; then only one of them has to be parsed. */
export const asksTheSame = (a: Body, b: Body): boolean =>
  a.code === b.code && a.bare === b.bare && !PANIC.test(a.head) && !PANIC.test(b.head);

/** `t.Errorf(…)`: the assertion is the condition before it. */
const FAILS = /\.(?:Error|Fatal|Fail)\w*\s*\($/;
/** An import, a definition, or a setting of the runner. */
const NO_ASSERTION =
  /^\s*(?:(?:import|from|use|using|const\s+\{|function|def|class)\b|(?:const|let|var)\s+\{?[\w\s,:]*\}?\s*=\s*(?:await\s+import|require)\()|\bexpect\.(?:assertions|hasAssertions|extend|addSnapshotSerializer)\b/;

function findAssertions(test: Body): readonly Assertion[] {
  const bare = test.bare.slice(0, BODY);
  const found: Assertion[] = [];
  const start = bare.includes('::') ? START_WITH_OWNER : START;
  start.lastIndex = 0;
  for (let match = start.exec(bare); match; match = start.exec(bare)) {
    const { 0: word, index } = match;
    const end = word.endsWith('do') ? blockEnd(bare, index) : statementEnd(bare, index);
    const next = start.lastIndex;
    // The rest of the statement is part of this assertion.
    if (end > next) start.lastIndex = end;
    const from = statementStart(bare, index);
    const raw = test.code.slice(from, end);
    if (NO_ASSERTION.test(raw)) continue;
    const header = word.endsWith('(') && FAILS.test(word) ? conditionBefore(test.code, bare, index) : '';
    if (/^expect\s*\($/.test(word) && isBareExpect(bare, next - 1, end)) continue;
    // Rust's `let reply = fetch().expect('…')`.
    if (word.startsWith('.expect') && /^\s*let\b/.test(raw)) continue;
    // A comparison alone; it is asserted on the next line.
    if (word.startsWith('cmp.Diff') && /^\s*if\b|:=/.test(raw)) {
      start.lastIndex = next;
      continue;
    }
    found.push(new LazyAssertion({ test, from, at: index }, raw, header));
  }
  const panic = PANIC.exec(test.head)?.[0];
  if (panic) {
    const text = normalize(panic);
    found.push({
      text,
      raw: panic,
      line: test.bodyLine,
      subject: 'panic',
      strength:
        /expected|\.class|typeof|throws/.test(panic) &&
        !/=\s*\{?\s*(?:Exception|Throwable|RuntimeException)\.class|typeof\((?:System\.)?Exception\)|\(\\?(?:Exception|Throwable)::class/.test(
          panic,
        )
          ? 4
          : 2,
      literals: literalsOf(panic),
      awaited: true,
    });
  }
  return found;
}

interface Place {
  readonly test: Body;
  /** Offset of its statement in the test, and of the assertion itself. */
  readonly from: number;
  readonly at: number;
}

/** An assertion with lazy fields, because most assertions are only counted. */
class LazyAssertion implements Assertion {
  readonly raw: string;
  readonly #place: Place;
  readonly #header: string;
  readonly #asks: string;
  #text: string | undefined;
  #subject: string | undefined;
  #strength: number | undefined;
  #literals: readonly string[] | undefined;

  constructor(place: Place, asks: string, header: string) {
    this.raw = header ? `${header} ${asks}` : asks;
    this.#place = place;
    this.#header = header;
    this.#asks = asks;
  }

  get line(): number {
    const { test, at } = this.#place;
    return test.bodyLine + countLines(test.bare, at);
  }

  get awaited(): boolean {
    const { test, from } = this.#place;
    return (
      /^\s*(?:await|return|yield)\b/.test(test.code.slice(from, from + 200)) ||
      /=>\s{0,8}$/.test(test.code.slice(Math.max(0, from - 12), from))
    );
  }

  get text(): string {
    return (this.#text ??= normalize(this.raw));
  }

  get subject(): string {
    return (this.#subject ??= subjectOf(this.text));
  }

  get strength(): number {
    return (this.#strength ??= strengthOf(this.text));
  }

  get literals(): readonly string[] {
    return (this.#literals ??= literalsOf(spelledOut(this.#header || this.#asks)));
  }
}

const PAREN = /[()]/g;

/** An `expect` without a matcher asserts nothing. */
function isBareExpect(bare: string, open: number, end: number): boolean {
  let depth = 0;
  PAREN.lastIndex = open;
  while (PAREN.test(bare) && PAREN.lastIndex <= end) {
    const past = PAREN.lastIndex;
    if (bare.charCodeAt(past - 1) === 40) depth += 1;
    else if (--depth === 0) return bare.slice(past, end).trim() === '';
  }
  return false;
}

function countLines(text: string, to: number): number {
  let lines = 0;
  for (let at = text.indexOf('\n'); at >= 0 && at < to; at = text.indexOf('\n', at + 1)) lines += 1;
  return lines;
}

/** `if got != want` before `t.Errorf(…)`. */
function conditionBefore(code: string, bare: string, at: number): string {
  for (let [end, back] = [at, 0]; end >= 0 && back < 4; back++) {
    const start = end === 0 ? 0 : bare.lastIndexOf('\n', end - 1) + 1;
    if (/^\s*(?:\}\s*else\s+)?if\b/.test(bare.slice(start, end))) {
      const next = code.indexOf('\n', start);
      return code
        .slice(start, next < 0 ? code.length : next)
        .replace(/^\s*(?:\}\s*else\s+)?/, '')
        .replace(/\{\s*(?:t\..*)?$/, '')
        .trim();
    }
    end = start - 1;
  }
  return '';
}
