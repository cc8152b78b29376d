/** Equality that holds for more than it did: the same comparisons, of which one is enough now. */
import { places } from '../../util/text.ts';
import type { LookFile } from '../look.ts';
import { closing } from '../tests/brackets.ts';
import { type Found, quote } from './rule.ts';

/** How a type says what it is equal to. */
const HEAD =
  /\bdef\s+(?:__eq__|==|eql\?|===|equal\?)\s*\(?[^\n]*|\b(?:boolean|bool|fun|Boolean|func|static func|fn|function|public|override|operator)\s+(?:fun\s+)?(?:\([^)]*\)\s*)?(?:equals|Equals?|isEqual(?:To)?|eq|operator\s*==|==)\s*\([^)]*\)[^{\n=]*(?:\{|=>?)|^[ \t]+(?:equals|isEqual(?:To)?)\s*\([^)]*\)[^{\n=]*\{/gm;

const MAY_COMPARE = /__eq__|eql\?|\bdef\s+==|[eE]quals?\b|isEqual|\bfn\s+eq\b|operator\s*==|func\s+==/;

interface Equality {
  /** Where it begins and ends in the file. */
  readonly from: number;
  readonly to: number;
  readonly body: string;
}

function equalitiesIn({ code, bare }: Pick<LookFile['after'], 'code' | 'bare'>): readonly Equality[] {
  return [...bare.matchAll(HEAD)].map(match => {
    const past = match.index + match[0].length;
    const end = match[0].endsWith('{')
      ? closing(bare, past - 1)
      : match[0].startsWith('def')
        ? indented(bare, match.index)
        : lineEnd(bare, past);
    return { from: match.index, to: end, body: code.slice(past, end) };
  });
}

const lineEnd = (text: string, from: number): number => {
  const end = text.indexOf('\n', from);
  return end < 0 ? text.length : end;
};

/** To the first line that stands no deeper than the head. */
function indented(text: string, from: number): number {
  const start = text.lastIndexOf('\n', from) + 1;
  const indent = from - start;
  for (let at = lineEnd(text, from); at < text.length; at = lineEnd(text, at + 1)) {
    const next = text.slice(at + 1, lineEnd(text, at + 1));
    if (next.trim() !== '' && next.length - next.trimStart().length <= indent) return at;
  }
  return text.length;
}

const AND = /\s*&&\s*|\s+and\s+/;
const OR = /\s*\|\|\s*|\s+or\s+/;
const flat = (term: string): string =>
  term
    .replace(/^[\s(]*(?:return\b|=>?)?[\s(]*|[\s);}]+$/g, '')
    .replace(/\bend$/, '')
    .replace(/\s+/g, ' ')
    .trim();

/** Comparisons that all had to hold. */
const needed = (body: string): ReadonlySet<string> =>
  new Set(
    body
      .replace(/\s*\n\s*(?=&&|\|\||and\b|or\b)|(?<=&&|\|\||\band|\bor)\s*\n\s*/g, ' ')
      .split('\n')
      .filter(line => AND.test(line))
      .flatMap(line => line.split(AND).map(flat)),
  );

/** One of two that both had to hold is enough. */
function eitherOf(was: Equality, now: Equality): string | undefined {
  const terms = needed(was.body);
  if (terms.size < 2) return undefined;
  const lines = now.body.replace(/\s*\n\s*(?=&&|\|\||and\b|or\b)|(?<=&&|\|\||\band|\bor)\s*\n\s*/g, ' ').split('\n');
  return lines.find(line => {
    const sides = line.split(OR);
    if (sides.length < 2) return false;
    const ends = sides.map(side => side.split(AND).map(flat));
    return ends.slice(1).some((right, at) => terms.has(ends[at]?.at(-1) ?? '') && terms.has(right[0] ?? ''));
  });
}

const NO = /\breturn\s+(?:NotImplemented|False|false|nil|NO)\b|^\s*(?:false|nil)\s*$/gm;
const YES = /(?:\breturn\s+(?:True|true|YES)|\n\s*true)\s*;?\s*\}?\s*(?:end)?\s*$/;

/** What it refused is equal now, and so is whatever else comes to its end. */
const saysYes = (was: Equality, now: Equality): boolean =>
  (was.body.match(NO)?.length ?? 0) > (now.body.match(NO)?.length ?? 0) &&
  YES.test(now.body.trimEnd()) &&
  !YES.test(was.body.trimEnd());

/** What it is, and whether it is the very same: nothing that is in it. */
const OF_KIND =
  /!?\(?\b\w+\s+(?:instanceof|is(?:\s+not)?|!is|as\??)\s+[\w.<>?*]+(?:\s+\w+(?=\s*[;)&|]))?\)?|\bisinstance\([^()]*\)|\btype\(\s*\w+\s*\)|\b\w+\.(?:is_a|kind_of|instance_of|nil)\?(?:\(?\s*[\w:.]+\)?)?|\b(?:\w+\.)?(?:getClass|GetType)\(\)|\b\w+\.(?:class|constructor|javaClass)\b|::class\b|\b(?:ReferenceEquals|identical|System\.identityHashCode|std::ptr::eq|equal\?)\([^()]*\)|\b(?:this|self|other|that|o|obj|object|rhs|lhs|null|None|nil|undefined|NotImplemented|true|false|True|False|return|if|else|and|or|not|is|end|let|const|var|final|bool|boolean)\b/g;

/** Whether anything is left besides the question of its kind. */
const comparesFields = (body: string): boolean => /[A-Za-z_]\w*/.test(body.replace(OF_KIND, ' '));

/** It looked into what it compares, and asks only of what kind that is now. */
const looksAway = (was: Equality, now: Equality): boolean => comparesFields(was.body) && !comparesFields(now.body);

export function looserEquality(file: LookFile): readonly Found[] {
  if (file.change.kind !== 'modified' || file.removed.length === 0 || !MAY_COMPARE.test(file.after.bare)) return [];
  const now = equalitiesIn(file.after);
  const old = equalitiesIn(file.before);
  // Of two kinds that came and went nobody knows which is which.
  if (now.length === 0 || now.length !== old.length) return [];
  const place = places(file.after.bare);
  let next = 0;
  return now.flatMap((own, at): readonly Found[] => {
    const was = old[at];
    if (!was || was.body === own.body) return [];
    const either = eitherOf(was, own);
    const away = either === undefined && looksAway(was, own);
    if (either === undefined && !away && !saysYes(was, own)) return [];
    const [first, last] = [place(own.from).line, place(own.to).line];
    while ((file.added[next]?.number ?? first) < first) next += 1;
    const come = file.added[next]?.number ?? first;
    const line = come <= last ? come : first;
    const other = away
      ? 'nothing that is in it is compared any more'
      : 'what it was not equal to before, it is equal to now';
    const message =
      either === undefined ? other : `in ${quote(either)} one of two is enough, where both had to be equal`;
    return [{ message, path: file.path, line }];
  });
}
