/** Expected values that were written down, and that the code under test works out itself now. */
import type { Line, LookFile } from '../look.ts';
import { linesWith } from '../matches.ts';
import { assertionsOf } from './assertions.ts';
import { closing } from './brackets.ts';
import { type Definitions, definitionsIn, flat, resolved } from './own-answer.ts';
import { sidesOf } from './tautology.ts';
import type { TestCase } from './test-case.ts';

export interface OwnExpectation {
  readonly text: string;
  readonly line: number;
}

/** `hash(` for `hash(record)`. */
const CALLED = /^(?:new )?((?:[\w$@]+(?:::|\.|->|\\))*[\w$@]+!?)\(/;
const calledBy = (side: string): string | undefined => CALLED.exec(side)?.[1];

/** What makes values of any kind, whoever is tested. */
const MAKES =
  /^(?:len|str|int|float|bool|list|dict|set|tuple|sorted|sum|max|min|abs|round|range|repr|type|String|Number|Boolean|Date|Symbol|BigInt|Decimal|Some|Ok|Err|vec!|format!|make|append|require|Array\..*|JSON\..*|Object\..*|Math\..*|strings\..*|fmt\..*|time\..*|errors\..*|Arrays\..*|List\..*|Map\..*|Set\..*|String::\w+|Vec::\w+|.*\.(?:toString|to_string|len|length|size|keys|values|clone|copy|join|format|getTime|toISOString))$/;

interface Comparison extends OwnExpectation {
  readonly sides: readonly [string, string];
}

function comparisonsOf(test: TestCase, outside: Definitions): readonly Comparison[] {
  const definitions = new Map([...outside, ...definitionsIn(test.code)]);
  return assertionsOf(test).flatMap(({ text, line }): readonly Comparison[] => {
    const sides = sidesOf(text);
    if (!sides) return [];
    const place = { at: line - test.bodyLine, code: test.code };
    const [a = '', b = ''] = sides.map(side => resolved(flat(side), definitions, place));
    return [{ text, line, sides: [a, b] }];
  });
}

const NONE: Definitions = new Map();

const callsOf = ({ bare }: TestCase): number => bare.split('(').length;

/** A comparison of a call with itself, where the call was compared with something known before. */
export function comparesWithItself(
  before: TestCase,
  after: TestCase,
  { old, now }: { readonly old: Definitions; readonly now: Definitions } = { old: NONE, now: NONE },
): OwnExpectation | undefined {
  // Where nothing more is called than before, nothing is worked out that was written down.
  if (now.size === 0 && callsOf(after) <= callsOf(before)) return undefined;
  const asks = comparisonsOf(after, now);
  const own = asks.find(({ sides: [a, b] }) => a === b && calledBy(a) !== undefined);
  const callee = own && calledBy(own.sides[0]);
  if (!own || callee === undefined || MAKES.test(callee)) return undefined;
  const isKnown = ({ sides: [a, b] }: Comparison) =>
    (calledBy(a) === callee && !b.includes(`${callee}(`)) || (calledBy(b) === callee && !a.includes(`${callee}(`));
  return comparisonsOf(before, old).some(isKnown) && !asks.some(isKnown) ? own : undefined;
}

const DEFINED = /[=:{]\s*(?:await\s+)?(?:new\s+)?[\w$@.:>\\-]+!?\(/g;

/** Beside the tests: a constant that they compare with, which is a call of what they ask now. */
export function constantsWorkedOut(file: LookFile): readonly OwnExpectation[] {
  const came = linesWith(file.added, DEFINED);
  if (came.length === 0 || came.length > MOST || file.removed.length > MOST) return [];
  const [now, all] = [definitionsOf(came), definitionsOf(file.removed)];
  const names = [...now.keys()].filter(name => all.has(name) && calledBy(now.get(name)?.value ?? '') !== undefined);
  if (names.length === 0) return [];
  const before = new Map(file.before.tests.map(test => [test.name, test]));
  return names.flatMap((name): readonly OwnExpectation[] => {
    const word = new RegExp(`(?<![\\w.])${name.replace(/\W/g, '\\$&')}(?!\\w)`);
    const hit = file.after.tests.find(test => {
      const was = word.test(test.code) ? before.get(test.name) : undefined;
      return was !== undefined && comparesWithItself(was, test, { old: all, now }) !== undefined;
    });
    const line = came.find(({ code }) => word.test(code));
    return hit && line ? [{ text: line.text.trim(), line: line.number }] : [];
  });
}

/** A change of more lines than this is a file written anew. */
const MOST = 300;

const LET = /^\s*let!?\(:(\w+)\)\s*\{\s*(.*?)\s*\}\s*$/;

const definitionsOf = (lines: readonly Line[]): Definitions =>
  definitionsIn(lines.map(({ code }) => code.replace(LET, '$1 = $2').replace(MODIFIERS, '')).join('\n'), -1);

const MODIFIERS = /^\s*(?:(?:export|public|private|protected|internal|static|final|readonly|const|pub)\s+)+/;

const LITERAL = /"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`[^`\n]*`|(?<![\w.])-?\d[\d_.]*/g;
const HOLE = '\u0001';

/** Rows of a table: `["A B", "a-b"]` became `["A B", slug("A B")]`. */
export function rowsWorkedOut(file: LookFile): readonly OwnExpectation[] {
  if (file.removed.length === 0 || file.removed.length > MOST || file.added.length > MOST) return [];
  const rows = linesWith(file.added, /[,:>]\s*[\w$@.:>\\-]+!?\([^\n]*[\])}]/g);
  if (rows.length === 0) return [];
  const shapes = new Set(file.removed.flatMap(({ code }) => withHoles(code)));
  return rows.flatMap(({ code, text, number }): readonly OwnExpectation[] => {
    const call = callsIn(code).find(({ from, to, callee, given }) => {
      const rest = `${code.slice(0, from)}${HOLE}${code.slice(to)}`;
      return given !== '' && rest.includes(given) && !MAKES.test(callee) && shapes.has(rest.trim());
    });
    if (!call) return [];
    const isAsked = file.after.tests.some(
      test =>
        test.code.includes(`${call.callee}(`) &&
        comparisonsOf(test, NONE).some(({ sides }) => sides.some(side => calledBy(side) === call.callee)),
    );
    return isAsked ? [{ text: text.trim(), line: number }] : [];
  });
}

/** The line once for each of its literals, without that one. */
const withHoles = (code: string): readonly string[] =>
  [...code.matchAll(LITERAL)]
    .slice(0, 12)
    .map(({ index, 0: literal }) => `${code.slice(0, index)}${HOLE}${code.slice(index + literal.length)}`.trim());

function callsIn(code: string): readonly { from: number; to: number; callee: string; given: string }[] {
  return [...code.matchAll(/(?<![\w$@.:>])(?:[\w$@]+(?:::|\.|->))*[\w$@]+!?\(/g)].map(match => {
    const open = match.index + match[0].length - 1;
    const close = closing(code, open);
    return {
      from: match.index,
      to: close + 1,
      callee: match[0].slice(0, -1),
      given: code.slice(open + 1, close).trim(),
    };
  });
}
