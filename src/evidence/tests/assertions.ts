/** Assertions inside a test, in any of the languages: where they are, what they are about and how much they ask. */
import { closing, isOpen, partsOf } from './brackets.ts';
import { partsOfChain } from './chain-parts.ts';
import { isUnfinished } from './chains.ts';
import { requestSubject } from './request-asks.ts';
import { strengthOf } from './strength.ts';
import type { TestCase } from './test-case.ts';
import { typedSubject } from './typed-asks.ts';

export interface Assertion {
  /** On one line, with one kind of quotes and without what does not change its meaning. */
  readonly text: string;
  readonly line: number;
  /** As it is written; the same here is the same in `text`. */
  readonly raw: string;
  /** What is looked at: `total(cart)` in `expect(total(cart)).toBe(3)`. */
  readonly subject: string;
  /** From 0, which any code passes, to 5, which only one value does. */
  readonly strength: number;
  readonly literals: readonly string[];
  /** Somebody waits for it. */
  readonly awaited: boolean;
}

/**
 * Where an assertion begins. A word is only looked at where one begins, a link only at its sign: otherwise every form is
 * tried at every letter. A form that looks back asks for its first letter before that.
 */
const startOf = (owner: string) =>
  new RegExp(String.raw`\b(?=\w)(?:${wordForms(owner)})|(?=[.-])(?:${LINK_FORMS})|${OWN_FORM}`, 'g');

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
  String.raw`\.(?:expectStatus|expectBody|expectHeader|andExpect|andExpectAll)\s*\(`,
  String.raw`\.then\(\)\s*\.(?:statusCode|body|header|contentType|assertThat|log|time)\b`,
  // PHPUnit's expectations, Moq, NSubstitute, FakeItEasy, MockK
  String.raw`->(?:expectException|expectOutput|expectDeprecation|expectWarning)\w*\s*\(|->expects\s*\(`,
  String.raw`\.Verify(?:Set|Get)?\s*\(\s*\w+\s*=>|\.Verify(?:All|NoOtherCalls)\s*\(|\.(?:Did(?:Not)?)?Received(?:WithAnyArgs)?\s*\(|\.Must(?:Not)?HaveHappened\w*\s*\(`,
].join('|');

/** May stand behind any letter. */
const OWN_FORM = String.raw`(?:\$this->|self::|static::|self\.|this\.)(?:assert|Assert|fail\b|require)\w*(?:\.\w+)?\s*\(`;

const START = startOf(String.raw`(?=[adpACSF])(?<![\w$.])`);
/** Any word may stand before an assertion of C++ or Rust, so every word is looked at. */
const START_WITH_OWNER = startOf(String.raw`(?=\w)(?<![\w$.])(?:\w+::)?`);

/** No test is longer than this, and nobody reads more. */
const BODY = 60_000;

type Body = Pick<TestCase, 'code' | 'bare' | 'bodyLine' | 'head' | 'asks'>;

/** Asked for by many rules, worked out once. */
export const assertionsOf = (test: Body): readonly Assertion[] => (test.asks ??= findAssertions(test));

/** A panic that is expected is asked for by an attribute. */
const PANIC =
  /#\[should_panic[^\]]*\]|\bexpected(?:Exceptions)?\s*=\s*\{?\s*\w+(?:\.\w+)*\.class(?:[^)\n]*RegExp\s*=\s*"[^"]*")?|@expectedException\b[^\n]*|\bExpectedException\(typeof\([^\]\n]*|->throws\w*\([^)]*\)/;

/** Whether two tests ask the same, letter for letter; then only one of them need be read. */
export const asksTheSame = (a: Body, b: Body): boolean =>
  a.code === b.code && a.bare === b.bare && !PANIC.test(a.head) && !PANIC.test(b.head);

