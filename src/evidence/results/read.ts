/** Reads test results from a gate's output, whatever the test runner. */
import { plain } from '../../util/show.ts';
import { readCargo } from './cargo.ts';
import { readGo } from './go.ts';
import { readJest } from './jest.ts';
import { readJestJson } from './json.ts';
import { readJunit } from './junit.ts';
import { readNodeSpec } from './node-spec.ts';
import { readPytest } from './pytest.ts';
import type { TestResults } from './tally.ts';
import { readTap } from './tap.ts';
import { readVitest } from './vitest.ts';

/** Readers that work line by line; the most specific ones come first. */
const BY_LINE = [readVitest, readNodeSpec, readJest, readPytest, readCargo, readTap, readGo] as const;
const WHOLE = [readJestJson, readJunit] as const;

/** Longer lines are data, on which the patterns would only take time. */
const LONG_LINES = /^[^\n]{1001,}$/gm;

/** Undefined if no known test runner is recognized: then nothing is assumed. */
export function readResults(output: string): TestResults | undefined {
  const text = plain(output);
  const lines = text.replace(LONG_LINES, '');
  for (const read of BY_LINE) {
    const results = read(lines);
    if (results) return results;
  }
  for (const read of WHOLE) {
    const results = read(text);
    if (results) return results;
  }
  return undefined;
}

const TEST_WORDS =
  /\b(?:vitest|jest|mocha|ava|pytest|tox|nox|rspec|phpunit|ctest|playwright|cypress|junit|nextest|tests?|specs?)\b/i;
/** `test -f x` is the shell's own command. */
const SHELL_TEST = /(?:^|[;&|(]|\b(?:if|then|while))\s*test\s+[!"'$-]/g;

/** Whether a gate is meant to run tests, by its name and command. */
export const looksLikeTests = ({ name, run }: { readonly name: string; readonly run: string }): boolean =>
  TEST_WORDS.test(`${name === run ? '' : name}\n${run.replace(SHELL_TEST, ' ')}`);
