/** Assertions that list every value there is: no answer is a wrong one. */
import type { Look } from '../look.ts';
import { closing, partsOf } from './brackets.ts';

/** Without one of these an assertion lists nothing and has no two sides. */
const MAY_TAKE_EVERY = /matches!|\bin\b|[iI]n\(|be_in|ne_?[oO]f|nclude|ontain|\|\||\bor\b|[aA]nyOf|\bis\b|Or\b/;

/** Every value of a type that everybody has. */
const CLOSED: readonly ReadonlySet<string>[] = [
  ['true', 'false'],
  ['Less', 'Equal', 'Greater'],
  ['Some', 'None'],
  ['Ok', 'Err'],
  ['-1', '0', '1'],
].map(values => new Set(values));

/** Of an enum or a union that the change shows. */
const ENUM =
  /\benum\s+(?:class\s+|struct\s+)?(\w+)[^{;\n]*\{([^{}]*(?:\{[^{}]*\}[^{}]*)*)\}|\btype\s+(\w+)\s*=((?:\s*\|?\s*(?:'[^'\n]*'|"[^"\n]*"|-?\d+))(?:\s*\|\s*(?:'[^'\n]*'|"[^"\n]*"|-?\d+))+)/g;
const PYTHON_ENUM = /^class\s+(\w+)\((?:\w+\.)?(?:Str|Int)?(?:Enum|Flag)[^)]*\):\n((?:[ \t]+[^\n]*\n|\n)+)/gm;

const memo = new WeakMap<Look, readonly ReadonlySet<string>[]>();

function closedIn(look: Look): readonly ReadonlySet<string>[] {
  const known = memo.get(look);
  if (known) return known;
  const found: ReadonlySet<string>[] = [...CLOSED];
  memo.set(look, found);
  const texts = [...look.files.map(({ after }) => after.code), ...(look.input.unchanged?.values() ?? [])];
  for (const text of texts) {
    if (!/\benum\b|\bEnum\b|\btype\s+\w+\s*=/.test(text)) continue;
    for (const match of text.matchAll(ENUM)) {
      const body = match[2] === undefined ? (match[4] ?? '').split('|') : namesIn(match[2]);
      add(found, body.map(plain));
    }
    for (const match of text.matchAll(PYTHON_ENUM))
      add(
        found,
        [...(match[2] ?? '').matchAll(/^[ \t]+([A-Z]\w*)\s*=/gm)].map(member => member[1] ?? ''),
      );
  }
  return found;
}

function add(found: ReadonlySet<string>[], values: readonly string[]): void {
  const own = new Set(values.filter(value => value !== ''));
  // One of two may be all that there is to ask; of one there is nothing to list.
  if (own.size >= 2) found.push(own);
}

/** Names of the variants, without what they carry; methods of an enum stand behind a semicolon. */
const namesIn = (body: string): readonly string[] =>
  (body.split(';')[0] ?? '')
    .replace(/#\[[^\]]*\]|@\w+(?:\([^)]*\))?/g, '')
    .replace(/\([^()]*\)|\{[^{}]*\}/g, '')
    .split(',')
    .map(part => /^\s*(?:case\s+)?(\w+)/.exec(part)?.[1] ?? '');

/** `Ordering::Less`, `Status.OPEN`, `Some(_)`, `'open'` by their last name. */
const plain = (value: string): string =>
  value
    .trim()
    .replace(/^[&*]+/, '')
    .replace(/[({].*$/s, '')
    .replace(/^.*(?:::|\.(?=[A-Za-z_]))/, '')
    .replace(/^['"]|['"]$/g, '')
    .replace(/^(?:True|False|None|TRUE|FALSE)$/, word => (word === 'None' ? word : word.toLowerCase()));

const hollow = (text: string): string =>
  text.replace(/'(?:\\.|[^'\\])*'/g, found => `'${'_'.repeat(Math.max(0, found.length - 2))}'`);

/** The values that an assertion (in its normal form) lists as fine. */
function listed(text: string): readonly string[] {
  const bare = hollow(text);
  const matches = bare.indexOf('matches!(');
  if (matches >= 0) {
    const pattern = partsOf(bare, matches + 8).slice(1);
    const [from, to] = [pattern[0]?.[0], pattern.at(-1)?.[1]];
    if (from === undefined || to === undefined || / if /.test(bare.slice(from, to))) return [];
    return splitAt(text, bare, from, to, '|');
  }
  const list = LIST.exec(bare);
  if (!list) return [];
  const open = list.index + list[0].length;
  const inner =
    '[({'.includes(bare[open + 1] ?? '_') && closing(bare, open + 1) === closing(bare, open) - 1 ? open + 1 : open;
  const close = closing(bare, inner);
  // A list that comes first has to be asked whether it holds something.
  if (!/\bin |[iI]n\(|ne_?[oO]f|be_in|nyOf/.test(list[0]) && !HOLDS.test(bare.slice(close + 1))) return [];
  return partsOf(bare, inner, close).map(([from, to]) => text.slice(from, to).trim());
}

const MAKES = String.raw`(?:(?:(?:mutable)?[lL]ist|[sS]et|array|arrayList)Of|(?:List|Set|EnumSet|Stream)\.of|Arrays\.asList)?`;
/** Up to the bracket that a list begins with. */
const LIST = new RegExp(
  [
    String.raw`\bin ?${MAKES}(?=[[({])`,
    String.raw`\bassertIn\(.*?, ?(?=[[({])`,
    String.raw`\b(?:one_?[oO]f|isIn|isOneOf|toBeOneOf|BeOneOf|be_one_of|isAnyOf|anyOf|be_in)(?=\()`,
    String.raw`\b(?:be_in) ?(?=\[)`,
    String.raw`^(?:\w+\.)*(?:expect|assert\w*!?)[( ] ?${MAKES}(?=[[({])`,
  ].join('|'),
);
const HOLDS =
  /^\)?\s*\.?(?:to[. ])?(?:toContain|include\??|includes|contains?|has|toInclude|Contains|should include|indexOf)\b/;

function splitAt(text: string, bare: string, from: number, to: number, sign: string): readonly string[] {
  const parts: string[] = [];
  let start = from;
  for (let at = from; at <= to; at++) {
    if ('([{'.includes(bare[at] ?? '_')) at = closing(bare, at);
    else if (at === to || bare[at] === sign) {
      parts.push(text.slice(start, at).trim());
      start = at + 1;
    }
  }
  return parts;
}

const OPPOSITE: Readonly<Record<string, string>> = {
  '==': '!=',
  '===': '!==',
  '<': '>=',
  '>': '<=',
  is: 'is not',
};

/** `x >= 0 || x < 0`, `x is None or x is not None`, `ok || !ok`. */
function isEither(text: string): boolean {
  const inner = text
    .replace(/^(?:\w+\.)*(?:expect|assert(?:True|_true|!)?|ok|isTrue|XCTAssert(?:True)?)\s*[( ]\s*/, '')
    .replace(
      /\)(?:\.(?:toBe|toEqual|to\.equal|to\.be)\(?(?:true)?\)?|\.to\.be\.true|\.toBeTruthy\(\)|\.isTrue\(\))?$/,
      '',
    );
  const sides = inner.split(/ ?\|\| ?| or /);
  if (sides.length !== 2) return false;
  const [one = '', other = ''] = sides.map(side => side.trim().replace(/^\((.*)\)$/, '$1'));
  if (other === `!${one}` || one === `!${other}` || other === `not ${one}`)
    return /^[\w.$()]+$/.test(one.replace(/^!/, ''));
  const [a, b] = [COMPARED.exec(one), COMPARED.exec(other)];
  if (!a || !b || a[1] !== b[1] || a[3] !== b[3]) return false;
  const [first = '', second = ''] = [a[2], b[2]];
  const reaches = (sign: string, also: string) =>
    OPPOSITE[sign] === also || (/^[<>]=$/.test(sign) && /^[<>]=?$/.test(also) && sign[0] !== also[0]);
  return reaches(first, second) || reaches(second, first);
}

const COMPARED = /^([\w.$()[\]']+?) ?(===?|!==?|<=?|>=?|\bis not\b|\bis\b) ?([\w.$'"-]+)$/;

/** Whether no value could fail it. */
export function takesEvery(text: string, look: Look): boolean {
  if (!MAY_TAKE_EVERY.test(text) || /\.not\b|\bnot in\b|[nN]ot_?(?:In|Contain|Include)/.test(text)) return false;
  if (/\|\|| or /.test(text) && isEither(text)) return true;
  const values = listed(text);
  if (values.length < 2 || values.some(value => /\d|'/.test(value.replace(/^[^(]*\(_?\)$/, '')) && /\(/.test(value)))
    return false;
  const own = new Set(values.map(plain));
  return closedIn(look).some(
    closed =>
      closed.size <= own.size &&
      [...closed].every(value => own.has(value)) &&
      (closed.size > 2 || own.size === closed.size),
  );
}
