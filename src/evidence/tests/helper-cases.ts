/** Functions beside the tests that assert, on both sides of a change. */
import { once } from '../../util/once.ts';
import { places } from '../../util/text.ts';
import type { Look, LookFile } from '../look.ts';
import type { Placed } from './compare.ts';
import { bodyAt } from './helpers.ts';
import { endOf, type TestCase } from './test-case.ts';

export interface HelperPair {
  readonly before: Placed;
  readonly after: Placed;
}

const HEAD =
  /^[ \t]*(?:export\s+)?(?:default\s+)?(?:async\s+)?(?:(?:(?:public|private|protected|internal|static|final|override)\s+)+(?:[\w<>[\]?]+\s+)?|function\s+|def\s+(?:self\.)?|func\s+(?:\([^)\n]*\)\s*)?|(?:pub\s+)?fn\s+|fun\s+|void\s+|const\s+)([A-Za-z_]\w*[?!]?)\s*(?=[(<]|=\s*(?:async\s*)?(?:\(|function\b|\w+\s*=>))/gm;
const ASKS = /assert|expect|should|require|verify|\bt\.(?:Error|Fatal|Fail)|raise|throw|refute|fail/i;

/** Whoever calls it expects it to ask. */
const BY_NAME = /assert|expect|check|verif|should|must|ensure|validat|require|compare|same|match/i;

/** Those whose body changed and asserted before; a name that is gone went with its callers. */
export function helperPairs({ files }: Look): readonly HelperPair[] {
  return files.flatMap(file => {
    if (file.role !== 'test' && file.role !== 'test-support') return [];
    if (file.before.text === '' || file.after.text === '' || !file.removed.some(({ bare }) => ASKS.test(bare)))
      return [];
    const now = helpersIn(file, 'after');
    return [...helpersIn(file, 'before')].flatMap(([name, before]): readonly HelperPair[] => {
      const after = now.get(name);
      if (!after || after.code === before.code) return [];
      return [{ before: { file, test: before }, after: { file, test: after } }];
    });
  });
}

function helpersIn(file: LookFile, side: 'before' | 'after'): ReadonlyMap<string, TestCase> {
  const { code, bare, tests } = file[side];
  const names = new Set(tests.map(({ name }) => name));
  const spans = once(() => tests.map(test => [test.line, endOf(test)] as const));
  const place = places(bare);
  const found = new Map<string, TestCase>();
  for (const match of bare.matchAll(HEAD)) {
    const name = match[1] ?? '';
    if (!BY_NAME.test(name) || names.has(name)) continue;
    const { line } = place(match.index);
    if (spans().some(([from, to]) => line > from && line < to)) continue;
    const { from, to } = bodyAt(bare, match.index + match[0].length);
    found.set(name, {
      name,
      group: '',
      line,
      skip: 'no',
      focus: false,
      head: '',
      code: code.slice(from, to),
      bare: bare.slice(from, to),
      bodyLine: place(from).line,
      cases: 0,
    });
  }
  return found;
}
