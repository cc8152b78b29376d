/** What a change adds to production code, without the tests that some languages keep in the same file. */
import type { Line, Look, LookFile } from './look.ts';
import { closing } from './tests/brackets.ts';

const known = new WeakMap<readonly LookFile[], Map<LookFile, readonly Line[]>>();

/** Asked for by many rules, worked out once. */
export function productionLines({ files }: Pick<Look, 'files'>, file: LookFile): readonly Line[] {
  if (file.role !== 'production' || file.added.length === 0) return [];
  const own = known.get(files) ?? new Map<LookFile, readonly Line[]>();
  known.set(files, own);
  const lines = own.get(file) ?? findLines(files, file);
  own.set(file, lines);
  return lines;
}

function findLines(files: readonly LookFile[], file: LookFile): readonly Line[] {
  const regions = testRegions(file, 'after');
  const moved = movedLines(files);
  return file.added.filter(
    ({ number, text }) => !moved.has(text.trim()) && !regions.some(([from, to]) => number >= from && number <= to),
  );
}

const memo = new WeakMap<readonly LookFile[], ReadonlySet<string>>();

/** Lines that stood elsewhere before: moving code adds nothing. */
function movedLines(files: readonly LookFile[]): ReadonlySet<string> {
  const known = memo.get(files);
  if (known) return known;
  const code = files.filter(file => file.role === 'production');
  const gone = new Set(
    code.flatMap(file => file.removed.map(line => line.text.trim())).filter(text => text.length >= 12),
  );
  memo.set(files, gone);
  return gone;
}

/** First and last lines of the modules of tests inside a file of code. */
export function testRegions(file: LookFile, side: 'before' | 'after'): readonly (readonly [number, number])[] {
  if (file.language !== 'rust') return [];
  const { bare } = file[side];
  const lineAt = (at: number) => bare.slice(0, at).split('\n').length;
  return [...bare.matchAll(/#\[cfg\(test\)\]\s*(?:pub\s+)?mod\s+\w+\s*\{/g)].map(match => {
    const open = match.index + match[0].length - 1;
    return [lineAt(match.index), lineAt(closing(bare, open))] as const;
  });
}
