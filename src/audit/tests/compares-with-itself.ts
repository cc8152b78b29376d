/** Tests that compute the expected value with the code under test, or set it themselves. */
import { sidesOf } from './tautology.ts';
import type { Assertion, TestCase } from './test-case.ts';

/** Titles of tests in which calling twice is the point. */
const TWICE =
  /reflex|equal|identi|itself|same|determin|idempot|stable|memo|cache|twice|again|repeat|consisten|round.?trip|unchanged|pure|clone|copy/i;

/** Names with the values they are defined as. */
type Definitions = ReadonlyMap<string, Definition>;

interface Definition {
  readonly value: string;
  /** Its line in the body, from 0. */
  readonly at: number;
}

const DEFINES =
  /^\s*(?:(?:const|let|var|val|auto|final|static|[A-Z][\w.]*(?:<[^=]*>)?(?:\[\])?|int|long|double|float|boolean|bool|string)\s+)*(?:mut\s+)?([$@]?[A-Za-z_]\w*)(?:\s*:\s*[^=]+?)?\s*:?=\s*(?![=>~])(.+?);?\s*$/;

/** Names that are assigned once, on one line. */
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

/** A comparison with a number, which the test did not compute. */
const NUMBER_ASKED = /^expect\(.*\.to\w+\(-?\d[\d_.]*\)$|^assert [^,]* == -?\d[\d_.]*$/;

/** Why `to`, which replaced `from`, compares a thing with itself; or undefined. */
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
  // Both sides now come from one object, while one of them was independent before.
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

/** A side with the names at its beginning replaced by their definitions. */
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

/** Whether a definition is still valid: a field may change when something is called in between. */
function stillHolds(
  { value, at: from }: Definition,
  { at, code }: { readonly at: number; readonly code: string },
): boolean {
  if (value.includes('(')) return true;
  const between = code.split('\n').slice(from + 1, at);
  return between.every(line => !/\w\s*!?\(/.test(line) || /assert|expect|should/i.test(line));
}
