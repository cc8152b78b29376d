/** The known name that is closest to a mistyped or shortened one; undefined if none is close. */
export function nearest(word: string, known: Iterable<string>): string | undefined {
  const names = [...known];
  // With as many typos as letters, every name would be close.
  const slips = Math.min(Math.max(2, Math.round(word.length / 3)), word.length - 1);
  // A typed prefix is more likely meant than several typos in one short word.
  return closest(word, names, Math.min(1, slips)) ?? shortened(word, names) ?? closest(word, names, slips);
}

/** The known name that a word is with at most one slip, capital letters and separators aside. */
export const slipOf = (word: string, known: readonly string[]): string | undefined => closest(word, known, 1);

function closest(word: string, names: readonly string[], slips: number): string | undefined {
  let best: string | undefined;
  let bestDistance = slips + 1;
  for (const name of names) {
    const distance = editDistance(letters(word), letters(name));
    if (distance < bestDistance) {
      best = name;
      bestDistance = distance;
    }
  }
  return best;
}

/** A shorter word is the prefix of too many names. */
const SHORTEST = 3;

/** `maxiter`, `max-iter`, `iterations` and `maxiters` all match `max-iterations`; the shortest match wins. */
function shortened(word: string, names: readonly string[]): string | undefined {
  const typed = letters(word);
  if (typed.length < SHORTEST) return undefined;
  const byLength = names.toSorted((a, b) => a.length - b.length);
  return (
    byLength.find(name => letters(name).startsWith(typed)) ??
    byLength.find(name => tails(name).some(tail => tail.startsWith(typed))) ??
    byLength.find(name => leavesOut(typed, letters(name)))
  );
}

/** The letters of a name, without separators. */
const letters = (name: string): string => name.toLowerCase().replace(/[-_\s]/g, '');

/** `iteration-timeout`: the rest of the name from each word on. */
const tails = (name: string): readonly string[] => {
  const words = name.toLowerCase().split(/[-_\s]/);
  return words.map((_, index) => words.slice(index).join(''));
};

/** The same first letter and the same order, with less than half of the letters left out. */
function leavesOut(short: string, long: string): boolean {
  if (short[0] !== long[0] || short.length * 2 <= long.length) return false;
  let at = 0;
  for (const letter of long) if (letter === short[at]) at++;
  return at === short.length;
}

/** Levenshtein distance with two rows. */
function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = (previous[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      row.push(Math.min(change, (previous[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1));
    }
    previous = row;
  }
  return previous[b.length] ?? 0;
}
