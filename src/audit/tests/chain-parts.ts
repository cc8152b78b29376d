/** One statement that asks for many things: each link of its chain is an assertion of its own. */
import { closing, partsOf } from './brackets.ts';

/** Where the links of a chain begin, outside of all brackets. */
function linkStarts(bare: string): readonly number[] {
  const found: number[] = [];
  for (let at = 0; at < bare.length; at++) {
    const character = bare[at] ?? '';
    if ('([{'.includes(character)) at = closing(bare, at);
    else if (character === '.' || (character === '-' && bare[at + 1] === '>')) {
      if (/^(?:\.|->)\s*[A-Za-z_]/.test(bare.slice(at, at + 12))) found.push(at);
    }
  }
  return found;
}

interface Link {
  readonly name: string;
  readonly from: number;
  readonly to: number;
}

function linksOf(bare: string): readonly Link[] {
  const starts = linkStarts(bare);
  return starts.map((from, index) => ({
    name: /[A-Za-z_]\w*/.exec(bare.slice(from, from + 60))?.[0] ?? '',
    from,
    to: starts[index + 1] ?? bare.length,
  }));
}

export interface Part {
  readonly text: string;
  /** In the statement. */
  readonly at: number;
}

const REQUEST = /^(?:expectStatus|expectHeader|expectBody|expectBodyList|expectCookie|jsonPath|xpath)$/;
const RESPONSE = /^(?:statusCode|body|header|headers|contentType|cookie|statusLine|time)$/;
const PREPARES =
  /^(?:as|describedAs|withFailMessage|overridingErrorMessage|extracting\w*|using\w+|ignoring\w+|withStrict\w+|asString|asList|asInstanceOf|filteredOn\w*|first|last|element|singleElement|flatExtracting|map|get|isPresent|isNotNull|isNotEmpty|rootCause|cause|message|and|satisfies\w*)$/;
const RAISED = /Thrown|Exception|Throw/;

