/** Text as search terms: words of any script, parts of identifiers and paths, without stop words. */
import { once } from '../util/once.ts';

const STOP: ReadonlySet<string> = new Set(
  (
    'a an and are as at be been before but by can do does done for from get had has have here how if in into is it its ' +
    'just make made may must of on one only or our out over per run so some such than that the their them then there ' +
    'these they this to up use used uses using via was we were what when where which while who will with would you your'
  ).split(' '),
);

/** Everyday words, and those of every plan: in a small collection they may be rare, and say little all the same. */
const EVERYDAY =
  'able add after again all allow already also always another any anything app appear back begin better big bit both ' +
  'build call case change check code complete correct could create current customer day default different display each ' +
  'easy either else end enter every everything existing expect extra fail false feature few file find first five follow ' +
  'four full gate give good green happen help hide hold hour include index instead item keep kind know large last later left ' +
  'less let lib like line list long look lost main many mean minute miss month more most move much name need new next no not ' +
  'now number off old once open other own page part pass people person place possible put reach read ready red reload ' +
  'replace require return right same save say screen see select send sent set short should show shown single small someone ' +
  'something src start state step still stop story store support sure switch system take task team tell ten test text than thing three ' +
  'together too top true try turn two type under until update user value view want way week well while whole without ' +
  'word work write written wrong year yes yet';

/** Words that turn a sentence around; two sentences that differ in them do not say the same. */
export const NEGATIONS: ReadonlySet<string> = new Set(
  'not no never none without avoid dont doesnt isnt cannot cant shouldnt wont instead except'.split(' '),
);

const PLAIN = /^[A-Z]?[a-z]+$/;
const WORD = /[\p{L}\p{N}]+/gu;
const IDENTIFIER = /[\p{L}\p{N}_$]+(?:['’][\p{L}]+)?/gu;
const PART = /\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+|\p{N}+|[\p{Lo}\p{M}]+/gu;
/** Written without spaces: pairs of neighbours stand for words. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]{2,}/gu;
const LONGEST = 40;

/** Every term of a text in its order, repeated ones too. */
export function termsOf(text: string): readonly string[] {
  const terms: string[] = [];
  const add = (word: string) => {
    const term = stem(word.toLowerCase());
    if (term.length > 1 && term.length <= LONGEST && !STOP.has(term)) terms.push(term);
  };
  for (const [word] of text.normalize('NFKC').matchAll(WORD)) {
    // Most words are plain; the rest of this is for those that are not.
    if (PLAIN.test(word)) {
      add(word);
      continue;
    }
    const pairs = [...word.matchAll(UNSPACED)].flatMap(([run]) => pairsOf(run));
    if (pairs.length > 0) {
      terms.push(...pairs);
      continue;
    }
    add(word);
    const parts = word.match(PART) ?? [];
    if (parts.length > 1) for (const part of parts) add(part);
  }
  return terms;
}

/** The words of a sentence, negations among them, in their order; for telling sentences apart. */
export function wordsOf(text: string): readonly string[] {
  return [...text.normalize('NFKC').toLowerCase().matchAll(IDENTIFIER)]
    .map(([word]) => word.replace(/['’]/g, ''))
    .filter(word => NEGATIONS.has(word) || !STOP.has(word))
    .map(stem);
}

/** Whether a term is an everyday word. */
export const isEveryday = (term: string): boolean => everyday().has(term);

function pairsOf(run: string): readonly string[] {
  const characters = [...run];
  return characters.slice(1).map((character, at) => `${characters[at]}${character}`);
}

/** Plurals and common endings, so that `migrations` finds `migration`; wrong stems do no harm, both sides get them. */
export function stem(word: string): string {
  if (word.length < 5 || !/^[a-z]+$/.test(word)) return word;
  return word
    .replace(/ies$/, 'y')
    .replace(/(?<=[a-z]{3})(?:ing|ed)$/, '')
    .replace(/([bdgmnprt])\1$/, '$1')
    .replace(/(?<=[a-z]{3}[^s])s$/, '')
    .replace(/(?<=[a-z]{4}[st])ion$/, '')
    .replace(/(?<=[a-z]{4})e$/, '');
}

const everyday = once((): ReadonlySet<string> => new Set(EVERYDAY.split(' ').map(stem)));
