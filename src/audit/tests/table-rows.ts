/** Rows of tables outside the tests that use them. */
import { once } from '../../util/once.ts';
import { indentOf } from '../../util/text.ts';
import type { Line } from '../line.ts';
import type { LookFile } from '../look.ts';
import { linesWith, textOf } from '../matches.ts';
import { endOf, type TestCase } from './test-case.ts';

/** One case on one line: a list, a tuple, an object, a call that makes one. */
const ROW =
  /^(?:yield\s+)?(?:(?:'[^']*'|"[^"]*"|`[^`]*`|[\w.:()\s,]+?)\s*(?:=>|:(?!:))\s*)?(?:\[.*\]|\(.*\)|\{.*\}|(?:new\s+)?[\w.:]+(?:\[\])?!?\s*[({].*[)}]|[\w.]*\d[\w.]*|'[^']*'|"[^"]*")\s*[\])};]*[,;)]*$/;

const DRIVEN =
  /DataProvider|dataProvider|MethodSource|MemberData|ClassData|TestCaseSource|DynamicData|parametrize|\.each\b|\.forEach\(|\bfor\b|rstest|\.map\(/;

/** Whether a line is a case of a table. */
const isRow = ({ code }: Pick<Line, 'code'>): boolean => {
  const text = code.trim();
  if (text.length < 4 || text.length > 400 || !/['"`\d]/.test(text) || !/[,;)\]}]$/.test(text)) return false;
  return (
    ROW.test(text) &&
    !/^(?:return|assert|expect|import|from|use|const|let|var|if|for|it|test|describe|self|this|t)\b/.test(text) &&
    isBalanced(text)
  );
};

function isBalanced(text: string): boolean {
  let depth = 0;
  for (const character of text) {
    if ('([{'.includes(character)) depth += 1;
    else if (')]}'.includes(character)) depth -= 1;
  }
  // The last row may also close the table.
  return depth <= 0 && depth >= -3;
}

/** Rows removed from a table of this file that tests use by its name or directly after it. */
export function lostRows(file: LookFile): readonly Line[] {
  if (file.removed.length === 0 || !DRIVEN.test(file.before.bare)) return [];
  const [inOld, inNow] = [insideTests(file.before.tests), insideTests(file.after.tests)];
  const gone = file.removed.filter(line => isRow(line) && !inOld(line.number));
  if (gone.length === 0) return [];
  const come = file.added.filter(line => isRow(line) && !inNow(line.number));
  if (gone.length <= come.length) return [];
  const [old, now] = [plain(file.before.code), plain(file.after.code)];
  const fresh = come.filter(line => !old.includes(plain(line.code))).length;
  const lost = gone.filter(line => !now.includes(plain(line.code)) && isDriven(file, line.number));
  return lost.length > fresh ? lost.slice(fresh) : [];
}

const plain = (code: string): string =>
  code
    .replace(/\s+/g, '')
    .replace(/["`]/g, "'")
    .replace(/[\])};,]+$/, '');

function insideTests(tests: readonly TestCase[]): (number: number) => boolean {
  const spans = once(() => tests.filter(({ code }) => code !== '').map(test => [test.line, endOf(test)] as const));
  return number => spans().some(([from, to]) => number >= from && number < to);
}

const NAMED =
  /^\s*(?:(?:export|public|private|protected|internal|static|final|readonly|const|let|var|val|def|function|fn|func|fun|pub)\s+)*(?:[\w<>[\],.?&']+\s+)*?([A-Za-z_]\w*)\s*(?:\([^)]*\)\s*(?:[:-]>?\s*[\w<>[\]?]+\s*)?[{:]?|(?::\s*[^=]+)?(?::?=|=>).*)\s*[[({]*\s*$/;

/** Whether tests are generated from these rows: `each(rows)`, `@MethodSource("rows")`, `].each do`. */
function isDriven({ before }: LookFile, number: number): boolean {
  const lines = before.codeLines;
  const indent = indentOf(lines[number - 1] ?? '');
  for (let at = number; at < Math.min(lines.length, number + 80); at++) {
    const line = lines[at] ?? '';
    if (line.trim() === '' || indentOf(line) >= indent) continue;
    if (/^\s*[\])}]+\s*\.\s*(?:each|forEach|map)\b/.test(line)) return true;
    break;
  }
  let above = indent;
  for (let at = number - 2; at >= Math.max(0, number - 120); at--) {
    const line = lines[at] ?? '';
    if (line.trim() === '' || indentOf(line) >= above) continue;
    // The head of a block may be on the line before its brace.
    above = indentOf(line) + (line.trim() === '{' ? 1 : 0);
    const name = NAMED.exec(line)?.[1];
    if (name !== undefined && isUsed(name, before.code)) return true;
    if (above === 0) return false;
  }
  return false;
}

const isUsed = (name: string, code: string): boolean =>
  new RegExp(
    `(?:[dD]ataProvider\\(?\\s*|MethodSource\\(|MemberData\\(|TestCaseSource\\(|DynamicData\\(|\\beach\\(|\\bfor\\b[^\\n]*\\b(?:of|in|range)\\b|\\beach\\s+)[^\\n]*\\b${name}\\b|\\bparametrize\\([\\s\\S]{0,200}?\\b${name}\\b|\\b${name}(?:\\(\\))?\\.(?:each|forEach|map)\\b`,
  ).test(code);

// Rows that became comments.

const COMMENT = /^[^\S\n]*(?:\/\/|#|--|\/\*|\*|;)+[^\S\n]*(?=\S)/gm;
const MARK = /^\s*(?:\/\/|#|--|\/\*|\*|;)+\s*|\s*\*\/\s*$/g;

/** Rows that were commented out. */
export function commentedRows(file: LookFile): readonly Line[] {
  if (file.removed.length === 0 || file.added.length === 0) return [];
  const noted = new Set(
    linesWith(file.added, COMMENT, textOf)
      .filter(({ code }) => code.trim() === '')
      .map(({ text }) => asRow(text.replace(MARK, '')))
      .filter(text => text.length > 3),
  );
  if (noted.size === 0) return [];
  const gone = file.removed.filter(line => noted.has(asRow(line.code)) && isRow(line));
  if (gone.length === 0) return [];
  // The same input with another answer may have replaced the row, or the row may have moved.
  const fresh = file.added.filter(line => line.code.trim() !== '' && isRow(line));
  const asked = new Set(fresh.map(firstOf));
  const kept = new Set(fresh.map(({ code }) => asRow(code)));
  return gone.filter(line => !asked.has(firstOf(line)) && !kept.has(asRow(line.code)));
}

const asRow = (text: string): string => text.replace(/\s+/g, '').replace(/,$/, '');
const firstOf = ({ code }: Line): string => /'[^']*'|"[^"]*"|`[^`]*`|\d[\w.]*/.exec(code)?.[0] ?? code;
