/** Compares two assertions about the same subject: whether the new one asserts less. */
import { escaped } from '../../util/text.ts';
import { likeness, wordsOf } from './compare.ts';
import { looserNumber } from './looser-bounds.ts';
import type { Assertion } from './test-case.ts';

export interface Matched {
  readonly pairs: readonly (readonly [Assertion, Assertion])[];
  readonly gone: readonly Assertion[];
  readonly fresh: readonly Assertion[];
}

const memo = new WeakMap<readonly Assertion[], { readonly after: readonly Assertion[]; readonly matched: Matched }>();

/** Pairs the changed assertions; unchanged ones are left out. Cached, because two rules need it. */
export function matchAssertions(before: readonly Assertion[], after: readonly Assertion[]): Matched {
  const known = memo.get(before);
  if (known?.after === after) return known.matched;
  const matched = match(before, after);
  memo.set(before, { after, matched });
  return matched;
}

function match(before: readonly Assertion[], after: readonly Assertion[]): Matched {
  let short = Math.min(before.length, after.length);
  let head = 0;
  while (head < short && before[head]?.raw === after[head]?.raw) head += 1;
  short -= head;
  let tail = 0;
  while (tail < short && before.at(-1 - tail)?.raw === after.at(-1 - tail)?.raw) tail += 1;
  const [old, now] = [before.slice(head, before.length - tail), after.slice(head, after.length - tail)];
  const [one, other] = [old[0], now[0]];
  return old.length === 1 && now.length === 1 && one && other ? matchOne(one, other) : matchRest(old, now);
}

/** The most frequent case: exactly one assertion changed. */
function matchOne(old: Assertion, now: Assertion): Matched {
  if (old.text === now.text) return { pairs: [], gone: [], fresh: [] };
  const isSame = old.subject === now.subject || LIKE.some(({ score, least }) => score(old, now) >= least);
  return isSame ? { pairs: [[old, now]], gone: [], fresh: [] } : { pairs: [], gone: [old], fresh: [now] };
}

function matchRest(before: readonly Assertion[], after: readonly Assertion[]): Matched {
  const texts = counted(after.map(({ text }) => text));
  const gone = before.filter(({ text }) => !take(texts, text));
  const kept = counted(before.map(({ text }) => text));
  const fresh = after.filter(({ text }) => !take(kept, text));
  const pairs: (readonly [Assertion, Assertion])[] = [];
  pairBySubject({ gone, fresh, pairs });
  for (const { score, least } of LIKE) {
    // With thousands of them, comparing every pair takes too long.
    if (gone.length * fresh.length > COMPARED) break;
    for (const old of [...gone]) {
      const best = fresh.map(now => ({ now, score: score(old, now) })).sort((a, b) => b.score - a.score)[0];
      if (!best || best.score < least) continue;
      pairs.push([old, best.now]);
      gone.splice(gone.indexOf(old), 1);
      fresh.splice(fresh.indexOf(best.now), 1);
    }
  }
  return { pairs, gone, fresh };
}

interface Likeness {
  readonly score: (old: Assertion, now: Assertion) => number;
  /** From this score on, they have the same subject. */
  readonly least: number;
}

/** The most certain measure first. */
const LIKE: readonly Likeness[] = [
  { score: (old, now) => (RAISES.test(old.text) && RAISES.test(now.text) ? 1 : 0), least: 1 },
  { score: (old, now) => (!old.text.startsWith('if ') && isWithin(old.subject, now.subject) ? 1 : 0), least: 1 },
  { score: (old, now) => likeness(subjectWords(old), subjectWords(now)), least: 0.6 },
  {
    score: ({ literals }, now) => (literals.length > 1 && literals.join('\n') === now.literals.join('\n') ? 1 : 0),
    least: 1,
  },
  {
    score: (old, now) => likeness(wordsOf(`${old.subject} ${old.text}`), wordsOf(`${now.subject} ${now.text}`)),
    least: 0.4,
  },
];

const isWithin = (old: string, now: string): boolean =>
  (old.length > 3 && now.includes(old)) || now.startsWith(`${old}.`) || now.startsWith(`${old}[`);

const COMPARED = 2500;

function counted(texts: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return counts;
}

function take(counts: Map<string, number>, text: string): boolean {
  const left = counts.get(text) ?? 0;
  counts.set(text, left - 1);
  return left > 0;
}

/** Pairs assertions with the same subject, in order, and removes them from both lists. */
function pairBySubject({
  gone,
  fresh,
  pairs,
}: {
  gone: Assertion[];
  fresh: Assertion[];
  pairs: (readonly [Assertion, Assertion])[];
}): void {
  const bySubject = new Map<string, Assertion[]>();
  for (const now of fresh) bySubject.set(now.subject, [...(bySubject.get(now.subject) ?? []), now]);
  const used = new Set<Assertion>();
  for (const old of gone) {
    const now = bySubject.get(old.subject)?.shift();
    if (!now) continue;
    pairs.push([old, now]);
    used.add(old);
    used.add(now);
  }
  gone.splice(0, gone.length, ...gone.filter(old => !used.has(old)));
  fresh.splice(0, fresh.length, ...fresh.filter(now => !used.has(now)));
}

