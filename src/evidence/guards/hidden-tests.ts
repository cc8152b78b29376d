/** Tests that ran everywhere and now run only where nobody looks; set-up that skips them all. */
import type { Line, Look, LookFile } from '../look.ts';
import { codeOf } from '../matches.ts';
import { compareTests, type Pair } from '../tests/compare.ts';
import { hidesTest } from '../tests/opt-in.ts';
import { newQuietExits } from '../tests/quiet-exits.ts';
import { CONDITIONAL_SKIP, maySkipItself, SELF_SKIP } from '../tests/self-skips.ts';
import { endOf } from '../tests/test-case.ts';
import { type Found, quote } from './rule.ts';

export function hiddenTests(look: Look): readonly Found[] {
  return [
    ...compareTests(look).pairs.flatMap(hiddenTest),
    ...look.files.flatMap(file => (isBraced(file) ? skippedSetUp(file) : [])),
  ];
}

const isBraced = ({ language, role }: LookFile): boolean =>
  (role === 'test' || role === 'test-support') &&
  (language === 'go' ||
    language === 'rust' ||
    language === 'java' ||
    language === 'kotlin' ||
    language === 'csharp' ||
    language === 'php');

/** Leaves the test, one way or another. */
const LEAVES = /\breturn\b|@(?:Enabled|Disabled)|\benabled(?:If)?\b|->skip|Skip(?:Unless|When)?\s*=|cfg(?:_attr)?\(/;

function leaves(code: string): boolean {
  if (LEAVES.test(code)) return true;
  SELF_SKIP.lastIndex = 0;
  return maySkipItself(code) && (SELF_SKIP.test(code) || CONDITIONAL_SKIP.test(code));
}

function hiddenTest({ before, after }: Pair): readonly Found[] {
  if (!isBraced(after.file) || before.test.skip !== 'no' || after.test.skip === 'yes') return [];
  const [old, now] = [`${before.test.head}\n${before.test.code}`, `${after.test.head}\n${after.test.code}`];
  if (old === now || !leaves(now)) return [];
  const had = new Set(old.split('\n').map(line => line.trim()));
  const lines = now.split('\n');
  for (const [at, line] of lines.entries()) {
    if (had.has(line.trim())) continue;
    const name = hidesTest(line);
    // What is asked for on this line decides on it or on the next few.
    const near = lines.slice(at, at + 4).filter(one => !had.has(one.trim()));
    if (name === undefined || !near.some(one => leaves(one))) continue;
    const message = `the test ${quote(after.test.name)} hangs on ${quote(name)} now, so it no longer runs where it counts`;
    return [{ message, path: after.file.path, line: after.test.line }];
  }
  return [...skippedSubtest({ before, after }), ...skipsOnState({ before, after })];
}

const PARAMETRISED =
  /Parameterized|Theory|Property|TestCase|InlineData|DataRow|#\[(?:case|test_case|rstest)|RepeatedTest|ForAll|->with\(|dataProvider|DataProvider|Combinator/;

/** It skips itself for what the code under test did, which is what it should find out. */
function skipsOnState({ before, after }: Pair): readonly Found[] {
  if (before.test.skip !== 'no' || after.test.skip !== 'conditional' || after.test.cases > 0) return [];
  if (PARAMETRISED.test(after.test.head)) return [];
  const exit = newQuietExits(before.test, after.test).find(
    ({ kind, condition }) => kind === 'skip' && /\w(?:\.|->)\w+/.test(condition),
  );
  if (!exit) return [];
  const message = `the test ${quote(after.test.name)} skips itself on ${quote(exit.condition)}, which it should find out`;
  return [{ message, path: after.file.path, line: after.test.bodyLine + exit.at }];
}

const SUBTEST = /\b\w+\.Run\(\s*("[^"\n]*"|[\w.]+)\s*,\s*func\([^)]*\)\s*\{\s*(?:\w+\.Parallel\(\)\s*)?\w+\.Skip/g;

/** Go: a part of the test that skips itself as the first thing it does. */
function skippedSubtest({ before, after }: Pair): readonly Found[] {
  if (after.file.language !== 'go' || !after.test.code.includes('.Skip')) return [];
  const skipped = (code: string) => [...code.matchAll(SUBTEST)].map(match => match[1] ?? '');
  const old = new Set(skipped(before.test.code));
  const name = skipped(after.test.code).find(one => !old.has(one) && before.test.code.includes(one));
  if (name === undefined) return [];
  return [
    {
      message: `the part ${quote(name)} of ${quote(after.test.name)} is skipped now`,
      path: after.file.path,
      line: after.test.line,
    },
  ];
}

/** A function that was there before, beside the tests, and that skips whoever calls it now. */
function skippedSetUp(file: LookFile): readonly Found[] {
  if (file.before.text === '' || file.after.text === '') return [];
  const code = codeOf(file.added);
  if (!maySkipItself(code)) return [];
  SELF_SKIP.lastIndex = 0;
  if (!SELF_SKIP.test(code) && !CONDITIONAL_SKIP.test(code)) return [];
  const spans = file.after.tests.map(test => [test.line, endOf(test)] as const);
  const inTest = (number: number) => spans.some(([from, to]) => number >= from && number < to);
  return file.added.flatMap((line): readonly Found[] => {
    SELF_SKIP.lastIndex = 0;
    const isPlain = SELF_SKIP.test(line.code);
    if ((!isPlain && !CONDITIONAL_SKIP.test(line.code)) || inTest(line.number)) return [];
    const head = headAbove(file, line);
    if (head === undefined || !file.before.code.includes(head.text.trim())) return [];
    const condition = head.condition ?? '';
    if (isPlain && condition === '' ? false : hidesTest(`${condition} ${line.code}`) === undefined) return [];
    const message = `${quote(line.text)} skips every test that comes through ${quote(head.text)}`;
    return [{ message, path: file.path, line: line.number }];
  });
}

const FUNCTION =
  /\b(?:func|fn|fun|function|void|def|Task|beforeEach|BeforeEach|beforeTest|BeforeSuite)\b|^\s*(?:(?:public|private|protected|internal|static|override|async)\s+)+[\w<>[\]?]+\s+\w+\s*\(/;

/** The function that a line stands in, and the condition it hangs on. */
function headAbove(
  file: LookFile,
  { number, code }: Line,
): { readonly text: string; readonly condition: string | undefined } | undefined {
  const lines = file.after.codeLines;
  let indent = code.search(/\S/);
  let condition = /^\s*if\b(.*)/.exec(code)?.[1];
  for (let at = number - 2; at >= Math.max(0, number - 40); at--) {
    const line = lines[at] ?? '';
    const depth = line.search(/\S/);
    if (depth < 0 || depth >= indent) continue;
    if (/^\s*[{}]\s*$/.test(line)) continue;
    indent = depth;
    if (/^\s*(?:\}\s*)?(?:else\s+)?(?:if|for|while|switch|when)\b/.test(line)) condition = `${condition ?? ''} ${line}`;
    else if (FUNCTION.test(line)) return { text: line, condition };
  }
  return undefined;
}
