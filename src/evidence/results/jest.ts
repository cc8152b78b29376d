/** Reads the output of jest, plain and `--verbose`. */
import { sumWords, Tally, type TestResults, type TestStatus } from './tally.ts';

const MARKS: Readonly<Record<string, TestStatus>> = {
  '✓': 'passed',
  '√': 'passed',
  '✕': 'failed',
  '×': 'failed',
  '○': 'skipped',
  '✎': 'skipped',
};
const TEST = /^( +)([✓√✕×○✎]) (?:skipped |todo )?(.*?)(?: \([\d.]+ m?s\))?$/;

export function readJest(text: string): TestResults | undefined {
  const summaries = [...text.matchAll(/^Tests: +(.*\d+ total)\s*$/gm)].map(match => match[1] ?? '');
  if (summaries.length === 0) return undefined;
  const tally = new Tally('jest');
  let file = '';
  let headings: { readonly indent: number; readonly name: string }[] = [];
  let details = false;
  for (const line of text.split('\n')) {
    const head = /^(?:PASS|FAIL) +(?:\S+ )?(\S+\.[cm]?[jt]sx?)(?: \([\d.]+ m?s\))?$/.exec(line);
    if (head) {
      file = head[1] ?? '';
      headings = [];
      details = false;
      continue;
    }
    const bullet = /^ +● (.*)$/.exec(line);
    if (bullet) {
      details = true;
      if (bullet[1] === 'Test suite failed to run') tally.cannotLoad(file);
      else if (bullet[1]?.includes(' › ') || !/^Console$|^Validation/.test(bullet[1] ?? ''))
        tally.failed([file, ...(bullet[1] ?? '').split(' › ')].join(' > '));
      continue;
    }
    if (details || file === '') continue;
    const test = TEST.exec(line);
    if (test) {
      const indent = test[1]?.length ?? 0;
      const groups = headings.filter(heading => heading.indent < indent).map(heading => heading.name);
      tally.add([file, ...groups, test[3] ?? ''].join(' > '), MARKS[test[2] ?? ''] ?? 'passed');
      continue;
    }
    const heading = /^( +)(\S.*)$/.exec(line);
    if (!heading) continue;
    const indent = heading[1]?.length ?? 0;
    headings = [...headings.filter(one => one.indent < indent), { indent, name: heading[2] ?? '' }];
  }
  const sum = sumWords(summaries);
  return tally.results({ passed: sum('passed'), failed: sum('failed'), skipped: sum('skipped', 'todo') });
}
