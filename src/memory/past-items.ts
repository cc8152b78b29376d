/** Items of earlier runs and the files they changed, found by the words of their titles. */
import type { PastIndex } from './past-index.ts';
import { titleTerms } from './past-rows.ts';
import { Rows } from './rows.ts';
import type { RunRecord } from './run-record.ts';
import { buildIndex, type Query, search, type TextIndex } from './text-index.ts';

/** Items beside the large index, before all of them are indexed again. */
const OVERLAY = 64;
const PATHS = 12;

export class PastItems {
  readonly #rows: Rows;
  #index: TextIndex;
  /** Of the items that came after those of the index. */
  #overlay: TextIndex;

  constructor({ items, index, overlay }: Pick<PastIndex, 'items' | 'index' | 'overlay'>) {
    this.#rows = new Rows(items);
    this.#index = index;
    this.#overlay = overlay;
  }

  get size(): number {
    return this.#rows.size;
  }

  /** Files that items like this one changed, the likeliest first. */
  likelyPaths(query: Query): readonly string[] {
    const near = search([this.#index, this.#overlay], query, { most: 5 });
    const weights = new Map<string, number>();
    for (const { document, score } of near) {
      const [, ...paths] = this.#rows.at(document)?.split('\t') ?? [];
      for (const path of paths) weights.set(path, (weights.get(path) ?? 0) + score / Math.sqrt(paths.length));
    }
    return [...weights]
      .toSorted((a, b) => b[1] - a[1])
      .slice(0, 8)
      .map(([path]) => path);
  }

  /** Found once `cover` was called. */
  add(items: RunRecord['items']): void {
    for (const { title, attempts } of items) {
      const last = attempts.findLast(attempt => attempt.verdict === 'accepted' || attempt.verdict === 'progress');
      const paths = last?.paths.filter(name => !/[\t\n]/.test(name)).slice(0, PATHS) ?? [];
      if (paths.length > 0) this.#rows.push([title.replace(/\s+/g, ' '), ...paths].join('\t'));
    }
  }

  cover(): void {
    const rest = Array.from({ length: this.#rows.size - this.#index.count }, (_, n) =>
      titleTerms(this.#rows.at(this.#index.count + n) ?? ''),
    );
    this.#overlay = buildIndex(rest);
  }

  /** Before they are written: where many came since the index was made, it is made again. */
  settle(): void {
    const overlay = this.#rows.size - this.#index.count;
    if (overlay <= Math.max(OVERLAY, this.#index.count / 8)) return;
    this.#index = buildIndex(this.#rows.all().map(titleTerms));
    this.cover();
  }

  written(): Pick<PastIndex, 'items' | 'index' | 'overlay'> {
    return { items: this.#rows.written(), index: this.#index, overlay: this.#overlay };
  }
}
