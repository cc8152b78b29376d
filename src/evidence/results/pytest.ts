/** Reads the output of pytest: quiet, plain, verbose, and the list of `-rA`. */
import { sumWords, Tally, type TestResults, type TestStatus } from './tally.ts';

const STATUS: Readonly<Record<string, TestStatus>> = {
  PASSED: 'passed',
  XFAIL: 'passed',
  XPASS: 'passed',
  FAILED: 'failed',
  ERROR: 'failed',
  SKIPPED: 'skipped',
};
const WORD = 'PASSED|FAILED|SKIPPED|ERROR|XFAIL|XPASS';
const VERBOSE = new RegExp(String.raw`^(\S+?::.+?) (${WORD})\b`);
/** The format of pytest-xdist. */
const WORKER = new RegExp(String.raw`^\[gw\d+\] \[ *\d+%\] (${WORD}) (\S+?::.+?)\s*$`);
const LISTED = new RegExp(String.raw`^(${WORD}) (\S+?::.+?)(?: - .*)?$`);
const SUMMARY =
  /^=* *((?:\d+ (?:passed|failed|skipped|errors?|xfailed|xpassed|deselected|warnings?|rerun|subtests passed)(?:, )?)+|no tests ran) in [\d.]+s/gm;

export function readPytest(text: string): TestResults | undefined {
  const summaries = [...text.matchAll(SUMMARY)].map(match => match[1] ?? '');
  if (summaries.length === 0) return undefined;
  const tally = new Tally('pytest');
  const seen = new Map<string, TestStatus>();
  for (const line of text.split('\n')) {
    const lost = /^ERROR (\S+\.py)(?: - .*)?$/.exec(line);
    if (lost?.[1]) tally.cannotLoad(lost[1]);
    const [, id, word] = VERBOSE.exec(line) ?? swapped(WORKER.exec(line) ?? LISTED.exec(line)) ?? [];
    const status = STATUS[word ?? ''];
    // A test can be listed twice, when it ran and in the summary; one whose tear-down failed is not green.
    if (id !== undefined && status && seen.get(id) !== 'failed') seen.set(id, status);
  }
  for (const [id, status] of seen) tally.add(id, status);
  const sum = sumWords(summaries);
  return tally.results({
    passed: sum('passed', 'xfailed', 'xpassed'),
    failed: sum('failed') + Math.max(0, sum('error', 'errors') - tally.unloaded),
    skipped: sum('skipped'),
  });
}

const swapped = (match: RegExpExecArray | null): readonly (string | undefined)[] | undefined =>
  match ? [match[0], match[2], match[1]] : undefined;
