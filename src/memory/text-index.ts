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
const K1 = 1.2;
const B = 0.6;

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

/** Scores of the documents that hold any term of the query; those of a later index are numbered after the ones before. */
export function search(indexes: readonly TextIndex[], query: Query): ReadonlyMap<number, number> {
  const total = indexes.reduce((sum, index) => sum + index.count, 0);
  const scores = new Map<number, number>();
  const averages = indexes.map(averageLength);
  for (const [term, weight] of query) {
    const found = indexes.map(index => postingsOf(index, term));
    const holding = found.reduce((sum, list) => sum + list.length, 0);
    if (holding === 0) continue;
    const rarity = Math.log(1 + (total - holding + 0.5) / (holding + 0.5));
    let offset = 0;
    for (const [nth, index] of indexes.entries()) {
      for (const [document, times] of found[nth] ?? []) {
        const long = lengthOf(index, document) / (averages[nth] || 1);
        const score = (weight * rarity * times * (K1 + 1)) / (times + K1 * (1 - B + B * long));
        scores.set(offset + document, (scores.get(offset + document) ?? 0) + score);
      }
      offset += index.count;
    }
  }
  return scores;
}

const lengthOf = ({ lengths }: TextIndex, document: number): number =>
  Number.parseInt(lengths.slice(2 * document, 2 * document + 2), 36);

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

function postingsOf({ terms }: TextIndex, term: string): readonly (readonly [document: number, times: number])[] {
  const line = lineOf(terms, term);
  if (line === '') return [];
  let document = -1;
  return line.split(' ').map(entry => {
    const [distance = '', times = '1'] = entry.split('.');
    document += Number.parseInt(distance, 36);
    return [document, Number.parseInt(times, 36)] as const;
  });
}

/** Binary search over the lines of a sorted text. */
function lineOf(text: string, term: string): string {
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
