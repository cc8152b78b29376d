/** The results of a test runner: how many tests ran, which, and how each ended. */

export type TestStatus = 'passed' | 'failed' | 'skipped';

export interface TestResults {
  readonly runner: string;
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** Passed and failed: what really ran. */
  readonly executed: number;
  /** Set if the runner names only packages and no tests. */
  readonly of?: 'packages';
  /** Every test by its id; absent if the output names only some of them. */
  readonly ids?: ReadonlyMap<string, TestStatus>;
  /** Ids of failed tests, as far as the output names them. */
  readonly failures: readonly string[];
  /** Files or packages that could not be loaded, so none of their tests ran. */
  readonly notLoaded: readonly string[];
}

interface Counts {
  passed: number;
  failed: number;
  skipped: number;
}

/** Collects the results in one output, in which a test runner may have been started several times. */
export class Tally {
  readonly #runner: string;
  readonly #ids = new Map<string, TestStatus>();
  readonly #notLoaded: string[] = [];
  #parents = 0;
  readonly #failures = new Set<string>();

  constructor(runner: string) {
    this.#runner = runner;
  }

  /** Tests with the same name are counted separately. */
  add(id: string, status: TestStatus): void {
    let name = id;
    for (let n = 2; this.#ids.has(name); n++) name = `${id} (${n})`;
    this.#ids.set(name, status);
    if (status === 'failed') this.#failures.add(id);
  }

  failed(id: string): void {
    this.#failures.add(id);
  }

  /** A group of tests, which some runners count as a test, too. */
  holds(): void {
    this.#parents += 1;
  }

  cannotLoad(file: string): void {
    this.#notLoaded.push(file);
  }

  get unloaded(): number {
    return this.#notLoaded.length;
  }

  /** Counts by ids, or by the runner's own totals; then the ids are complete only if there are as many. */
  results(sums?: Counts, of?: 'packages'): TestResults {
    const own = this.#count();
    const counts = sums ?? own;
    const complete = own.passed + own.failed + this.#parents >= counts.passed + counts.failed && this.#ids.size > 0;
    return {
      runner: this.#runner,
      ...counts,
      executed: counts.passed + counts.failed,
      ...(of && { of }),
      ...(complete && !of && { ids: this.#ids }),
      failures: [...this.#failures],
      notLoaded: [...new Set(this.#notLoaded)],
    };
  }

  #count(): Counts {
    const counts: Counts = { passed: 0, failed: 0, skipped: 0 };
    for (const status of this.#ids.values()) counts[status] += 1;
    return counts;
  }
}

/** Adds up numbers such as `12 passed` by their word, over all summaries. */
export function sumWords(lines: Iterable<string>): (...words: readonly string[]) => number {
  const sums = new Map<string, number>();
  for (const line of lines) {
    for (const [, count = '0', word = ''] of line.matchAll(/(\d+) ([a-z]+)/g))
      sums.set(word, (sums.get(word) ?? 0) + Number(count));
  }
  return (...words) => words.reduce((sum, word) => sum + (sums.get(word) ?? 0), 0);
}

/** Whether a name is an absolute file path, as `node --test` names a file that threw while loading. */
export const isFilePath = (name: string): boolean => /^(?:\/|[A-Za-z]:\\)\S*\.\w+$/.test(name);
