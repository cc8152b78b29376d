/**
 * Tests that replace what they are supposed to test.
 *
 *     - expect(total(cart)).toBe(3);   in cart.test.js
 *     + vi.mock('./cart', () => ({ total: () => 3 })); expect(total(cart)).toBe(3);
 */
import { places } from '../../util/text.ts';
import type { LookFile, Side } from '../look.ts';
import { subjectOf } from '../roles.ts';
import { assertionsOf } from '../tests/assertions.ts';
import { patchedSubjects } from './python-patches.ts';
import { type Found, quote, type Rule } from './rule.ts';

export const testMocksSubject: Rule = {
  id: 'test-mocks-subject',
  level: 'block',
  protects: 'tests',
  about: 'A test mocks the thing it is supposed to test.',
  check: ({ files }) =>
    files.flatMap(file => {
      if (file.role !== 'test' || file.added.length === 0) return [];
      const mocks = mocksIn(file, 'after');
      if (mocks.length === 0) return [];
      const before = new Set(mocksIn(file, 'before').map(({ what }) => what));
      return mocks
        .filter(({ what }) => !before.has(what))
        .map(
          ({ what, line }): Found => ({
            message: `${what} is replaced by a mock in its own test`,
            path: file.path,
            line,
          }),
        );
    }),
};