/** `t.Errorf(…)`: what it asks is the condition before it. */
const FAILS = /\.(?:Error|Fatal|Fail)\w*\s*\($/;
/** What asks is not the first word but the last link. */
const IS_CHAIN = /^(?:expect|assertThat|that)|hould$/i;
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
    // What else is in the statement is a part of it.
    if (end > next) start.lastIndex = end;
    const from = statementStart(bare, index);
    const raw = test.code.slice(from, end);
    if (NO_ASSERTION.test(raw)) continue;
    const header = word.endsWith('(') && FAILS.test(word) ? conditionBefore(test.code, bare, index) : '';
    if (IS_CHAIN.test(word)) {
      if (/^expect\s*\($/.test(word) && isBareExpect(bare, next - 1, end)) continue;
      if (isUnfinished(bare.slice(index, end))) continue;
    }
    // Rust's `let reply = fetch().expect('…')`.
    if (word.startsWith('.expect') && /^\s*let\b/.test(raw)) continue;
    // What is only compared here is asserted on the next line.
    if (word.startsWith('cmp.Diff') && /^\s*if\b|:=/.test(raw)) {
      start.lastIndex = next;
      continue;
    }
    const parts = header === '' ? partsOfChain(raw, bare.slice(from, end)) : undefined;
    if (!parts) found.push(new LazyAssertion({ test, from, at: index }, raw, header));
    else for (const { text, at } of parts) found.push(new LazyAssertion({ test, from, at: from + at }, text, ''));
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
  /** Where its statement begins in the test, and where it does itself. */
  readonly from: number;
  readonly at: number;
}

/** Most are only counted, so the rest of it is worked out when it is asked for. */
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

/** Without a matcher nothing is asked for. */
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

const GOES_ON = /^[ \t]*(?:\.|\?\.|should[A-Z])/;

/** Back to the start of the statement, for forms that end with the assertion: `x.should.equal(3)`, `await expect(x)`. */
function statementStart(bare: string, at: number): number {
  let depth = 0;
  for (let index = at - 1; index >= Math.max(0, at - 400); index--) {
    switch (bare.charCodeAt(index)) {
      case 41: // )
      case 93: // ]
        depth += 1;
        break;
      case 125: // }
        // `map { it.id } shouldBe …` goes on behind its braces.
        if (depth === 0 && !GOES_ON.test(bare.slice(index + 1, index + 40))) return index + 1;
        depth += 1;
        break;
      case 40: // (
      case 91: // [
      case 123: // {
        if (depth === 0) return index + 1;
        depth -= 1;
        break;
      case SEMICOLON:
        if (depth === 0) return index + 1;
        break;
      case LINE_END:
        if (depth === 0 && !/^\s*(?:\.|->)/.test(bare.slice(index + 1, index + 60))) return index + 1;
        break;
      default:
    }
  }
  return Math.max(0, at - 400);
}

const ENDS = /[()[\]{};\n]/g;

/** To the end of the statement: past brackets, and on over lines that begin with a dot or end in an operator. */
function statementEnd(bare: string, from: number): number {
  let depth = 0;
  const stop = Math.min(bare.length, from + 6000);
  ENDS.lastIndex = from;
  while (ENDS.test(bare)) {
    const at = ENDS.lastIndex - 1;
    if (at >= stop) break;
    const code = bare.charCodeAt(at);
    if (isOpen(code)) depth += 1;
    else if (code !== SEMICOLON && code !== LINE_END) {
      depth -= 1;
      if (depth < 0) return at;
    } else if (depth === 0 && (code === SEMICOLON || !goesOn(bare, from, at))) return at;
  }
  return stop;
}

/** `expect do … end.to change { … }`. */
function blockEnd(bare: string, from: number): number {
  const close = /\n[ \t]*end\.(?:to|not_to|to_not)\b[^\n]*/.exec(bare.slice(from, from + 6000));
  return close ? from + close.index + close[0].length : statementEnd(bare, from);
}

const SEMICOLON = 59;
const LINE_END = 10;

/** Whether the statement that began at `from` goes on past the line end at `at`. */
const goesOn = (bare: string, from: number, at: number): boolean =>
  /^(?:\.|\?\.|&&|\|\||->|==|!=)/.test(bare.slice(at + 1, at + 80).trimStart()) ||
  // No word of these is longer than three letters, and one more tells whether it is a word.
  /(?:\\|==|!=|&&|\|\||,|\band|\bor|\bin|\bto|\.)$/.test(bare.slice(from, at).trimEnd().slice(-4));

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

/** Cypress says what it asks for in a string: `.should('have.text', 'x')` is `.should.have.text('x')`. */
const spelledOut = (raw: string): string =>
  raw.includes('.should(') ? raw.replace(/\.(should|and)\(\s*(['"`])([a-zA-Z.]+)\2\s*,?\s*/g, '.$1.$3(') : raw;

/** One of those below that take something from the beginning may have something to take. */
const MAY_BEGIN =
  /^(?:async |await|return|yield|(?:org|io|com|kotlin|Xunit|NUnit|Microsoft|s|suite)\.|_ = |Assert|MatcherAssert|\(|\w+\s*=>)/;

/** Something in it can be written in another way, too. */
const IS_LOOSE = /["`;]|\.should\(|\s\s|[^\S ]| [().,[\]{}]|[().,[\]{}] |,[)\]}]|^assert[[{'\d-]/;

function normalize(raw: string): string {
  const trimmed = raw.trim();
  if (!IS_LOOSE.test(trimmed) && !MAY_BEGIN.test(trimmed)) return trimmed;
  const quoted = spelledOut(trimmed).replace(/["`]/g, "'");
  const flat = /\s\s|[^\S ]/.test(quoted) ? quoted.replace(/\s+/g, ' ') : quoted;
  const close = flat.includes(' ') ? flat.replace(/ ([().,[\]{}]) ?|([().,[\]{}]) /g, '$1$2') : flat;
  const own = MAY_BEGIN.test(close) ? withoutBeginning(close) : close;
  return own
    .replace(/,([)\]}])/g, '$1')
    .replace(/^assert(?=[[{'\d-])/, 'assert ')
    .replace(/;+$/, '')
    .trim();
}

const withoutBeginning = (text: string): string =>
  text
    .replace(/^(?:async )?(?:\([^()]*\)|\w+)\s*=>\s*(?=expect|assert|await )/, '')
    .replace(/^(?:await|return|yield)\s+/, '')
    .replace(/^(?:org|io|com|kotlin|Xunit|NUnit|Microsoft)\.(?:\w+\.)+?(?=[aA]ssert|verify)/, '')
    .replace(/^(?:s|suite)\.(?:Require|Assert)\(\)\./, 'require.')
    .replace(/^_ = /, '')
    .replace(/^(?:Assert(?:ions)?|MatcherAssert)\.(?=assert)/, '');

const CONSTANT =
  /^(?:-?\d|b?'|\[|\{|true\b|false\b|True\b|False\b|None\b|null\b|nil\b|%[wi]\W|vec!\[|List\.of|Some\(|:\w)/;
const MEMBER = /^\.(?:to\.)?(?:toContain|include|includes|contains?|to include)[( ](.+?)\)?$/;
const COMPARISON = /^(.*?)\s*(?:===?(?!>)|!==?|<=?|(?<![=-])>=?|\bis\b|\bin\b|=~)\s*(.*)$/;

const blankStrings = (text: string): string =>
  text.replace(/'(?:\\.|[^'\\])*'/g, found => `'${' '.repeat(Math.max(0, found.length - 2))}'`);

function subjectOf(text: string): string {
  const known = text.startsWith('expect(') && !text.includes('hould') ? undefined : ofOtherForms(text);
  if (known !== undefined) return known;
  const bare = blankStrings(text);
  const open = bare.search(/[({]/);
  if (open < 0) return text;
  if (/^\.(?:should|expect)/i.test(bare.slice(0, open).replace(/^.*(?=\.(?:should|expect))/i, ''))) {
    return text.slice(0, open);
  }
  const close = closing(bare, open);
  const parts = partsOf(bare, open, close).map(([from, to]) => text.slice(from, to).trim());
  const own = parts.filter(part => !/^(?:t|tb|b|c)$/.test(part));
  // `expect([200, 404]).toContain(status)` is about the status.
  const list = own.length === 1 && CONSTANT.test(own[0] ?? '') ? MEMBER.exec(text.slice(close + 1)) : null;
  if (list) return list[1] ?? text;
  return side(pick(own) || text);
}

/** Where it is not in the first brackets. */
function ofOtherForms(text: string): string | undefined {
  const pattern = /^(?:debug_)?assert!\(matches!\(/.exec(text)?.[0];
  if (pattern !== undefined) return subjectOf(`matches!(${text.slice(pattern.length)}`);
  const mock = /^([\w.]+)\.assert_(?:called|any_call|has_calls|not_called|awaited)/.exec(text)?.[1];
  if (mock !== undefined) return mock;
  const response = /^(\$(?!this\b)\w+)->assert/.exec(text)?.[1];
  if (response !== undefined) return response;
  const typed = requestSubject(text) ?? typedSubject(text);
  if (typed !== undefined) return typed;
  const condition = /^if (?:.*;\s*)?(.*?)\s*(?:===?|!==?|<=?|>=?).*$/.exec(text);
  if (condition) return condition[1] ?? text;
  const statement = /^(?:assert|refute)\s+(?:not\s+)?(?!\()(.*)$/.exec(text);
  if (statement && /^\w+\s/.test(text)) return side(statement[1] ?? text);
  const command = /^(?:assert|refute)_\w+ (.*)$/.exec(text);
  return command ? pick((command[1] ?? '').split(',')) : undefined;
}

/** The part that is worked out: libraries disagree whether it comes first. */
const pick = (parts: readonly string[]): string =>
  parts.find(part => !CONSTANT.test(part.trim()))?.trim() ?? parts[0] ?? '';

/** With the insides of brackets blank. */
function shallow(text: string): string {
  const bare = blankStrings(text);
  let [made, at] = ['', 0];
  for (let open = bare.search(/[([{]/); open >= 0; ) {
    const close = closing(bare, open);
    made += bare.slice(at, open + 1) + '_'.repeat(Math.max(0, close - open - 1));
    at = close;
    const next = bare.slice(close + 1).search(/[([{]/);
    open = next < 0 ? -1 : close + 1 + next;
  }
  return made + bare.slice(at);
}

function side(text: string): string {
  // What is compared inside of brackets is another matter.
  const [, left = '', right = ''] = COMPARISON.exec(shallow(text)) ?? [];
  if (left === '') return text;
  const [first, second] = [text.slice(0, left.length), text.slice(text.length - right.length)];
  return CONSTANT.test(first) && !/^\[\S+ for /.test(first) && right !== '' ? second.replace(/,\s*'.*$/, '') : first;
}

/** Numbers and strings; what a test knows about the world. */
export function literalsOf(code: string): readonly string[] {
  const found =
    code.match(/"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`|(?<![\w.])\d[\d_]*(?:\.\d+)?(?:e-?\d+)?/g) ??
    [];
  const plain = found.map(unquoted);
  // Ruby's lists of words.
  const lists = code.includes('%') ? code.matchAll(/%[wi][[({<]([^\])}>]*)[\])}>]/g) : [];
  return [...plain, ...[...lists].flatMap(list => list[1]?.match(/\S+/g) ?? [])];
}

function unquoted(literal: string): string {
  const own = /^["'`]/.test(literal) ? literal.slice(1, -1) : literal;
  return own.includes('_') ? own.replace(/(?<=\d)_/g, '') : own;
}
