/** One test as the guards see it; found by shape, not by running anything. */

/** One assertion of a test: what it is about and how much it asks. */
export interface Assertion {
  /** On one line, with one kind of quotes and without what does not change its meaning. */
  readonly text: string;
  readonly line: number;
  /** As it is written; the same here is the same in `text`. */
  readonly raw: string;
  /** What is looked at: `total(cart)` in `expect(total(cart)).toBe(3)`. */
  readonly subject: string;
  /** From 0, which any code passes, to 5, which only one value does. */
  readonly strength: number;
  readonly literals: readonly string[];
  /** Somebody waits for it. */
  readonly awaited: boolean;
}

/** `todo` is a name without a body; `conditional` runs in some environments. */
export type Skip = 'no' | 'conditional' | 'todo' | 'yes';

export interface TestCase {
  readonly name: string;
  /** Names of what it is in, outermost first. */
  readonly group: string;
  /** 1-based line of its head. */
  readonly line: number;
  readonly skip: Skip;
  readonly focus: boolean;
  /** Decorators, attributes and options before its body. */
  readonly head: string;
  /** Its body without comments, up to where it certainly returns. */
  readonly code: string;
  /** The same without the insides of strings. */
  readonly bare: string;
  /** 1-based line the body starts in. */
  readonly bodyLine: number;
  /** Rows of the tables it is run with; 0 where it has none. */
  readonly cases: number;
  /** Filled in when it is first asked for: see `assertionsOf`. A map of so many tests would take longer than reading them. */
  asks?: readonly Assertion[];
}

/** The line after its last one. */
export const endOf = ({ bodyLine, code }: Pick<TestCase, 'bodyLine' | 'code'>): number =>
  bodyLine + code.split('\n').length;

const ORDER: readonly Skip[] = ['no', 'conditional', 'todo', 'yes'];

export function mostSkipped(...skips: readonly Skip[]): Skip {
  let worst: Skip = 'no';
  for (const skip of skips) if (skip !== 'no' && ORDER.indexOf(skip) > ORDER.indexOf(worst)) worst = skip;
  return worst;
}

/** A title without the differences that do not make another test. */
export const normalName = (name: string): string =>
  (/\s\s|[^\S ]/.test(name) ? name.replace(/\s+/g, ' ') : name).trim();
