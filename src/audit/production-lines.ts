/** The lines that a change adds to production code, without tests in the same file. */

import { oncePer } from '../util/once.ts';
import { places } from '../util/text.ts';
import type { Line } from './line.ts';
import type { Look, LookFile } from './look.ts';
import { isToolConfig } from './roles.ts';
import { closing } from './tests/brackets.ts';

/** A new data file beside the code can contain answers as well as the code. */
const isNewData = ({ role, language, change, path }: LookFile): boolean =>
  role === 'other' && language === 'json' && change.kind === 'added' && !isToolConfig(path) && !/(^|\/)\./.test(path);

/** The same, plus the lines of new data files. */
export const answerLines = (look: Pick<Look, 'files'>, file: LookFile): readonly Line[] =>
  isNewData(file) ? file.added : productionLines(look, file);

/** The production code of one change. */
interface Code {
  readonly files: readonly LookFile[];
  /** Lines that were elsewhere before: moving code adds nothing. */
  readonly moved: ReadonlySet<string>;
  readonly lines: Map<LookFile, readonly Line[]>;
}

/** The added lines of production code; cached, because many rules need them. */
export function productionLines({ files }: Pick<Look, 'files'>, file: LookFile): readonly Line[] {
  if (file.role !== 'production' || file.added.length === 0) return [];
  const { moved, lines } = codeIn(files);
  const known = lines.get(file);
  if (known) return known;
  const regions = testRegions(file, 'after');
  const found = file.added.filter(
    ({ number, text }) => !moved.has(text.trim()) && !regions.some(([from, to]) => number >= from && number <= to),
  );
  lines.set(file, found);
  return found;
}

/** Also keyed by the first production file: a look at production code alone gives the same result as at the whole change. */
const byFirst = new WeakMap<LookFile, Code>();

const codeIn = oncePer((files: readonly LookFile[]): Code => {
  const own = files.filter(file => file.role === 'production');
  const [first] = own;
  const alike = first && byFirst.get(first);
  const isSame = alike?.files.length === own.length && own.every((file, at) => file === alike.files[at]);
  const code = alike && isSame ? alike : { files: own, moved: movedLines(own), lines: new Map() };
  if (first) byFirst.set(first, code);
  return code;
});

const movedLines = (files: readonly LookFile[]): ReadonlySet<string> =>
  new Set(files.flatMap(file => file.removed.map(line => line.text.trim())).filter(text => text.length >= 12));

/** First and last lines of the test modules inside a code file. */
export function testRegions(file: LookFile, side: 'before' | 'after'): readonly (readonly [number, number])[] {
  if (file.language !== 'rust') return [];
  const { bare } = file[side];
  const place = places(bare);
  const lineAt = (at: number) => place(at).line;
  return [...bare.matchAll(/#\[cfg\(test\)\]\s*(?:pub\s+)?mod\s+\w+\s*\{/g)].map(match => {
    const open = match.index + match[0].length - 1;
    return [lineAt(match.index), lineAt(closing(bare, open))] as const;
  });
}

/** The code before the change, without its tests. */
export const codeBefore = oncePer((file: LookFile): string => {
  const regions = testRegions(file, 'before');
  return regions.length === 0
    ? file.before.code
    : file.before.codeLines.filter((_, at) => !regions.some(([from, to]) => at + 1 >= from && at < to)).join('\n');
});
