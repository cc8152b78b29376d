/** The JSON of jest and vitest. */

import { fieldsOf, parseJson } from '../../util/json.ts';
import { Tally, type TestResults, type TestStatus } from './tally.ts';

const STATUS: Readonly<Record<string, TestStatus>> = { passed: 'passed', failed: 'failed' };

interface Assertion {
  readonly title?: unknown;
  readonly ancestorTitles?: unknown;
  readonly status?: unknown;
}

export function readJestJson(text: string): TestResults | undefined {
  if (!text.includes('"numTotalTests"')) return undefined;
  const report = parse(text);
  if (!report) return undefined;
  const tally = new Tally(
    text.includes('"numPendingTestSuites":') && text.includes('"wasInterrupted"') ? 'jest' : 'vitest',
  );
  for (const file of listOf(report.testResults)) {
    const { name, status, assertionResults } = fieldsOf(file);
    const tests = listOf(assertionResults);
    if (tests.length === 0 && status === 'failed') tally.cannotLoad(String(name));
    for (const test of tests) {
      const { title, ancestorTitles, status: ended } = fieldsOf(test) as Assertion;
      const id = [...listOf(ancestorTitles), title].map(String).join(' > ');
      tally.add(id, STATUS[String(ended)] ?? 'skipped');
    }
  }
  return tally.results();
}

/** Other lines may precede and follow the JSON. */
function parse(text: string): Readonly<Record<string, unknown>> | undefined {
  const at = /\{\s*"num/.exec(text)?.index;
  const end = text.lastIndexOf('}');
  if (at === undefined || end < at) return undefined;
  const value = parseJson(text.slice(at, end + 1));
  return value === undefined ? undefined : fieldsOf(value);
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? (value as unknown[]) : []);