/** A cheap test: each way below to replace something needs one of these words. */
const REPLACES =
  /[mM]ock|patch|[sS]tub|[sS]py|proxyquire|\.replace|setattr|\.fn\b|\bfunc\b|[fF]ake|Substitute|autospec|double|receive|\bdef\s+\w+\.|define_singleton|\bdo(?:Return|Answer|Nothing)\(/;

/** A file with none of these, and without an arrow function, cannot contain mocks. */
const HAS_TO_DO_WITH_IT =
  /mock|patch|stub|spy|prototype|Object\.|lambda|extends|setitem|globals|class |described_class|subject|prepend|provide|override|vars\(|receive|setattr|allow|fake|double|\.fn\(|Substitute|\.Setup|\bwhen\b|EXPECT\(|\.On\(|every|define_singleton|doReturn|def (?!self\b)\w+\./i;

interface Mock {
  readonly what: string;
  readonly line: number;
}

function mocksIn(file: LookFile, side: 'before' | 'after'): readonly Mock[] {
  const { code, bare } = file[side];
  if (!bare.includes('=>') && !HAS_TO_DO_WITH_IT.test(bare)) return [];
  const subject = subjectOf(file.path);
  const place = places(code);
  const lineAt = (at: number) => place(at).line;
  const asked = askedIn(file, side);
  const found: Mock[] = [];
  const add = (name: string, at: number) => found.push({ what: quote(name), line: lineAt(at) });

  for (const { what, at } of patchedSubjects(file, side)) add(what, at);
  if (!REPLACES.test(code)) return found;
  // jest.mock('./cart') in cart.test.js; a partial mock keeps the rest real, so there the replaced names count.
  for (const match of code.matchAll(
    /\b(?:jest|vi|vitest)\.(?:mock|doMock|setMock|unstable_mockModule)\(\s*(?:import\()?(['"`])([^'"`]+)\1/g,
  )) {
    if (!sameName(baseOf(match[2] ?? ''), subject) || !/^[.@~#/]|\//.test(match[2] ?? '')) continue;
    const body = code.slice(match.index, endOf(bare, match.index));
    if (/requireActual|importActual|importOriginal|\.\.\.\s*\(?\s*(?:await\s+)?\w+/.test(body)) {
      const names = [...body.matchAll(/(?:^|[,{\s])(\w+)\s*:\s*(?:jest|vi|\(|async|function)/g)].map(
        name => name[1] ?? '',
      );
      const own = names.find(name => asked.has(name));
      if (own) add(own, match.index);
    } else add(match[2] ?? '', match.index);
  }
  for (const match of code.matchAll(/\b(?:proxyquire|mockRequire|td\.replace|mock\.module)\(\s*(['"`])([^'"`]+)\1/g)) {
    if (!/^proxyquire/.test(match[0]) && sameName(baseOf(match[2] ?? ''), subject)) add(match[2] ?? '', match.index);
  }
  // A method is replaced, and then its result is asserted.
  for (const match of code.matchAll(
    /\b(?:spyOn|sinon\.(?:stub|replace)|td\.replace|mock\.method|patch\.object|monkeypatch\.setattr|stub_method)\(\s*([\w.]+)\s*,\s*['"](\w+)['"]/g,
  )) {
    const past = endOf(bare, match.index);
    const chain = /^\)(?:\s*\.\w+(?:\([^\n]*)?)*/.exec(code.slice(past, past + 200))?.[0] ?? '';
    const returns =
      file.language === 'js' ? code.slice(match.index, past) + chain : code.slice(match.index, past + 160);
    if (/callThrough|\.and\.callThrough|wraps=/.test(returns)) continue;
    if (
      !/mockReturn|mockImplementation|returnValue|callFake|mockResolved|mockRejected|returns|resolves|callsFake|fake|return_value|side_effect|lambda|,\s*\w+\s*\)|=>|new=/.test(
        returns,
      )
    )
      continue;
    if (asked.has(match[2] ?? '')) add(`${match[1]}.${match[2]}`, match.index);
  }
  // Python: patch('shop.cart.total') in test_cart.py, where the test calls total itself.
  for (const match of code.matchAll(/\b(?:patch|mocker\.patch|monkeypatch\.setattr)\(\s*(?:f)?(['"])([\w.]+)\1/g)) {
    const path = (match[2] ?? '').split('.');
    const name = path.at(-1) ?? '';
    const owner = path.slice(0, -1);
    const here = owner.at(-1) === baseOf(file.path) || /^__name__$/.test(owner.at(-1) ?? '');
    // A name that the test module itself calls is what it tests.
    const called = here && file[side].tests.some(test => new RegExp(`(?<![\\w.])${name}\\(`).test(test.bare));
    if (called) add(match[2] ?? '', match.index);
    else if (asked.has(name) && (here || (owner.some(part => sameName(part, subject)) && isLast(owner, subject))))
      add(match[2] ?? '', match.index);
  }
  // cart.total = MagicMock(return_value=3); cart.total = jest.fn(() => 3)
  for (const match of code.matchAll(
    /\b([A-Za-z_]\w*(?:\.\w+)*)\.(\w+)\s*=\s*(?:\w+\.)?(?:MagicMock|Mock|AsyncMock|jest\.fn|vi\.fn|sinon\.(?:stub|fake)|mock\.fn)\b/g,
  )) {
    if (asked.has(match[2] ?? '')) add(`${match[1]}.${match[2]}`, match.index);
  }
  // from shop.cart import total; total = Mock(return_value=3)
  for (const match of code.matchAll(
    /^[ \t]*(?:const\s+|let\s+)?(\w+)\s*=\s*(?:\w+\.)?(?:MagicMock|Mock|AsyncMock|jest\.fn|vi\.fn|sinon\.(?:stub|fake))\(/gm,
  )) {
    if (asked.has(match[1] ?? '') && isImported(code, match[1] ?? '')) add(match[1] ?? '', match.index);
  }
  // Go: Total = func(…) int { return 3 }
  for (const match of file.language === 'go' ? code.matchAll(/^[^\S\n]*((?:\w+\.)*(\w+))\s*=\s*func\s*\(/gm) : []) {
    if (asked.has(match[2] ?? '')) add(match[1] ?? '', match.index);
  }
  // Java, Kotlin, C#: a mock of the class that the test is named after.
  for (const match of code.matchAll(
    /\b(?:mock|spy|mockk|spyk|mockkClass|mockkObject|mockkStatic|mockkConstructor|mockStatic|mockConstruction|createMock|createStub|createPartialMock|createConfiguredMock|createConfiguredStub|getMockBuilder|partialMock|Mockery::mock|Mockery::spy|Mock\.Of|Substitute\.For(?:PartsOf)?|A\.Fake|NewMock|NewStub|NewFake|\bnew Fake|MagicMock\(\s*spec=|Mock\(\s*spec=|create_autospec|instance_double|class_double|double|new Mock)\s*[<(]*\s*['"]?\\?(?:[A-Z]\w*\\)*([A-Z]\w*)/g,
  )) {
    if (sameName(match[1] ?? '', subject)) add(match[1] ?? '', match.index);
  }
  for (const match of code.matchAll(
    /@(?:Mock|MockBean|MockitoBean|MockK|Spy|SpyBean|MockitoSpyBean|SpyK|RelaxedMockK)\b(?:\([^)]*\))?\s+(?:(?:private|protected|lateinit|var|final)\s+)*(?:(\w+)\s+\w+\s*;|\w+\s*:\s*(\w+))/g,
  )) {
    if (sameName(match[1] ?? match[2] ?? '', subject)) add(match[1] ?? match[2] ?? '', match.index);
  }
  // RSpec: allow(cart).to receive(:total), then expect(cart.total).
  for (const match of code.matchAll(
    /\b(?:allow|allow_any_instance_of|expect_any_instance_of)\(\s*([\w.:@]+)\s*\)\.to\s+receive(?:_messages)?\(?\s*:?(\w+)/g,
  )) {
    const own = /^(?:subject|described_class)$/.test(match[1] ?? '') || asked.has(match[2] ?? '');
    if (own && !/and_call_original/.test(code.slice(match.index, match.index + 200).split('\n')[0] ?? ''))
      add(`${match[1]}#${match[2]}`, match.index);
  }
  for (const match of code.matchAll(
    /^[ \t]+def\s+(?!self\b)(\w+)\.(\w+)|\b(\w+)\.define_singleton_method\(\s*:(\w+)/gm,
  )) {
    const [owner, name] = [match[1] ?? match[3] ?? '', match[2] ?? match[4] ?? ''];
    if (file.language === 'ruby' && asked.has(name)) add(`${owner}.${name}`, match.index);
  }
  // Mockito with the order reversed: doReturn(3).when(cart).total().
  for (const match of code.matchAll(/\bdo(?:Return|Answer|Nothing)\([^;\n]*\)\s*\.when\(\s*(\w+)\s*\)\s*\.(\w+)\(/g)) {
    if (asked.has(match[2] ?? '') && sameName(match[1] ?? '', subject.replace(/^.*(?=[A-Z]\w*$)/, '')))
      add(`${match[1]}.${match[2]}`, match.index);
  }
  for (const match of code.matchAll(/\b([\w.@]+)\.stubs?\(\s*:(\w+)/g)) {
    if (asked.has(match[2] ?? '')) add(`${match[1]}.${match[2]}`, match.index);
  }
  for (const match of code.matchAll(/\b(?:Mock|Fake|Stub)([A-Z]\w*)::(?:new|default)\(/g)) {
    if (file.language === 'rust' && sameName(match[1] ?? '', subject)) add(match[0], match.index);
  }
  return found;
}

const known = new WeakMap<Side, ReadonlySet<string>>();

/** Computed only if something is replaced, which is rare. */
const askedIn = (file: LookFile, side: 'before' | 'after') => ({
  has: (name: string) => {
    const names = known.get(file[side]) ?? namesAsked(file, side);
    known.set(file[side], names);
    return names.has(name);
  },
});

/** Names that assertions call, directly or through one variable: `const got = total(cart); expect(got)…` */
function namesAsked(file: LookFile, side: 'before' | 'after'): ReadonlySet<string> {
  const names = new Set<string>();
  for (const test of file[side].tests) {
    const values = new Map<string, string>();
    for (const match of test.bare.matchAll(
      /\b(?:const|let|var|val)?\s*(\w+)\s*:?=\s*(?:await\s+)?(?:\w+(?:\(\))?\.)*(\w+)\(/g,
    )) {
      values.set(match[1] ?? '', match[2] ?? '');
    }
    for (const { text } of assertionsOf(test)) {
      const before = text.replace(
        /\.(?:toHaveBeenCalled\w*|assert_(?:called|not_called|any_call|has_calls)\w*|called\w*|have_received|mock\.(?:calls|lastCall|results)|mock_calls|call_(?:args\w*|count)|method_calls|await_(?:args\w*|count)|callCount|args\[|(?:first|last)Call|getCalls?\().*$/,
        '',
      );
      if (before !== text) continue;
      for (const [, name = ''] of text.matchAll(/(\w+)\(/g)) names.add(name);
      for (const [, name = ''] of text.matchAll(/\.(\w+)(?![\w(])/g)) names.add(name);
      for (const [word] of text.matchAll(/\w+/g)) {
        const source = values.get(word);
        if (source !== undefined) names.add(source);
      }
    }
  }
  for (const common of ['expect', 'assert', 'assertEquals', 'toBe', 'toEqual', 'get', 'now', 'log'])
    names.delete(common);
  return names;
}

/** Imported from elsewhere in the project, under its own name. */
const isImported = (code: string, name: string): boolean =>
  new RegExp(`^(?:import\\b|from\\b|const\\s*\\{)[^;\\n]*\\b${name}\\b`, 'm').test(code);

const baseOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1).replace(/\.\w+$/, '');

const plain = (name: string): string => name.replace(/[-_.]/g, '').toLowerCase();
const sameName = (a: string, b: string): boolean => a !== '' && plain(a) === plain(b);

/** `shop.cart` or `shop.cart.Cart`, but not `shop.cart.requests`, which is a dependency of the subject. */
function isLast(owner: readonly string[], subject: string): boolean {
  const last = owner.at(-1) ?? '';
  return sameName(last, subject) || (sameName(owner.at(-2) ?? '', subject) && /^[A-Z]/.test(last));
}

function endOf(bare: string, from: number): number {
  const open = bare.indexOf('(', from);
  let depth = 0;
  for (let at = open; at < bare.length; at++) {
    if (bare[at] === '(') depth += 1;
    else if (bare[at] === ')' && --depth === 0) return at;
  }
  return bare.length;
}
