/** Tests of languages with braces: Go, Rust, Java, Kotlin, C#, Swift, PHP. */
import { places } from '../../util/text.ts';
import type { Language } from '../language.ts';
import type { Masked } from '../mask.ts';
import { attributeSkip, cutAtReturn, fileSkip, isFocused, RETURN } from './brace-skips.ts';
import { closing, depthAt, hasTables, partsOf, pastSpace, tableRows } from './brackets.ts';
import { maySkipItself } from './self-skips.ts';
import { mostSkipped, normalName, type Skip, type TestCase } from './test-case.ts';

interface Head {
  readonly name: string;
  readonly start: number;
  /** Offsets of its attributes and annotations. */
  readonly attributes: readonly [number, number];
  /** Offset after its name. */
  readonly at: number;
}

export function braceTests({ code, bare }: Masked, language: Language): readonly TestCase[] {
  const place = places(bare);
  const containers = containersOf(code, bare, language);
  const file = fileSkip(code, language);
  // A cheap test on the whole file: if it does not match, it matches none of the tests.
  const ends = maySkipItself(bare) || bare.search(RETURN) >= 0;
  const tables = hasTables(bare);
  const cut = (open: number, close: number) =>
    ends ? cutAtReturn(bare, open, close) : { to: close, skip: 'no' as const };
  return headsOf(code, bare, language).flatMap((head): readonly TestCase[] => {
    const body = bodyAfter(bare, head.at);
    if (body === undefined) return [];
    const [open, close] = body;
    const end = cut(open, close);
    const around = containers.filter(({ from, to }) => from < head.start && to > close);
    const attributes = code.slice(...head.attributes);
    return [
      {
        name: normalName(head.name),
        group: around.map(({ name }) => name).join(' > '),
        line: place(head.start).line,
        skip: mostSkipped(attributeSkip(attributes, language), end.skip, file, ...around.map(({ skip }) => skip)),
        focus: isFocused(attributes),
        head: attributes,
        code: code.slice(open, end.to),
        bare: bare.slice(open, end.to),
        bodyLine: place(open).line,
        cases: attributeRows(bare.slice(...head.attributes)) + (tables ? tableRows(bare.slice(open, end.to)) : 0),
      },
    ];
  });
}

function headsOf(code: string, bare: string, language: Language): readonly Head[] {
  switch (language) {
    case 'go':
      return byName(bare, /^func\s+(?:\([^)]*\)\s*)?((?:Test|Fuzz|Example)\w*)\s*(?=\()/gm);
    case 'swift':
      return [
        ...byName(bare, /^[ \t]*(?:@\w+\s+)*(?:override\s+|public\s+|private\s+)*func\s+(test\w*)\s*(?=\()/gm),
        ...attributed(code, bare, /@Test\b/g),
      ];
    case 'php':
      return [
        ...byName(bare, /^[ \t]*public\s+(?:static\s+)?function\s+(test\w*)\s*(?=\()/gm),
        ...attributed(code, bare, /#\[Test\]|@test\b/g),
      ];
    case 'rust':
      return attributed(
        code,
        bare,
        /#\[\s*(?:\w+::)*(?:test|rstest|test_case|quickcheck|proptest|wasm_bindgen_test|bench)\b[^\]]*\]/g,
      );
    case 'java':
    case 'kotlin': {
      const annotated = attributed(
        code,
        bare,
        /@(?:\w+\.)*(?:Test|ParameterizedTest|RepeatedTest|TestFactory|Property|Theory)\b(?!\w)/g,
      );
      const old = /\bextends\s+\w*TestCase\b/.test(bare)
        ? byName(bare, /^[ \t]*public\s+void\s+(test\w*)\s*(?=\()/gm)
        : [];
      return [...annotated, ...old.filter(head => !annotated.some(other => other.name === head.name))];
    }
    case 'csharp':
      return attributed(
        code,
        bare,
        /\[(?:\w+,\s*)*(?:Fact|Theory|Test|TestMethod|TestCase|DataTestMethod|TestCaseSource)\b[^\]]*\]/g,
      );
    default:
      return [];
  }
}

const byName = (bare: string, pattern: RegExp): readonly Head[] =>
  [...bare.matchAll(pattern)].map(match => ({
    name: match[1] ?? '',
    start: match.index,
    attributes: [attributesStart(bare, match.index), match.index],
    at: match.index + match[0].length,
  }));

/** Where the attributes of a declaration start: after the last statement, block or blank line before it. */
function attributesStart(bare: string, at: number): number {
  let index = at - 1;
  let depth = 0;
  for (; index >= 0; index--) {
    const character = bare[index] ?? '';
    if (character === ')' || character === ']') depth += 1;
    else if (character === '(' || character === '[') depth -= 1;
    else if (depth <= 0 && (character === ';' || character === '}' || character === '{')) break;
  }
  return index + 1;
}

const NAME =
  /(?:\bfn\s+|\bfun\s+|\bfunction\s+|\bfunc\s+|\bdef\s+|\bvoid\s+|\bTask(?:<[^>]*>)?\s+|[\w>\])]\s+)(`[^`]+`|\w+)\s*(?:<[^>]*>)?\s*\(/g;

/** Functions that follow an attribute; one function may have several attributes. */
function attributed(code: string, bare: string, pattern: RegExp): readonly Head[] {
  const heads = new Map<number, Head>();
  // PHP's annotation is in a comment, which is blanked in `bare`.
  const text = pattern.source.includes('@test') ? code : bare;
  for (const match of text.matchAll(pattern)) {
    const from = match.index + match[0].length;
    NAME.lastIndex = from;
    for (let found = NAME.exec(bare); found && found.index - from < 1500; found = NAME.exec(bare)) {
      const before = bare.slice(from, found.index + 1);
      const inAnnotation = depthAt(bare, from, found.index) > 0 || /@\w*$|#\[[^\]]*$|\[\w*$/.test(before);
      if (inAnnotation || /@\w+\s*$/.test(found[0].replace(/\w+\s*\($/, ''))) continue;
      const at = found.index + found[0].length - 1;
      const name = (found[1] ?? '').replaceAll('`', '');
      if (!heads.has(at)) {
        heads.set(at, {
          name,
          start: match.index,
          attributes: [attributesStart(bare, match.index), found.index + 1],
          at,
        });
      }
      break;
    }
  }
  return [...heads.values()];
}

