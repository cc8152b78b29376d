/** Reads the output of `go test`: plain (which names only packages), `-v` and `-json`. */
import { Tally, type TestResults, type TestStatus } from './tally.ts';

const STATUS: Readonly<Record<string, TestStatus>> = {
  pass: 'passed',
  PASS: 'passed',
  fail: 'failed',
  FAIL: 'failed',
  skip: 'skipped',
  SKIP: 'skipped',
};
const PACKAGE = /^(ok {2}|FAIL|---|\?   )\t(\S+)(?:\s+(.*))?$/;

export function readGo(text: string): TestResults | undefined {
  return readJson(text) ?? readLines(text);
}

function readJson(text: string): TestResults | undefined {
  if (!/^\{"Time":|^\{"Action":/m.test(text)) return undefined;
  const tally = new Tally('go test');
  let events = 0;
  for (const line of text.split('\n')) {
    const event = /^\{.*"Action":"(pass|fail|skip)".*"Package":"([^"]+)"/.exec(line);
    if (!event) continue;
    events += 1;
    const [, action = '', place = ''] = event;
    const test = /"Test":"((?:\\.|[^"\\])*)"/.exec(line)?.[1];
    if (test !== undefined) tally.add(`${place} > ${test}`, STATUS[action] ?? 'passed');
    else if (/"FailedBuild"/.test(line)) tally.cannotLoad(place);
  }
  return events === 0 ? undefined : tally.results();
}

function readLines(text: string): TestResults | undefined {
  const tally = new Tally('go test');
  const verbose = /^=== RUN /m.test(text);
  const packages = { passed: 0, failed: 0, skipped: 0 };
  let waiting: { readonly name: string; readonly status: TestStatus }[] = [];
  for (const line of text.split('\n')) {
    const test = /^ *--- (PASS|FAIL|SKIP): (\S+)(?: \([\d.]+s\))?$/.exec(line);
    if (test) {
      waiting.push({ name: test[2] ?? '', status: STATUS[test[1] ?? ''] ?? 'passed' });
      continue;
    }
    const [, word, name = '', rest = ''] = PACKAGE.exec(line) ?? [];
    if (word === undefined || word.startsWith('?') || word === '---') continue;
    if (/\[(?:build|setup) failed\]/.test(rest)) tally.cannotLoad(name);
    else packages[word === 'FAIL' ? 'failed' : 'passed'] += 1;
    for (const each of waiting) {
      if (verbose) tally.add(`${name} > ${each.name}`, each.status);
      else if (each.status === 'failed') tally.failed(`${name} > ${each.name}`);
    }
    waiting = [];
  }
  if (packages.passed + packages.failed + tally.unloaded === 0) return undefined;
  return verbose ? tally.results() : tally.results(packages, 'packages');
}
