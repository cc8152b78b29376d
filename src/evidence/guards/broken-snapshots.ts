/** Snapshots that took over what is plainly wrong. */
import type { Line, Look, LookFile } from '../look.ts';
import { linesWith, textOf } from '../matches.ts';
import { type Found, quote } from './rule.ts';

/** What programs print where a value is missing or an error got into the output. */
const WRONG =
  /(?<![\w.])(?:NaN|[+-]?Inf(?:inity)?|undefined|\[object Object\]|<nil>)(?![\w.])|%!\w?\((?:MISSING|EXTRA|NOVERB|BADINDEX|\w+=)|Traceback \(most recent call|panicked at|Cannot read propert|is not a function|#<NoMethodError/g;

export function brokenSnapshots(look: Look, snapshots: readonly LookFile[]): readonly Found[] {
  return snapshots.flatMap((file): readonly Found[] => {
    if (file.after.text.trim() === '')
      return [{ message: `the snapshot ${file.path} is empty now, so it asks for nothing`, path: file.path, line: 1 }];
    const wrong = wrongValue(file);
    if (wrong) {
      const message = `the snapshot took over ${quote(wrong.text)}, where a value stood; mend what prints it`;
      return [{ message, path: file.path, line: wrong.number }];
    }
    const unsorted = isShuffled(file) ? lostSort(look) : undefined;
    if (unsorted === undefined) return [];
    const message = `the snapshot has the same lines in another order, and ${quote(unsorted)} is gone from the code`;
    return [{ message, path: file.path, line: file.added[0]?.number ?? 1 }];
  });
}

/** A line that is what it was up to where a value stood. */
function wrongValue({ added, removed }: LookFile): Line | undefined {
  const came = linesWith(added, WRONG, textOf);
  return came.find(({ text }) => {
    WRONG.lastIndex = 0;
    const { index = 0, 0: token = '' } = WRONG.exec(text) ?? {};
    const start = text.slice(0, index);
    const isSame = (old: string) => old.startsWith(start) && /^["'`+\-\w]/.test(old.slice(index));
    return start.trim().length > 1 && removed.some(line => isSame(line.text) && !line.text.includes(token));
  });
}

function isShuffled({ added, removed }: LookFile): boolean {
  const [now, old] = [added, removed].map(lines =>
    lines
      .map(({ text }) => text.trim().replace(/,$/, ''))
      .filter(text => text !== '')
      .toSorted(),
  );
  return now !== undefined && old !== undefined && now.length > 0 && now.join('\n') === old.join('\n');
}

const SORTS =
  /\.(?:sort|sorted|toSorted|OrderBy|ThenBy|sortBy|sortedBy|sort_by|sort_unstable|sortWith|sortedWith)\w*!?\s*[({]|\bsorted\(|\b(?:sort|slices)\.(?:Sort|Slice|Strings|Ints|Stable)\w*\(|\b(?:Arrays|Collections)\.sort\(|\b[ku]?r?sort\(|\bORDER BY\b/gi;

/** A sort that left the code with nothing in its place. */
function lostSort({ files }: Look): string | undefined {
  const code = files.filter(({ role }) => role === 'production');
  if (code.some(({ added }) => linesWith(added, SORTS).length > 0)) return undefined;
  return code.flatMap(({ removed }) => linesWith(removed, SORTS))[0]?.text.trim();
}