const MAY_HAVE_PARTS = /\.assert\(\)|andExpect|expect[SHB]|then\(\)|->|(?:assert|expect)That\(|Should\(\)/;

/** The assertions of a statement; nothing where it is one. */
export function partsOfChain(raw: string, bare: string): readonly Part[] | undefined {
  // One word of each form first: nearly all statements have none.
  if (!MAY_HAVE_PARTS.test(bare)) return undefined;
  if (bare.includes('andExpect') && /\.\s*andExpect(?:All)?\s*\(/.test(bare)) return expected(raw, bare);
  if (/expect[SHB]/.test(bare) && /\.\s*expect(?:Status|Header|Body)\w*\s*\(/.test(bare)) return segments(raw, bare);
  if (bare.includes('.assert()')) return ofProcess(raw, bare);
  if (bare.includes('then()') && /\.\s*then\(\)/.test(bare)) return answered(raw, bare);
  const isArrow = bare.includes('->');
  if (isArrow && /->assert\w+\([^]*->\s*assert\w+\(/.test(bare)) return linked(raw, bare);
  if (isArrow && /^\s*expect\([^]*->to[A-Z]\w*\([^]*->(?:and\(|\w+->|to[A-Z]|not->)/.test(bare)) return pest(raw, bare);
  if (/^\s*(?:\w+\.)*(?:assertThat|expectThat)\(/.test(bare) && !RAISED.test(bare)) return fluent(raw, bare);
  if (bare.includes('Should()') && /\.\s*Should\(\)[^]*\.\s*And\s*\./.test(bare)) return and(raw, bare);
  return undefined;
}

/** MockMvc: `.andExpect(a).andExpectAll(b, c)`. */
const expected = (raw: string, bare: string): readonly Part[] =>
  linksOf(bare).flatMap(({ name, from }) => {
    if (!name.startsWith('andExpect')) return [];
    const open = bare.indexOf('(', from);
    return partsOf(bare, open).map(([start, end]) => ({
      text: `andExpect(${raw.slice(start, end).trim()})`,
      at: start,
    }));
  });

/** WebTestClient: from one thing that is looked at to the next. */
function segments(raw: string, bare: string): readonly Part[] {
  const links = linksOf(bare);
  const starts = links.filter(({ name }) => REQUEST.test(name));
  return starts.flatMap(({ from, to }, index) => {
    const end = starts[index + 1]?.from ?? bare.length;
    // `expectBody()` alone only says where to look.
    const alone = to >= end && /\(\s*(?:\w+\.class)?\s*\)\s*$/.test(bare.slice(from, end));
    return alone ? [] : [{ text: raw.slice(from + 1, end).trim(), at: from }];
  });
}

/** REST Assured: what comes after `then()`. */
function answered(raw: string, bare: string): readonly Part[] | undefined {
  const links = linksOf(bare);
  const then = links.findIndex(({ name }) => name === 'then');
  const asks = links.slice(then + 1).filter(({ name }) => RESPONSE.test(name));
  return asks.length === 0
    ? undefined
    : asks.map(({ from, to }) => ({ text: `then()${raw.slice(from, to).trim()}`, at: from }));
}

/** assert_cmd: each link after `assert()` looks at the exit status or at what was written. */
function ofProcess(raw: string, bare: string): readonly Part[] | undefined {
  const links = linksOf(bare);
  const asks = links.slice(links.findIndex(({ name }) => name === 'assert') + 1);
  // Whoever asks for one exit status has said whether it is one of success.
  const isCoded = asks.some(({ name }) => name === 'code');
  const own = asks.filter(({ name }) => OF_PROCESS.test(name) && !(isCoded && /^(?:success|failure)$/.test(name)));
  return own.length === 0
    ? undefined
    : own.map(({ from, to }) => ({ text: `assert()${raw.slice(from, to).trim().replace(/;$/, '')}`, at: from }));
}

const OF_PROCESS = /^(?:success|failure|code|interrupted|stdout|stderr|stdout_eq|stderr_eq)$/;

/** Laravel: `$this->post(…)->assertOk()->assertJsonPath(…)`. */
function linked(raw: string, bare: string): readonly Part[] | undefined {
  const links = linksOf(bare);
  const asks = links.filter(({ name }) => /^assert[A-Z]/.test(name));
  if (asks.length < 2) return undefined;
  const owner = /^\s*(\$\w+)\s*$/.exec(bare.slice(0, asks[0]?.from ?? 0))?.[1] ?? '$response';
  return asks.map(({ from, to }) => ({
    text: `${owner === '$this' ? '$response' : owner}${raw.slice(from, to).trim()}`,
    at: from,
  }));
}

/** Pest: `expect($a)->status->toBe('x')->and($b)->not->toBeNull()`. */
function pest(raw: string, bare: string): readonly Part[] | undefined {
  let subject = raw.slice(0, closing(bare, bare.indexOf('(')) + 1).trim();
  let words = '';
  const parts: Part[] = [];
  for (const { name, from, to } of linksOf(bare)) {
    const link = raw.slice(from, to).trim();
    if (name === 'and') {
      subject = `expect${link.slice(link.indexOf('('))}`;
      words = '';
    } else if (/^to[A-Z]/.test(name)) {
      parts.push({ text: `${subject}${words}${link}`, at: from });
      words = '';
    } else words += link;
  }
  return parts.length > 1 ? parts : undefined;
}

/** AssertJ, Truth, Strikt: `assertThat(x).hasSize(2).contains("a")`. */
function fluent(raw: string, bare: string): readonly Part[] | undefined {
  const open = bare.indexOf('(');
  const close = closing(bare, open);
  if (partsOf(bare, open, close).length !== 1) return undefined;
  let head = raw.slice(0, close + 1).trim();
  const parts: Part[] = [];
  for (const { name, from, to } of linksOf(bare)) {
    if (from < close) continue;
    const link = raw.slice(from, to).trim().replace(/;$/, '');
    if (!link.includes('(') || PREPARES.test(name)) head += link;
    else parts.push({ text: head + link, at: from });
  }
  return parts.length > 1 ? parts : undefined;
}

/** FluentAssertions: `x.Should().HaveCount(2).And.Contain("a")`. */
function and(raw: string, bare: string): readonly Part[] | undefined {
  const links = linksOf(bare);
  const should = links.findIndex(({ name }) => name === 'Should');
  const head = raw.slice(0, links[should]?.to ?? 0).trim();
  const breaks = links.filter(({ name }, index) => index > should && name === 'And');
  if (should < 0 || breaks.length === 0 || RAISED.test(bare)) return undefined;
  const starts = [links[should]?.to ?? 0, ...breaks.map(({ to }) => to)];
  return starts.map((from, index) => ({
    text: head + raw.slice(from, breaks[index]?.from ?? raw.length).trim(),
    at: from,
  }));
}
