/** Tests that still ask the same, of hardly any cases. */
import type { Look, LookFile } from '../look.ts';
import { codeOf } from '../matches.ts';
import { compareTests } from '../tests/compare.ts';
import { drawsLess, triesLess } from '../tests/effort.ts';
import { type Found, quote } from './rule.ts';

export function lessEffort(look: Look): readonly Found[] {
  const { pairs } = compareTests(look);
  const seen = new Set<string>();
  const found = pairs.flatMap(({ before, after }): readonly Found[] => {
    if (after.test.skip !== 'no' || (before.test.code === after.test.code && before.test.head === after.test.head))
      return [];
    const where = { path: after.file.path, line: after.test.line };
    const fewer = triesLess(`${before.test.head}\n${before.test.code}`, `${after.test.head}\n${after.test.code}`);
    if (fewer) {
      seen.add(after.file.path);
      const message = `the test ${quote(after.test.name)} tries ${fewer.to} instead of ${fewer.from}: ${quote(fewer.text)}`;
      return [{ message, ...where }];
    }
    const drawn = drawsLess(before.test, after.test);
    if (drawn === undefined) return [];
    return [{ message: `the test ${quote(after.test.name)} draws hardly any values now: ${quote(drawn)}`, ...where }];
  });
  return [...found, ...look.files.flatMap(file => (seen.has(file.path) ? [] : ofFile(file)))];
}

const SETTING =
  /with_cases|ProptestConfig|quick\.Config|PropTestConfig|PropertyTesting|MaxTest|max_examples|numRuns|defaultIterationCount|jqwik\.tries|minSuccessful|PROPTEST_CASES|QUICKCHECK_TESTS|#\[proptest/;

/** Beside the tests: how many cases all properties of a file are tried with. */
function ofFile(file: LookFile): readonly Found[] {
  if (file.role !== 'test' && file.role !== 'test-support') return [];
  if (!SETTING.test(codeOf(file.added)) || !SETTING.test(codeOf(file.removed))) return [];
  const lines = (side: readonly { readonly code: string }[]) =>
    side
      .map(({ code }) => code)
      .filter(code => SETTING.test(code))
      .join('\n');
  const fewer = triesLess(lines(file.removed), lines(file.added));
  if (!fewer) return [];
  const line = file.added.find(({ code }) => code.includes(fewer.text))?.number ?? 1;
  return [{ message: `${quote(fewer.text)} tries ${fewer.to} cases instead of ${fewer.from}`, path: file.path, line }];
}
