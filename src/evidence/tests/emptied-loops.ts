/** Lists of cases that hold none any more: the loop over them asks nothing. */
import type { Line, LookFile } from '../look.ts';
import { linesWith } from '../matches.ts';

const NONE = String.raw`(?:\[\d*\](?:\[\d*\])?[\w.*]+\{\s*\}|\[\]struct\s*\{[^{}]*\}\{\s*\}|map\[\w+\][\w.*[\]]+\{\s*\}|\[\s*\](?:\s*as\s+[\w[\]<>, ]+)?|\(\s*\)|\{\s*\}|\{:\}|(?:java\.util\.)?(?:List|Set|Map|Stream|IntStream|Arrays)\.(?:of|empty|asList)\(\s*\)|Collections\.empty\w+\(\)|(?:list|set|map|array|sequence|mutableList)Of(?:<[^<>]*>)?\(\s*\)|empty(?:List|Set|Map|Array|Sequence)(?:<[^<>]*>)?\(\)|new\s+[\w<>.]+(?:\[\s*0?\s*\](?:\s*\{\s*\})?|\(\s*\))|Array\.Empty<[^<>]*>\(\)|Enumerable\.Empty<[^<>]*>\(\)|vec!\[\s*\]|Vec::(?:<[^<>]*>::)?new\(\)|%[wi][[({]\s*[\])}]|Array\.new|list\(\)|tuple\(\)|set\(\)|dict\(\)|array\(\s*\))`;
const LESS = String.raw`(?:\[\s*:\s*0\s*\]|\[\s*0\s*:\s*0\s*\]|\.(?:slice|take|limit|first|head)\(\s*(?:0\s*,\s*)?0\s*\)|\.Take\(\s*0\s*\))`;
const ROWS = String.raw`(?:${NONE}|[\w.()]*${LESS})`;

/** A loop over nothing, written as such. */
const LOOP = new RegExp(
  [
    String.raw`\brange\s+${ROWS}\s*\{`,
    String.raw`\bfor\s*\([^;]*\bof\s+${ROWS}\s*\)`,
    String.raw`\bfor\b[^\n;]*\bin\s+(?:range\(\s*0\s*\)|0\.\.0\b|${ROWS})\s*(?:as\b[^\n]*)?[:{)]?`,
    String.raw`\b(?:for|foreach)\s*\([^;\n]*(?::|\bin\b)\s*${ROWS}\s*\)`,
    String.raw`\bforeach\s*\(\s*${ROWS}\s+as\b`,
    String.raw`(?:^|[\s=(])(?:${ROWS})\.(?:forEach|each\w*|map|stream|iter|into_iter)\b`,
    String.raw`\.each\(\s*\[\s*\]\s*\)|\bparametrize\([^[\n]*,\s*[[(]\s*[\])]|\b0\.times\b|\brange\s+0\s*\{`,
  ].join('|'),
  'gm',
);

/** A name for nothing. */
const NAMED = new RegExp(
  String.raw`(?<![\w.$])([A-Za-z_$@]\w*)(?:\s*:\s*[\w<>[\](),| ]+?)?\s*(?::=|=(?![=>]))\s*(?:${NONE})\s*(?:as const)?\s*[;,]?[^\S\n]*$`,
  'gm',
);

/** Looked for first, in all lines at once: few of them have it. */
const GOES_THROUGH =
  /\b(?:for|foreach|range|each\w*|forEach|parametrize|times)\b|[)\]]\.(?:map|stream|iter|into_iter)\b/g;
const MAY_BE_NOTHING = /=[^\n]*(?:[[({]\s*[\])}]|\[\s*0\s*\]|Array\.new)\s*(?:as const)?\s*[;,]?[^\S\n]*$/gm;

/** New lines of a file of tests that leave a loop nothing to go through. */
export function emptiedLoops(file: LookFile): readonly Line[] {
  if (file.role !== 'test' || file.removed.length === 0 || file.before.text === '') return [];
  const loops = linesWith(file.added, GOES_THROUGH).filter(({ code }) => hadCases(file, code));
  const names = linesWith(file.added, MAY_BE_NOTHING).filter(({ code }) => {
    NAMED.lastIndex = 0;
    const name = NAMED.exec(code)?.[1] ?? '';
    return name !== '' && hadRows(file, name) && isGoneThrough(file, name);
  });
  return [...loops, ...names];
}

const ASKS = /\b(?:assert\w*|expect|should|raises|t\.(?:Error|Fatal)f?|def test\w*|func Test\w*|it|specify)\b/g;

/** The same loop went through something before. */
function hadCases({ removed }: LookFile, code: string): boolean {
  LOOP.lastIndex = 0;
  const match = LOOP.exec(code);
  if (!match) return false;
  const head = code
    .slice(0, match.index + match[0].length)
    .replace(new RegExp(`${ROWS}.*$`), '')
    .trim();
  // A test that became a loop over nothing had its one case.
  if (linesWith(removed, ASKS).length > 0) return true;
  return removed.some(line => {
    LOOP.lastIndex = 0;
    if (LOOP.test(line.code)) return false;
    return head.length >= 3
      ? line.code.trim().startsWith(head)
      : /\b(?:each|forEach|map|times|stream)\b/.test(line.code);
  });
}

const escaped = (name: string): string => name.replace(/[$@]/g, '\\$&');

/** It was defined with something in it, and that definition is gone. */
const hadRows = ({ removed, before }: LookFile, name: string): boolean => {
  const rows = new RegExp(
    `(?<![\\w.])${escaped(name)}\\b[^=\\n]*(?::=|=(?![=>]))\\s*[^\\n]*(?:[[({]\\s*$|[[({][^\\n]*["'\`\\d][^\\n]*)`,
    'm',
  );
  const own = removed.find(({ code }) => rows.test(code));
  return own !== undefined && rows.test(before.code);
};

/** Tests go through it, and nothing is put into it on the way. */
function isGoneThrough({ after }: LookFile, name: string): boolean {
  const own = escaped(name);
  const looped = new RegExp(
    `\\b(?:for|foreach)\\b[^\\n]*\\b(?:of|in|range)\\s+&?(?:enumerate\\(|Object\\.\\w+\\(|zip\\()?${own}\\b|\\b(?:for|foreach)\\b[^\\n]*[:(]\\s*\\$?${own}\\b\\s*(?:\\)|as\\b)|(?<![\\w.])${own}(?:\\.\\w+\\(\\))*\\.(?:each\\w*|forEach|map|iter|into_iter|stream|every)\\b|\\beach\\(\\s*${own}\\b|\\bparametrize\\([^\\n]*\\b${own}\\b`,
  );
  if (!looped.test(after.bare)) return false;
  const filled = new RegExp(
    `(?<![\\w.])${own}\\s*(?:\\.(?:push|append|add|extend|insert|unshift|put|set|concat|Add|addAll|AddRange)\\w*\\b|<<|\\+=|\\[[^\\]\\n]*\\]\\s*=)|\\bappend\\(\\s*${own}\\b|&(?:mut\\s+)?${own}\\b|(?<!\\b(?:for|each|len|enumerate|zip|sorted|reversed|expect|foreach|list|keys|values|entries)\\s*)\\(\\s*${own}\\s*[,)]`,
  );
  return !filled.test(after.bare);
}
