/**
 * Tests that still exist but no longer run.
 *
 *     - test('refunds', ...);
 *     + test.skip('refunds', ...);   or test.only on its neighbour
 */
import type { Look } from '../look.ts';
import { compareTests } from '../tests/compare.ts';
import { type Found, quote, type Rule } from './rule.ts';

export const testSkip: Rule = {
  id: 'test-skip',
  level: 'block',
  protects: 'tests',
  about: 'A test that ran before is now skipped, ignored or expected to fail.',
  check: look => {
    const { pairs, fresh } = compareTests(look);
    return [
      ...pairs.flatMap(({ before, after }): readonly Found[] => {
        if (after.test.skip !== 'yes' && after.test.skip !== 'todo') return [];
        if (before.test.skip === 'yes' || before.test.skip === 'todo') return [];
        const message = `the test ${quote(after.test.name)} ran before and is skipped now; make it pass instead`;
        return [{ message, path: after.file.path, line: after.test.line }];
      }),
      ...fresh.flatMap(({ file, test }): readonly Found[] => {
        if (test.skip !== 'yes') return [];
        return [
          { message: `the new test ${quote(test.name)} is skipped`, path: file.path, line: test.line, level: 'warn' },
        ];
      }),
      ...markers(look),
    ];
  },
};

const BUILD_TAG = /^\s*\/\/(?:go:build|\s*\+build)\s+(.+)$/;
/** Conditions that depend only on the platform. */
const PLATFORM =
  /^(?:[\s()!&|,]|\b(?:unix|linux|darwin|windows|freebsd|openbsd|netbsd|android|ios|js|wasm|wasip1|plan9|solaris|aix|amd64|arm64|arm|386|riscv64|s390x|ppc64le|cgo|race|purego|appengine|go1\.\d+)\b)+$/;
const COLLECTION = /^\s*(?:collect_ignore(?:_glob)?)\s*(?:=|\+=|\.append|\.extend)/;

/** Whether only folders without tests are named. */
const isOfData = (code: string): boolean => {
  const names = [...code.matchAll(/["']([^"'\n]+)["']/g)].map(match => match[1] ?? '');
  return (
    names.length > 0 &&
    names.every(name =>
      /^\W*(?:\w+\/)*(?:data|fixtures?|templates?|snapshots|resources|examples|samples|vendor|build)\//.test(name),
    )
  );
};

/** Ways to keep a whole file from running. */
function markers({ files }: Look): readonly Found[] {
  return files.flatMap((file): readonly Found[] => {
    if (file.change.kind === 'added' && file.role !== 'test-support') return [];
    return file.added.flatMap((line): readonly Found[] => {
      if (file.language === 'go' && file.role === 'test' && BUILD_TAG.test(line.text)) {
        const message = `the build constraint ${quote(line.text)} keeps the tests of this file from running`;
        const some = PLATFORM.test(BUILD_TAG.exec(line.text)?.[1] ?? '');
        return [{ message, path: file.path, line: line.number, ...(some && { level: 'warn' as const }) }];
      }
      if (file.language === 'python' && COLLECTION.test(line.code) && !isOfData(line.code)) {
        return [
          { message: `${quote(line.text)} keeps tests from being collected`, path: file.path, line: line.number },
        ];
      }
      return [];
    });
  });
}

export const testSkipConditional: Rule = {
  id: 'test-skip-conditional',
  level: 'warn',
  protects: 'tests',
  about: 'A test that always ran now runs only under a condition.',
  check: look =>
    compareTests(look).pairs.flatMap(({ before, after }): readonly Found[] => {
      if (after.test.skip !== 'conditional' || before.test.skip !== 'no') return [];
      const message = `the test ${quote(after.test.name)} runs only under a condition now`;
      return [{ message, path: after.file.path, line: after.test.line }];
    }),
};

export const testFocus: Rule = {
  id: 'test-focus',
  level: 'block',
  protects: 'tests',
  about: 'A focused test keeps all the others from running.',
  check: look => {
    const { pairs, fresh } = compareTests(look);
    const placed = [...pairs.filter(({ before }) => !before.test.focus).map(({ after }) => after), ...fresh];
    const seen = new Set<string>();
    return placed.flatMap(({ file, test }): readonly Found[] => {
      if (!test.focus || seen.has(file.path)) return [];
      seen.add(file.path);
      const message = `the focus on ${quote(test.name)} keeps every other test from running; take it away`;
      return [{ message, path: file.path, line: test.line }];
    });
  },
};
