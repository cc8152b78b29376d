/** What a test runner said: how many tests ran, which, and how each ended. */

export type TestStatus = 'passed' | 'failed' | 'skipped';

export interface TestResults {
  readonly runner: string;
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** Passed and failed: what really ran. */
  readonly executed: number;
  /** Some runners name only what they bundle tests in. */
  readonly of?: 'packages';
  /** Every test by its id; absent where the output names only some of them. */
  readonly ids?: ReadonlyMap<string, TestStatus>;
  /** Ids of those that failed, as far as they are named. */
  readonly failures: readonly string[];
  /** Files, or packages, that could not even be loaded: none of their tests ran. */
  readonly notLoaded: readonly string[];
}

interface Counts {
  passed: number;
  failed: number;
  skipped: number;
}

/** Collects what one output says; a runner may have been started several times in it. */
export class Tally {
  readonly #runner: string;
  readonly #ids = new Map<string, TestStatus>();
  readonly #notLoaded: string[] = [];
  #parents = 0;
  readonly #failures = new Set<string>();

  constructor(runner: string) {
    this.#runner = runner;
  }

  /** Two tests of the same name are two tests. */
  add(id: string, status: TestStatus): void {
    let name = id;
    for (let n = 2; this.#ids.has(name); n++) name = `${id} (${n})`;
    this.#ids.set(name, status);
    if (status === 'failed') this.#failures.add(id);
  }

  failed(id: string): void {
    this.#failures.add(id);
  }

  /** Something that holds tests; some runners count it as a test too. */
  holds(): void {
    this.#parents += 1;
  }

  cannotLoad(file: string): void {
    this.#notLoaded.push(file);
  }

  get unloaded(): number {
    return this.#notLoaded.length;
  }

  /** By the ids alone, or by the runner's own sums: then the ids count as complete only if they are as many. */
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

/** All numbers of `12 passed`, by their word, over every place where a summary stands. */
export function sumWords(lines: Iterable<string>): (...words: readonly string[]) => number {
  const sums = new Map<string, number>();
  for (const line of lines) {
    for (const [, count = '0', word = ''] of line.matchAll(/(\d+) ([a-z]+)/g))
      sums.set(word, (sums.get(word) ?? 0) + Number(count));
  }
  return (...words) => words.reduce((sum, word) => sum + (sums.get(word) ?? 0), 0);
}

/** A file by an absolute path, as `node --test` names one that threw while it was loaded. */
export const isFilePath = (name: string): boolean => /^(?:\/|[A-Za-z]:\\)\S*\.\w+$/.test(name);
