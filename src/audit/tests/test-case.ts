/** A test as the guards see it; found by patterns, without running anything. */

/** One assertion of a test: its subject and its strength. */
export interface Assertion {
  /** Its normal form: on one line, with one kind of quotes and without what does not change its meaning. */
  readonly text: string;
  readonly line: number;
  /** As written; if two are equal here, they are equal in `text`. */
  readonly raw: string;
  /** What is asserted: `total(cart)` in `expect(total(cart)).toBe(3)`. */
  readonly subject: string;
  /** From 0, which any code passes, to 5, which only one value passes. */
  readonly strength: number;
  readonly literals: readonly string[];
  /** The test awaits it. */
  readonly awaited: boolean;
}

/** `todo` is a name without a body; `conditional` runs in some environments. */
export type Skip = 'no' | 'conditional' | 'todo' | 'yes';

export interface TestCase {
  readonly name: string;
  /** Names of the groups around it, outermost first. */
  readonly group: string;
  /** 1-based line of its head. */
  readonly line: number;
  readonly skip: Skip;
  readonly focus: boolean;
  /** Decorators, attributes and options before its body. */
  readonly head: string;
  /** Its body without comments, up to where it unconditionally returns. */
  readonly code: string;
  /** The same without the contents of strings. */
  readonly bare: string;
  /** 1-based line the body starts in. */
  readonly bodyLine: number;
  /** Rows of the tables it is run with; 0 if there are none. */
  readonly cases: number;
  /** Filled on first use, see `assertionsOf`. With so many tests, a map would take longer than parsing them. */
  asks?: readonly Assertion[];
}

/** The number of the line after its last one. */
export const endOf = ({ bodyLine, code }: Pick<TestCase, 'bodyLine' | 'code'>): number =>
  bodyLine + code.split('\n').length;

const ORDER: readonly Skip[] = ['no', 'conditional', 'todo', 'yes'];

export function mostSkipped(...skips: readonly Skip[]): Skip {
  let worst: Skip = 'no';
  for (const skip of skips) if (skip !== 'no' && ORDER.indexOf(skip) > ORDER.indexOf(worst)) worst = skip;
  return worst;
}

/** A title without differences in white space. */
export const normalName = (name: string): string =>
  (/\s\s|[^\S ]/.test(name) ? name.replace(/\s+/g, ' ') : name).trim();
