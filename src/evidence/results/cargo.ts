/** Reads the output of `cargo test`. */
import { Tally, type TestResults, type TestStatus } from './tally.ts';

const STATUS: Readonly<Record<string, TestStatus>> = { ok: 'passed', FAILED: 'failed', ignored: 'skipped' };
const RESULT = /^test result: \w+\. (\d+) passed; (\d+) failed; (\d+) ignored;/;

export function readCargo(text: string): TestResults | undefined {
  const sums = { passed: 0, failed: 0, skipped: 0 };
  const tally = new Tally('cargo test');
  let found = false;
  for (const line of text.split('\n')) {
    const test = /^test (\S.*?)(?: - should panic)? \.\.\. (ok|FAILED|ignored)\b/.exec(line);
    if (test) tally.add(test[1] ?? '', STATUS[test[2] ?? ''] ?? 'passed');
    const broken = /^error: could not compile `([^`]+)`/.exec(line);
    if (broken?.[1]) tally.cannotLoad(broken[1]);
    const result = RESULT.exec(line);
    if (!result) continue;
    found = true;
    sums.passed += Number(result[1]);
    sums.failed += Number(result[2]);
    sums.skipped += Number(result[3]);
  }
  return found || tally.unloaded > 0 ? tally.results(sums) : undefined;
}
