/** Functions beside the tests that assert on their behalf. */
import type { Look } from '../look.ts';
import { type Assertion, assertionsOf } from './assertions.ts';

/** What the function of this name asserts, wherever the changed tests define it; nothing where it is unknown. */
export function helperAssertions(
  { files }: Pick<Look, 'files'>,
  name: string,
  side: 'before' | 'after' = 'after',
): readonly Assertion[] | undefined {
  for (const file of files) {
    if (file.role !== 'test' && file.role !== 'test-support') continue;
    const text = file[side];
    if (!text.bare.includes(name)) continue;
    const at = text.bare.search(
      new RegExp(`\\b(?:function|def|func|fn|const|let|void|fun)\\s+(?:\\([^)]*\\)\\s*)?${name}\\b`),
    );
    if (at < 0) continue;
    const end = endOfBlock(text.bare, at);
    return assertionsOf({ code: text.code.slice(at, end), bare: text.bare.slice(at, end), bodyLine: 1, head: '' });
  }
  return undefined;
}

/** Where a line stands that is indented no deeper than the first and closes nothing. */
function endOfBlock(bare: string, at: number): number {
  const start = bare.lastIndexOf('\n', at) + 1;
  const indent = bare.slice(start).search(/\S/);
  for (let end = bare.indexOf('\n', at); end >= 0; end = bare.indexOf('\n', end + 1)) {
    const depth = bare.slice(end + 1, end + 200).search(/\S/);
    const first = bare[end + 1 + depth] ?? '';
    if (depth >= 0 && depth <= indent && !/[\n)\]}]/.test(first) && !/^\s*\n/.test(bare.slice(end + 1, end + 200)))
      return end;
  }
  return bare.length;
}
