/** The text of an assertion: its normal form, its subject, and the values in it. */

import { closing, partsOf } from './brackets.ts';

/** Cypress writes the matcher as a string: `.should('have.text', 'x')` becomes `.should.have.text('x')`. */
export const spelledOut = (raw: string): string =>
  raw.includes('.should(') ? raw.replace(/\.(should|and)\(\s*(['"`])([a-zA-Z.]+)\2\s*,?\s*/g, '.$1.$3(') : raw;

/** A cheap test whether one of the prefixes below may have to be removed. */
const MAY_BEGIN =
  /^(?:#|async |await|return|yield|void|(?:org|io|com|kotlin|Xunit|NUnit|Microsoft|s|suite)\.|_ = |Assert|MatcherAssert|\(|\w+\s*=>)/;

/** A cheap test whether the text may have to be normalised. */
const IS_LOOSE = /["`;]|\.should\(|\s\s|[^\S ]| [().,[\]{}]|[().,[\]{}] |,[)\]}]|^assert[[{'\d-]/;

export function normalize(raw: string): string {
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
    .replace(/^(?:await|return|yield|void)\s+/, '')
    .replace(/^#(?:expect|require)\(/, 'assert(')
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

export function subjectOf(text: string): string {
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
  // The subject of `expect([200, 404]).toContain(status)` is the status.
  const list = own.length === 1 && CONSTANT.test(own[0] ?? '') ? MEMBER.exec(text.slice(close + 1)) : null;
  if (list) return list[1] ?? text;
  return side(pick(own) || text);
}

/** The subject in forms where it is not in the first brackets. */
function ofOtherForms(text: string): string | undefined {
  const pattern = /^(?:debug_)?assert!\(matches!\(/.exec(text)?.[0];
  if (pattern !== undefined) return subjectOf(`matches!(${text.slice(pattern.length)}`);
  const mock = /^([\w.]+)\.assert_(?:called|any_call|has_calls|not_called|awaited)/.exec(text)?.[1];
  if (mock !== undefined) return mock;
  const response = /^(\$(?!this\b)\w+)->assert/.exec(text)?.[1];
  if (response !== undefined) return response;
  const condition = /^if (?:.*;\s*)?(.*?)\s*(?:===?|!==?|<=?|>=?).*$/.exec(text);
  if (condition) return condition[1] ?? text;
  const statement = /^(?:assert|refute)\s+(?:not\s+)?(?!\()(.*)$/.exec(text);
  if (statement && /^\w+\s/.test(text)) return side(statement[1] ?? text);
  const command = /^(?:assert|refute)_\w+ (.*)$/.exec(text);
  return command ? pick((command[1] ?? '').split(',')) : undefined;
}

/** The part that is not a constant: libraries disagree whether it comes first. */
const pick = (parts: readonly string[]): string =>
  parts.find(part => !CONSTANT.test(part.trim()))?.trim() ?? parts[0] ?? '';

/** The text with the contents of brackets blanked. */
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
  // A comparison inside brackets does not count.
  const [, left = '', right = ''] = COMPARISON.exec(shallow(text)) ?? [];
  if (left === '') return text;
  const [first, second] = [text.slice(0, left.length), text.slice(text.length - right.length)];
  return CONSTANT.test(first) && !/^\[(?:\S+ |[^'\]]*\b|\([^()]*\))for /.test(first) && right !== ''
    ? second.replace(/,\s*'.*$/, '')
    : first;
}

/** The numbers and strings in code. */
export function literalsOf(code: string): readonly string[] {
  const found =
    code.match(/"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`|(?<![\w.])\d[\d_]*(?:\.\d+)?(?:e-?\d+)?/g) ??
    [];
  const plain = found.map(unquoted);
  // Ruby's word lists.
  const lists = code.includes('%') ? code.matchAll(/%[wi][[({<]([^\])}>]*)[\])}>]/g) : [];
  return [...plain, ...[...lists].flatMap(list => list[1]?.match(/\S+/g) ?? [])];
}

function unquoted(literal: string): string {
  const own = /^["'`]/.test(literal) ? literal.slice(1, -1) : literal;
  return own.includes('_') ? own.replace(/(?<=\d)_/g, '') : own;
}
