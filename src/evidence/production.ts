/** What a change adds to production code, without the tests that some languages keep in the same file. */
import type { Line, LookFile } from './look.ts';
import { closing } from './tests/brackets.ts';

export function productionLines(file: LookFile): readonly Line[] {
  if (file.role !== 'production' || file.added.length === 0) return [];
  const regions = file.language === 'rust' ? testRegions(file) : [];
  if (regions.length === 0) return file.added;
  return file.added.filter(({ number }) => !regions.some(([from, to]) => number >= from && number <= to));
}

function testRegions(file: LookFile): readonly (readonly [number, number])[] {
  const { bare } = file.after;
  const lineAt = (at: number) => bare.slice(0, at).split('\n').length;
  return [...bare.matchAll(/#\[cfg\(test\)\]\s*(?:pub\s+)?mod\s+\w+\s*\{/g)].map(match => {
    const open = match.index + match[0].length - 1;
    return [lineAt(match.index), lineAt(closing(bare, open))] as const;
  });
}
