/** Reads the output of vitest with the reporters `default`, `verbose`, `tree` and `dot`. */
import { sumWords, Tally, type TestResults, type TestStatus } from './tally.ts';

const MARKS: Readonly<Record<string, TestStatus>> = { '✓': 'passed', '×': 'failed', '↓': 'skipped' };
const VERBOSE = /^ *([✓×↓]) (?:\|[^|\n]+\| )?(\S[^>\n]*\.[cm]?[jt]sx? > .+?)(?: \(retry x\d+\))?(?: +\d+m?s)?$/;
const FAIL = /^ *FAIL +(?:\|[^|\n]+\| )?(\S.*?)(?: \[ (\S.*) \])?$/;

export function readVitest(text: string): TestResults | undefined {
  const summaries = [...text.matchAll(/^ *Tests {2}(.*\(\d+\)|no tests) *$/gm)].map(match => match[1] ?? '');
  if (summaries.length === 0 || !/^ *Test Files {2}/m.test(text)) return undefined;
  const tally = new Tally('vitest');
  for (const line of text.split('\n')) {
    const verbose = VERBOSE.exec(line);
    if (verbose) tally.add(verbose[2] ?? '', MARKS[verbose[1] ?? ''] ?? 'passed');
    const fail = verbose ? undefined : FAIL.exec(line);
    if (!fail?.[1]) continue;
    // A failed suite is listed with its file in brackets; if the name is the file itself, none of its tests ran.
    if (fail[2] === undefined) tally.failed(fail[1]);
    else if (fail[1] === fail[2]) tally.cannotLoad(fail[2]);
  }
  const sum = sumWords(summaries);
  return tally.results({ passed: sum('passed'), failed: sum('failed'), skipped: sum('skipped', 'todo') });
}