/** The body after the parameters: a block in braces, or one expression. */
function bodyAfter(bare: string, at: number): readonly [number, number] | undefined {
  const paren = bare
    .slice(at, at + 4)
    .trimStart()
    .startsWith('(')
    ? closing(bare, bare.indexOf('(', at)) + 1
    : at;
  const next = /[{;]|=(?!=)/.exec(bare.slice(paren, paren + 600));
  if (!next || next[0] === ';') return undefined;
  if (next[0] === '{') return [paren + next.index, closing(bare, paren + next.index)];
  // `fun name() = runTest { … }`, `public void Name() => Assert.Equal(…);`
  const from = paren + next.index + (bare[paren + next.index + 1] === '>' ? 2 : 1);
  const run = /^\s*[\w.]+(?:<[^<>\n]*>)?(?:\([^()\n]*\))?\s*\{/.exec(bare.slice(from, from + 200));
  if (run) return [from + run[0].length - 1, closing(bare, from + run[0].length - 1)];
  return [from, expressionEnd(bare, from)];
}

const STOPS = /[([{;\n]/g;

/** The end of an expression: a semicolon, or a line ending after which nothing continues it. */
function expressionEnd(bare: string, from: number): number {
  STOPS.lastIndex = pastSpace(bare, from);
  while (STOPS.test(bare)) {
    const at = STOPS.lastIndex - 1;
    const character = bare[at];
    if (character === ';') return at;
    if (character !== '\n') STOPS.lastIndex = closing(bare, at) + 1;
    else if (!/^\s*(?:\.|\?\.|should|&&|\|\|)/.test(bare.slice(at + 1, at + 60))) return at;
  }
  return bare.length;
}

interface Container {
  readonly from: number;
  readonly to: number;
  readonly name: string;
  readonly skip: Skip;
}

function containersOf(code: string, bare: string, language: Language): readonly Container[] {
  if (language === 'go') return [];
  const pattern =
    language === 'rust'
      ? /\b(?:mod\s+(\w+)|(?:proptest|quickcheck)!)\s*\{/g
      : /\b(?:class|struct|object|interface)\s+(\w+)[^{};]{0,1000}\{/g;
  return [...bare.matchAll(pattern)].map(match => {
    const open = match.index + match[0].length - 1;
    const attributes = code.slice(attributesStart(bare, match.index), match.index);
    return {
      from: match.index,
      to: closing(bare, open),
      name: match[1] ?? '',
      skip: attributeSkip(attributes, language),
    };
  });
}

function attributeRows(bareAttributes: string): number {
  if (bareAttributes.trim() === '') return 0;
  let rows = [...bareAttributes.matchAll(/#\[(?:case|test_case)\b|\[(?:InlineData|TestCase|DataRow)\b/g)].length;
  for (const match of bareAttributes.matchAll(/@\w+(?:Source|Values)\s*\([^{)]*\{/g)) {
    rows += partsOf(bareAttributes, match.index + match[0].length - 1).length;
  }
  return rows;
}
