/** Tests that take the answer from the very thing they ask, or put it there themselves. */
import { sidesOf } from './tautology.ts';
import type { Assertion, TestCase } from './test-case.ts';

/** Where asking twice is the point. */
const TWICE =
  /reflex|equal|identi|itself|same|determin|idempot|stable|memo|cache|twice|again|repeat|consisten|round.?trip|unchanged|pure|clone|copy/i;

/** Names with what they stand for. */
type Definitions = ReadonlyMap<string, Definition>;

interface Definition {
  readonly value: string;
  /** In the body, from 0. */
  readonly at: number;
}

const DEFINES =
  /^\s*(?:(?:const|let|var|val|auto|final|static|[A-Z][\w.]*(?:<[^=]*>)?(?:\[\])?|int|long|double|float|boolean|bool|string)\s+)*(?:mut\s+)?([$@]?[A-Za-z_]\w*)(?:\s*:\s*[^=]+?)?\s*:?=\s*(?![=>~])(.+?);?\s*$/;

/** Names that are given one value, on one line. */
function definitionsIn(code: string): Definitions {
  const found = new Map<string, Definition>();
  const twice = new Set<string>();
  for (const [at, line] of code.split('\n').entries()) {
    const [, name = '', value = ''] = DEFINES.exec(line) ?? [];
    if (name === '') continue;
    if (found.has(name)) twice.add(name);
    found.set(name, { value: flat(value), at });
  }
  for (const name of twice) found.delete(name);
  return found;
}

const flat = (code: string): string =>
  code
    .trim()
    .replace(/["`]/g, "'")
    .replace(/\s+/g, ' ')
    .replace(/\s*([().,[\]{}])\s*/g, '$1')
    .replace(/^await /, '')
    .replace(/^&(?:mut )?/, '');

const PATH = /^[$@]?[A-Za-z_]\w*(?:(?:\.|->|\?\.)\w+(?:\(\))?)*$/;

/** Compared with a number: nothing that the test made itself. */
const NUMBER_ASKED = /^expect\(.*\.to\w+\(-?\d[\d_.]*\)$|^assert [^,]* == -?\d[\d_.]*$/;

/** Why `to`, which took the place of `from`, compares a thing with itself, or nothing. */
export function ownAnswer(from: Assertion, to: Assertion, test: TestCase): string | undefined {
  if (TWICE.test(test.name) || NUMBER_ASKED.test(to.text)) return undefined;
  const sides = sidesOf(to.text);
  if (!sides || !/[A-Za-z_]/.test(sides[0]) || !/[A-Za-z_]/.test(sides[1])) return undefined;
  const at = to.line - test.bodyLine;
  const definitions = definitionsIn(test.code);
  const [a = '', b = ''] = sides.map(side => resolved(flat(side), definitions, { at, code: test.code }));
  if (a === b && !/^(?:'|true$|false$|nil$|null$|None$|[A-Z]\w*(?:::\w+)*$)/.test(a))
    return 'compares a thing with itself';
  const lost = from.literals.some(literal => !to.literals.includes(literal));
  const won = to.literals.some(literal => !from.literals.includes(literal));
  if (lost && !won && PATH.test(a) && PATH.test(b) && ownerOf(a) === ownerOf(b) && /[.>]/.test(a) && /[.>]/.test(b))
    return 'takes the answer from what it asks, which is less';
  // Both sides come from one thing, where one of them was known from elsewhere.
  const was = sidesOf(from.text)?.[1];
  const [one, other] = [ownerOf(sides[0]), ownerOf(sides[1])];
  if (
    was !== undefined &&
    one === other &&
    /[.>]/.test(sides[1]) &&
    !won &&
    !new RegExp(`\\b${one.replace(/[$@.>-]/g, '')}\\b`).test(was) &&
    !(/^\w+$/.test(was) ? new RegExp(`(?<![\\w.])${was}\\b`).test(sides[1]) : sides[1].includes(was))
  )
    return 'takes the answer from what it asks, which is less';
  return undefined;
}

const ownerOf = (path: string): string => /^(?:(?:self|this|\$this)(?:\.|->))?[$@]?\w+/.exec(path)?.[0] ?? path;

/** With the names at its beginning replaced by what they stand for. */
function resolved(
  side: string,
  definitions: Definitions,
  { at, code }: { readonly at: number; readonly code: string },
): string {
  let text = side;
  for (let step = 0; step < 3; step++) {
    const name = /^[$@]?[A-Za-z_]\w*(?=$|[^\w(:])/.exec(text)?.[0];
    const definition = name === undefined ? undefined : definitions.get(name);
    if (name === undefined || !definition || definition.at >= at || !stillHolds(definition, { at, code })) return text;
    text = definition.value + text.slice(name.length);
  }
  return text;
}

/** A field may have another value once something was called in between. */
function stillHolds(
  { value, at: from }: Definition,
  { at, code }: { readonly at: number; readonly code: string },
): boolean {
  if (value.includes('(')) return true;
  const between = code.split('\n').slice(from + 1, at);
  return between.every(line => !/\w\s*!?\(/.test(line) || /assert|expect|should/i.test(line));
}