const RAISES =
  /expectException\(|raises|toThrow|assertThrows|raise_error|assertRaises|should_panic|Throws|Throw<|ThrownBy|ThatException|ThatIllegal|shouldThrow|assertFails|MatchError|HaveOccurred|assert_raise|rejects/;
const WRAPPERS =
  /^(?:isinstance|len|str|int|bool|dict|list|type|typeof|length|size|count|first|last|is_some|is_ok|is_err|is_none|unwrap|unwrap_err|keys|values|toString|String|Number|Boolean|Object|Array|isArray|clone|structuredClone|await|contains|starts_with|ends_with|startsWith|endsWith|startswith|endswith|includes|matches|mock|calls|callCount|call_count|args|true|false|null|None|nil|undefined|not|any)$/;

/** The words of its subject, without wrappers. */
const subjectWords = ({ subject }: Assertion): ReadonlySet<string> =>
  new Set(
    [...wordsOf(subject.replace(/'(?:\\.|[^'\\])*'/g, ''))].filter(word => !WRAPPERS.test(word) && !/^\d/.test(word)),
  );

/** Why `now` asserts less than `old`, or undefined. */
export function loosened(old: Assertion, now: Assertion): string | undefined {
  const from = /^(?:if )/.test(old.text) ? Math.min(old.strength, 5) : old.strength;
  // `toBe(true)` and `toBeTruthy()` are a matter of taste.
  if (from === 4 && now.strength === 2 && isTruth(old.text) && isTruth(now.text)) return undefined;
  // Something that equals an empty list is empty.
  if (isEmptiness(old.text) && isFalsehood(now.text)) return undefined;
  if (from - now.strength >= 2) return 'asks for less';
  // `toHaveBeenCalledOnce()` expresses the 1 as a word.
  const said = (literal: string) => literal === '1' && /[oO]nce\b/.test(now.text);
  // A pattern may contain the whole literal.
  const held = (literal: string) => literal.length > 5 && now.text.includes(literal);
  const lost = old.literals.filter(literal => !now.literals.includes(literal) && !said(literal) && !held(literal));
  // A part of a former literal is nothing new.
  const isPiece = (literal: string) =>
    literal !== '' &&
    (lost.some(other => other.includes(literal)) || (from === 5 && NAME.test(literal) && old.text.includes(literal)));
  const fresh = now.literals.filter(literal => !old.literals.includes(literal));
  const won = from > now.strength ? fresh.filter(literal => !isPiece(literal)) : fresh;
  if (lost.length > 0 && won.length === 0) {
    const twice = occurrences(now.text, old.subject) > 1 && occurrences(old.text, old.subject) === 1;
    if (old.subject.length >= 3 && twice) return 'compares a thing with itself';
    if (from > now.strength || (now.strength === from && TAKES_PARTS.test(now.text) && !isNamed(old, now, lost)))
      return 'asks for less';
  }
  if (from === 5 && lost.length > 0 && isSizeOf(now.subject, old.subject)) return 'asks only for a size, which is less';
  // A chain that lost its values: `change(x).from(1).to(2)` became `change(x)`.
  const same = old.subject === now.subject && now.strength <= 4 && old.text.startsWith(now.text);
  if (lost.length > 0 && won.length === 0 && same) return 'asks for less';
  return looserNumber(old.text, now.text);
}

const TAKES_PARTS = /toMatchObject|objectContaining|arrayContaining|expect\.any|\bANY\b/;

/** Whether only a literal was replaced by a name: the value moved into a table or a constant. */
function isNamed(old: Assertion, now: Assertion, lost: readonly string[]): boolean {
  const pattern = lost.reduce(
    (text, literal) =>
      text.replace(
        new RegExp(`'${escaped(escaped(literal))}'|(?<![\\w.])${escaped(escaped(literal))}(?!\\w)`),
        () => NAMED,
      ),
    escaped(old.text),
  );
  return new RegExp(`^${pattern}$`).test(now.text);
}

const NAMED = String.raw`(?!(?:ANY|mock\.ANY|any\w*|undefined|null|None|nil)\b)[A-Za-z_$][\w$.]*`;

/** A field name, which may have been written without quotes before. */
const NAME = /^[A-Za-z_]\w*$/;

/** Whether `now` is `order.length` or `len(order)` where `old` was `order`. */
function isSizeOf(now: string, old: string): boolean {
  const rest = now.replace(/^(?:len|count|size)\((.*)\)$/, '$1').replace(/\.(?:length|size|count|len)(?:\(\))?$/, '');
  return rest !== now && rest === old;
}

const occurrences = (text: string, part: string): number => text.split(part).length - 1;

const isEmptiness = (text: string): boolean =>
  /(?:==|[eE]quals?\w*\(|\beq\(?|toBe\(|,) ?(?:\[\]|\{\}|''|\(\)|0)\)?$/.test(text);
const isFalsehood = (text: string): boolean => /^assert not |[fF]als[ey]|[eE]mpty\b|^refute /.test(text);

const isTruth = (text: string): boolean =>
  /(?:\(|, ?| )(?:true|false|True|False)\)?$|Truthy|Falsy|[aA]ssert_?(?:True|False|true|false)\(|be_(?:truthy|falsy|falsey)|\.(?:ok|isTrue|isFalse|true|false)\(|^assert(?: not)? [\w.()]+$|^assert!\(!?[\w.()]+\)$/.test(
    text,
  );
