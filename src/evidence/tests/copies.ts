/** A copy of a thing, compared with the thing: it is equal whatever the code does. */
import { type Assertion, assertionsOf } from './assertions.ts';
import { sidesOf } from './tautology.ts';
import type { TestCase } from './test-case.ts';

const NAME = String.raw`([$@]?[A-Za-z_][\w$]*(?:(?:\.|->|::)\w+)*)`;
const COPIES: readonly RegExp[] = [
  // { ...x }, [...x], [*x], { **x }
  String.raw`(?:\{|\[) ?(?:\.\.\.|\*\*?)${NAME} ?,?(?:\}|\])`,
  String.raw`(?:structuredClone|(?:_|lodash)\.clone(?:Deep)?|cloneDeep|Array\.from|(?:copy\.)?(?:deep)?copy|dict|list|tuple|set|str|OrderedDict|Array|Hash|slices\.Clone|maps\.Clone|bytes\.Clone|(?:List|Set|Map)\.copyOf|(?:java\.util\.)?Arrays\.copyOf|proto\.Clone|Marshal\.load|clone|array_merge|iterator_to_array|\w+::from|Object\.freeze)\(&?${NAME}(?:, ?\w+(?:\.length)?)?\)`,
  String.raw`JSON\.parse\(JSON\.stringify\(${NAME}\)\)|(?:json\.loads\(json\.dumps|JSON\.parse\(JSON\.generate|Marshal\.load\(Marshal\.dump|json_decode\(json_encode|pickle\.loads\(pickle\.dumps)\(${NAME}\)(?:,true)?\)`,
  String.raw`Object\.assign\(\{\},${NAME}\)|Object\.fromEntries\(Object\.entries\(${NAME}\)\)`,
  String.raw`(?:new )?(?:(?:Array|Linked)?List|HashSet|TreeSet|LinkedHashSet|HashMap|LinkedHashMap|TreeMap|Map|Set|ArrayDeque|Dictionary|String|Array|Date)(?:<[^<>]*>)?\(${NAME}\)`,
  String.raw`append\(\[\][\w.*]+(?:\{\}|\(nil\)),${NAME}\.\.\.\)`,
  String.raw`${NAME}\.(?:copy|clone|dup|deep_dup|deepcopy|slice|concat|toArray|toList|toMutableList|to_owned|to_vec|to_string|toString|to_a|to_h|ToList|ToArray|Clone|Copy|model_copy|_replace|itself)(?:\(\)|(?![\w(]))`,
  String.raw`\(?clone \(?${NAME}\)?\)?`,
  String.raw`${NAME}\[:\]`,
].map(source => new RegExp(`^&?(?:${source})$`));

/** The name of what is copied. */
function copiedName(side: string): string | undefined {
  for (const pattern of COPIES) {
    const name = pattern.exec(side)?.slice(1).find(Boolean);
    if (name !== undefined) return name;
  }
  return undefined;
}

/** Where copying, or comparing with a copy, is the point. */
const ABOUT_COPIES =
  /cop(?:y|ies)|clon|reflex|equal|itself|same|identi|mutat|immutab|unchanged|frozen|freez|round.?trip|serial|iter|spread|convert|to_?(?:dict|list|array|hash|json)|snapshot/i;

const MAY_COPY =
  /\.\.\.|\*\*|\[\*|[cC]lone|[cC]opy|JSON|json|\bdup\b|dict\(|list\(|tuple\(|set\(|Array|List|Set\(|Map|Object\.|append\(|\[:\]|slice\(\)|to_?[aAvhHsSlL]|::from|pickle|Marshal/;

/** A new assertion that compares a thing with its own copy, where something fixed was asked for before. */
export function comparedWithCopy(before: TestCase, after: TestCase): Assertion | undefined {
  if (ABOUT_COPIES.test(after.name) || !MAY_COPY.test(after.code)) return undefined;
  const former = new Set(before.code.split('\n').map(line => line.trim()));
  // Copies stand in lines that are new.
  const fresh = after.code.split('\n').filter(line => MAY_COPY.test(line) && !former.has(line.trim()));
  if (fresh.length === 0) return undefined;
  const old = new Set(assertionsOf(before).map(({ text }) => text));
  const now = assertionsOf(after);
  const isGiven = fresh.some(line => DEFINES.test(line));
  const copied = now.find(
    own => !old.has(own.text) && (isGiven || MAY_COPY.test(own.text)) && copyIn(own, after) !== undefined,
  );
  if (!copied)
    return isGiven ? now.find(own => old.has(own.text) && isGivenCopy(copyIn(own, after), before)) : undefined;
  const texts = new Set(now.map(({ text }) => text));
  const asked = new Set(now.flatMap(own => (own === copied ? [] : own.literals)));
  const isLost = ({ text, strength, literals }: Assertion) =>
    strength >= 4 &&
    !texts.has(text) &&
    (literals.length > 0 ? literals.some(literal => !asked.has(literal)) : FIXED.test(text));
  return assertionsOf(before).some(isLost) ? copied : undefined;
}

const DEFINES = /[A-Za-z_]\w*(?:\s*:[^=]+)?\s*:?=(?![=>~])/;

/** The same assertion, about a name that stood for something fixed and stands for a copy now. */
function isGivenCopy(definition: string | undefined, { code }: TestCase): boolean {
  const name = /([A-Za-z_]\w*)(?:\s*:[^=]+)?\s*:?=/.exec(definition ?? '')?.[1];
  if (name === undefined || definition === undefined || code.includes(definition.trim())) return false;
  return new RegExp(`\\b${name}\\b[^=\\n]*:?=\\s*[^\\n]*["'\`\\d[{]`).test(code);
}

/** Something without a literal that has one value all the same. */
const FIXED = /[[({] ?[\])}]|\b(?:true|false|True|False|nil|null|None)\b/;

/** The copy as it is written, or the line that makes it. */
function copyIn({ text, line }: Assertion, { code, bodyLine }: TestCase): string | undefined {
  const sides = sidesOf(text);
  if (!sides) return undefined;
  const [a, b] = [sides[0].trim(), sides[1].trim()];
  if (copiedName(a) === b || copiedName(b) === a) return text;
  // `const want = { ...got }` right before it.
  const above = code.split('\n').slice(0, line - bodyLine);
  return copyOf(above, a, b) ?? copyOf(above, b, a);
}

/** A name that was given a copy of the other, with nothing in between that could change one of them. */
function copyOf(above: readonly string[], name: string, other: string): string | undefined {
  if (!/^[$@]?[A-Za-z_]\w*$/.test(name)) return undefined;
  const defines = new RegExp(
    `(?:^|[\\s(])${name.replace(/[$@]/g, '\\$&')}(?:\\s*:\\s*[^=]+)?\\s*:?=\\s*(?![=>~])(.+?);?\\s*$`,
  );
  const at = above.findLastIndex(line => defines.test(line));
  const line = above[at];
  if (line === undefined) return undefined;
  const value = (defines.exec(line)?.[1] ?? '').replace(/["`]/g, "'").replace(/\s*([().,[\]{}])\s*/g, '$1');
  const isQuiet = above
    .slice(at + 1)
    .every(own => !/\w[!?]?\s*\(/.test(own) || /assert|expect|should|DeepEqual|cmp\./i.test(own));
  return isQuiet && copiedName(value) === other ? line : undefined;
}
