/** The search words of an item: those that distinguish it from the others of its plan; title and paths weigh most. */
import type { Item } from '../protocol.ts';
import type { Query } from './text-index.ts';
import { isEveryday, termsOf } from './words.ts';

export type ItemWords = Pick<Item, 'title' | 'body' | 'criteria'>;

const CHARS = 4000;
const TERMS = 80;
const WEIGHTS = { title: 2, path: 2, criteria: 1, body: 1 } as const;
const EVERYDAY = 0.2;
/** Of words that are not in the item: a topic of the pin, files that items like it changed. */
const ADDED = 1;
/** Fewer items than this have no habits of wording yet. */
const FEWEST = 4;
/** A sample of a long plan says as well which words are common in it. */
const LOOKED_AT = 100;
/** Files and folders, in backticks or not. */
const PATH = /[\w@.-]*\/[\w@./*-]+|\b[\w-]+\.[a-z]{1,4}\b/g;

const EXTENSION = /\.\w{1,4}$/;

/** Terms with their weights; words that half of the plan's items hold have none. */
export function queryOf(item: ItemWords, common: Common): Query {
  const query = new Map<string, number>();
  const add = (terms: readonly string[], weight: number) => {
    for (const term of terms) {
      const own = weight * (isEveryday(term) ? EVERYDAY : 1) * (1 - (common.get(term) ?? 0));
      if (own <= 0 || (query.size >= TERMS && !query.has(term))) continue;
      query.set(term, Math.max(query.get(term) ?? 0, own));
    }
  };
  const [criteria, body] = [item.criteria.join('\n').slice(0, CHARS), item.body.slice(0, CHARS)];
  add(termsOf(item.title), WEIGHTS.title);
  add(`${body}\n${criteria}`.match(PATH)?.flatMap(termsOf) ?? [], WEIGHTS.path);
  add(termsOf(criteria), WEIGHTS.criteria);
  add(termsOf(body), WEIGHTS.body);
  return query;
}

/** The same with words that were not in the item. */
export function expanded(query: Query, more: readonly string[]): Query {
  const all = new Map(query);
  for (const term of more.flatMap(words => termsOf(words.replace(EXTENSION, '')))) {
    if (all.size >= 2 * TERMS) break;
    if (!all.has(term) && !isEveryday(term)) all.set(term, ADDED);
  }
  return all;
}

/** How common each term is in a plan, from 0 to 1 for those that at least half of its items hold. */
export type Common = ReadonlyMap<string, number>;

/** Finds that out once for as long as a plan keeps its words: items are asked for one after the other. */
export class CommonWords {
  #texts: readonly string[] = [];
  #common: Common = new Map();

  in(plan: readonly ItemWords[]): Common {
    const step = Math.ceil(plan.length / LOOKED_AT);
    const texts = plan.length < FEWEST ? [] : plan.filter((_, n) => n % step === 0).map(textOf);
    if (texts.length === this.#texts.length && texts.every((text, n) => text === this.#texts[n])) return this.#common;
    const holding = new Map<string, number>();
    for (const text of texts)
      for (const term of new Set(termsOf(text))) holding.set(term, (holding.get(term) ?? 0) + 1);
    this.#texts = texts;
    this.#common = new Map([...holding].map(([term, count]) => [term, Math.min(1, (2 * (count - 1)) / texts.length)]));
    return this.#common;
  }
}

const textOf = ({ title, body, criteria }: ItemWords): string =>
  [title, criteria.join('\n').slice(0, CHARS), body.slice(0, CHARS)].join('\n');
