/**
 * Full-text search (BM25) over an inverted index that is one sorted text: loading it takes no work, and only the lines
 * of the terms that are asked for are ever decoded.
 */

export interface TextIndex {
  readonly count: number;
  /** Terms per document, two digits of base 36 each. */
  readonly lengths: string;
  /** A line per term, sorted: `term`, a tab, then per document the distance to the one before, and how often if not once. */
  readonly terms: string;
}

export type Query = ReadonlyMap<string, number>;

export const emptyIndex: TextIndex = { count: 0, lengths: '', terms: '' };

const LONGEST = 36 ** 2 - 1;
/** Large, because how often a term is counted says where it stands, and five times has to say more than twice. */
const K1 = 8;
const B = 0.6;
/** A synonym is worth less than the word itself. */
const ALSO = 0.7;
/** Lighter terms add to a score, and are no match of their own. */
const HEAVY = 0.5;
/** Among a handful of documents a word that all of them hold says no less than one that a few of many do. */
const FEW = 50;
const MANY = 1000;

export function buildIndex(documents: readonly (readonly string[])[]): TextIndex {
  const postings = new Map<string, { last: number; out: string[] }>();
  let lengths = '';
  for (const [at, terms] of documents.entries()) {
    lengths += Math.min(terms.length, LONGEST).toString(36).padStart(2, '0');
    const counts = new Map<string, number>();
    for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
    for (const [term, count] of counts) {
      const known = postings.get(term) ?? { last: -1, out: [] };
      known.out.push((at - known.last).toString(36) + (count > 1 ? `.${count.toString(36)}` : ''));
      known.last = at;
      postings.set(term, known);
    }
  }
  const lines = [...postings]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([term, { out }]) => `${term}\t${out.join(' ')}\n`);
  return { count: documents.length, lengths, terms: lines.join('') };
}

export interface Hit {
  readonly document: number;
  readonly score: number;
}

export interface SearchOptions {
  readonly most?: number;
  /** Other words for a term; the best of them counts, and less than the term itself. */
  readonly also?: (term: string) => readonly string[];
}

/** The best documents that hold a term of the query; those of a later index are numbered after the ones before it. */
export function search(indexes: readonly TextIndex[], query: Query, options: SearchOptions = {}): readonly Hit[] {
  const { most = 60, also = () => [] } = options;
  const total = indexes.reduce((sum, index) => sum + index.count, 0);
  const scores = new Float64Array(total);
  const matched = new Uint16Array(total);
  const averages = indexes.map(averageLength);
  const add = (document: number, score: number, weight: number) => {
    scores[document] = (scores[document] ?? 0) + score;
    if (weight >= HEAVY) matched[document] = (matched[document] ?? 0) + 1;
  };
  const each = ({ lists, holding }: Lists, weight: number, found: (document: number, score: number) => void) => {
    // In a large collection a word that every tenth document holds finds nothing and costs most.
    if (holding === 0 || (total > MANY && holding > total / 10)) return;
    const rare = weight * rarity(total, holding);
    for (const { index, offset, nth, list } of lists) {
      const average = averages[nth] || 1;
      eachPosting(list, (document, times) => {
        const long = lengthOf(index, document) / average;
        found(offset + document, (rare * times * (K1 + 1)) / (times + K1 * (1 - B + B * long)));
      });
    }
  };
  for (const [term, weight] of query) {
    const own = listsOf(indexes, [term]);
    const others = also(term).filter(other => !query.has(other));
    if (others.length === 0) {
      each(own, weight, (document, score) => add(document, score, weight));
      continue;
    }
    const most = new Map<number, number>();
    const keep = (document: number, score: number) => most.set(document, Math.max(most.get(document) ?? 0, score));
    each(listsOf(indexes, others), ALSO * weight, keep);
    each(own, weight, keep);
    for (const [document, score] of most) add(document, score, weight);
  }
  // Two words in common say more than one that is twice as rare.
  for (const [document, count] of matched.entries()) if (count > 1) scores[document] = (scores[document] ?? 0) * count;
  return bestOf(scores, most);
}

interface Lists {
  readonly lists: readonly {
    readonly index: TextIndex;
    readonly nth: number;
    readonly offset: number;
    readonly list: string;
  }[];
  readonly holding: number;
}

/** Where terms are held, and by how many documents at most. */
function listsOf(indexes: readonly TextIndex[], terms: readonly string[]): Lists {
  let offset = 0;
  const lists = indexes.flatMap((index, nth) => {
    const from = offset;
    offset += index.count;
    return terms.map(term => ({ index, nth, offset: from, list: lineOf(index.terms, term) }));
  });
  return { lists, holding: lists.reduce((sum, { list }) => sum + countIn(list), 0) };
}

/** How much a term says that so many of all documents hold. */
export const rarity = (total: number, holding: number): number =>
  Math.log(1 + (Math.max(total, FEW) - holding + 0.5) / (holding + 0.5));

/** Far behind the best there is nothing worth sorting. */
function bestOf(scores: Float64Array, most: number): readonly Hit[] {
  const least = scores.reduce((top, score) => Math.max(top, score), 0) / 8;
  const hits: Hit[] = [];
  for (let document = 0; document < scores.length; document++) {
    const score = scores[document] ?? 0;
    if (score > least) hits.push({ document, score });
  }
  return hits.sort((a, b) => b.score - a.score || a.document - b.document).slice(0, most);
}

const lengthOf = ({ lengths }: TextIndex, document: number): number =>
  36 * digit(lengths.charCodeAt(2 * document)) + digit(lengths.charCodeAt(2 * document + 1));

/** The value of a character of base 36. */
const digit = (character: number): number => (character < 58 ? character - 48 : character - 87);

function averageLength(index: TextIndex): number {
  // A sample is as good as all of them and does not grow.
  const step = Math.max(1, Math.floor(index.count / 200));
  let [sum, seen] = [0, 0];
  for (let document = 0; document < index.count; document += step) {
    sum += lengthOf(index, document);
    seen += 1;
  }
  return seen === 0 ? 1 : sum / seen;
}

const SPACE = 32;
const DOT = 46;

function countIn(list: string): number {
  if (list === '') return 0;
  let count = 1;
  for (let at = list.indexOf(' '); at >= 0; at = list.indexOf(' ', at + 1)) count += 1;
  return count;
}

/** Read character by character: these lists are where a search spends its time. */
function eachPosting(list: string, found: (document: number, times: number) => void): void {
  if (list === '') return;
  let [document, number, distance] = [-1, 0, -1];
  for (let at = 0; at <= list.length; at++) {
    const character = at < list.length ? list.charCodeAt(at) : SPACE;
    if (character === DOT) [distance, number] = [number, 0];
    else if (character === SPACE) {
      document += distance < 0 ? number : distance;
      found(document, distance < 0 ? 1 : number);
      [distance, number] = [-1, 0];
    } else number = number * 36 + digit(character);
  }
}

/** The rest of the line that begins with a term and a tab, in a text whose lines are sorted; empty where there is none. */
export function lineOf(text: string, term: string): string {
  let low = 0;
  let high = text.length;
  while (low < high) {
    const start = text.lastIndexOf('\n', ((low + high) >> 1) - 1) + 1;
    const from = Math.max(start, low);
    const tab = text.indexOf('\t', from);
    const end = text.indexOf('\n', from);
    if (tab < 0 || end < 0) return '';
    const found = text.slice(from, tab);
    if (found === term) return text.slice(tab + 1, end);
    if (found < term) low = end + 1;
    else high = from;
  }
  return '';
}
