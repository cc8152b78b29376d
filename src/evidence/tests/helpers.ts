/** Functions beside the tests that assert on their behalf. */
import type { Look } from '../look.ts';
import { type Assertion, assertionsOf } from './assertions.ts';
import { closing } from './brackets.ts';

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
    const head = new RegExp(`\\b(?:function|def|func|fn|const|let|void|fun)\\s+(?:\\([^)]*\\)\\s*)?${name}\\b`).exec(
      text.bare,
    );
    if (!head) continue;
    const { from, to } = bodyAt(text.bare, head.index + head[0].length);
    return assertionsOf({ code: text.code.slice(from, to), bare: text.bare.slice(from, to), bodyLine: 1, head: '' });
  }
  return undefined;
}

/** From behind the parameters that follow a name to a line that is indented no deeper than it and closes nothing. */
export function bodyAt(bare: string, at: number): { readonly from: number; readonly to: number } {
  const open = bare.slice(at, at + 60).indexOf('(');
  const from = open < 0 ? at : closing(bare, at + open) + 1;
  const start = bare.lastIndexOf('\n', at) + 1;
  const indent = bare.slice(start, start + 200).search(/\S/);
  for (let end = bare.indexOf('\n', from); end >= 0; end = bare.indexOf('\n', end + 1)) {
    const line = bare.slice(end + 1, end + 200);
    const depth = line.search(/\S/);
    if (depth >= 0 && depth <= indent && !/[)\]}{]/.test(line[depth] ?? '') && !/^\s*\n/.test(line))
      return { from, to: end };
  }
  return { from, to: bare.length };
}
