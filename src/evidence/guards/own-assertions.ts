/** Assertions of the project's own that carry a known name and can never fail. */
import type { LookFile } from '../look.ts';
import { codeOf } from '../matches.ts';
import { closing } from '../tests/brackets.ts';
import { type Found, quote } from './rule.ts';

const KNOWN = String.raw`(?:assert_?(?:eq|ne|equals?|same|true|false|null|not_?null|that|throws|array_?equals|contains|count)\w*|should(?:Be|Equal|Contain|Throw)\w*|expect\w*|AreEqual|IsTrue|That|Equal|Throws|verify|fail|require\w*)`;
const DEFINED = new RegExp(
  String.raw`\bmacro_rules!\s+(${KNOWN})\s*\{|\b(?:func(?:tion)?|fun|fn|void|Unit)\s+(?:\([^)\n]*\)\s*)?(?:<[^>\n]*>\s*)?(?:[\w<>?]+\.)?(${KNOWN})\s*(?:<[^>\n]*>)?\s*\(|\bRegisterFailHandler\(\s*func\s*\(`,
  'gi',
);
/** It can say that something is wrong. */
const FAILS =
  /\b(?:throw|fail\w*|panic!?|Fatal\w*|Errorf?|raise|super|parent|assert\w*|Assert\w*|expect\w*|Expect|require\w*|should\w*|verify|unimplemented!|match|check|must\w*|eq)\b\s*[!.(:{]|\bthrow\b|\bFail\b/i;

export function deafAssertions(file: LookFile): readonly Found[] {
  const { bare } = file.after;
  if (bare.search(DEFINED) < 0) return [];
  if (!/macro_rules!|RegisterFailHandler|assert|should|expect|AreEqual|fail/i.test(codeOf(file.added))) return [];
  const added = new Set(file.added.map(({ number }) => number));
  return [...bare.matchAll(DEFINED)].flatMap((match): readonly Found[] => {
    const name = match[1] ?? match[2] ?? 'RegisterFailHandler';
    const line = bare.slice(0, match.index).split('\n').length;
    const body = bodyAfter(bare, match.index + match[0].length - 1);
    if (body === undefined) return [];
    const last = line + bare.slice(match.index, body.to).split('\n').length - 1;
    const isNew = Array.from({ length: last - line + 1 }, (_, index) => line + index).some(one => added.has(one));
    const text = bare.slice(body.from, body.to);
    if (!isNew || FAILS.test(text) || file.before.bare.includes(text.trim() || match[0])) return [];
    // A test that is called like one of them is another rule's.
    if (file.after.tests.some(test => test.line === line || test.name === name)) return [];
    return [{ message: `${quote(name)} of the project's own can never fail`, path: file.path, line }];
  });
}

/** From behind the parameters to the end of the body. */
function bodyAfter(bare: string, open: number): { readonly from: number; readonly to: number } | undefined {
  if (bare[open] === '{') return { from: open, to: closing(bare, open) };
  const close = closing(bare, open);
  const next = /^[^{};=\n]*(?:\{|=>?)/.exec(bare.slice(close + 1, close + 200));
  if (!next) return undefined;
  const at = close + next[0].length;
  if (bare[at] === '{') return { from: at, to: closing(bare, at) };
  const end = bare.indexOf('\n', at);
  return { from: at, to: end < 0 ? bare.length : end };
}
