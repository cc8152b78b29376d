/** A test that took the place of another, under another name: the same with less in it. */
import { literalsOf } from './assertion-text.ts';
import type { Assertion } from './assertions.ts';
import type { Pair } from './compare.ts';

/** `now` is `old` with one piece taken out of it. */
function isReduced(old: string, now: string): boolean {
  if (now === '' || now.length >= old.length) return false;
  let head = 0;
  while (head < now.length && old[head] === now[head]) head += 1;
  let tail = 0;
  while (tail < now.length - head && old.at(-1 - tail) === now.at(-1 - tail)) tail += 1;
  return head + tail === now.length;
}

const without = (literals: readonly string[], others: readonly string[]): readonly string[] => {
  const rest = [...others];
  return literals.filter(literal => {
    const at = rest.indexOf(literal);
    if (at < 0) return true;
    rest.splice(at, 1);
    return false;
  });
};

/** What the tests still know, wherever it stands. */
type Known = (literal: string) => boolean;

/**
 * The value that nobody asks for any more, where what is fed in was cut down to something easier and what is expected
 * went with it. The literals of assertions are what is expected, the others are fed in.
 */
export function easierTest(
  { before, after }: Pair,
  pairs: readonly (readonly [Assertion, Assertion])[],
  isKnown: Known,
): { readonly lost: string; readonly line: number } | undefined {
  if (before.test.name === after.test.name || before.file !== after.file || before.test.cases > 0) return undefined;
  const [from, to] = pairs.find(([old, now]) => old.subject === now.subject && expectsOther(old, now)) ?? [];
  if (!from || !to) return undefined;
  const expected = new Set(pairs.flatMap(([old, now]) => [...old.literals, ...now.literals]));
  const fed = (code: string) => literalsOf(code).filter(literal => !expected.has(literal));
  const [old, now] = [fed(before.test.code), fed(after.test.code)];
  const [gone, come] = [without(old, now), without(now, old)];
  // Each new input is a former one without a piece, or there is one fewer.
  const isLess =
    gone.length > 0 && gone.length >= come.length && come.every(literal => gone.some(was => isReduced(was, literal)));
  const lost = gone.find(literal => literal.length > 1 && !isKnown(literal));
  const wanted = from.literals.filter(literal => !to.literals.includes(literal));
  if (!isLess || lost === undefined || wanted.every(isKnown)) return undefined;
  return { lost, line: to.line };
}

const expectsOther = (old: Assertion, now: Assertion): boolean =>
  old.strength >= 4 && old.literals.some(literal => !now.literals.includes(literal));
