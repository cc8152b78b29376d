/**
 * Removed tests. A test may go if its code is gone too, or if its cases live on elsewhere.
 *
 *     - test('refuses a negative price', ...);
 *     + (nothing, while the code that refuses it is still there)
 */
import { goneNames, mentioned } from '../gone-names.ts';
import { type Look, LookFile } from '../look.ts';
import { roleOf, subjectOf } from '../roles.ts';
import { literalsOf } from '../tests/assertion-text.ts';
import { assertionsOf } from '../tests/assertions.ts';
import { compareTests, type Placed } from '../tests/compare.ts';
import type { Assertion, TestCase } from '../tests/test-case.ts';
import { type Found, quote, type Rule } from './rule.ts';

export const testRemoved: Rule = {
  id: 'test-removed',
  level: 'block',
  protects: 'tests',
  about: 'A test or test file was removed, but the code it tests is still there.',
  check: look => {
    const { gone } = compareTests(look);
    const kept = keptBy(look);
    return [
      ...gone.flatMap(placed => judge(look, placed, kept)),
      ...look.files.flatMap((file): readonly Found[] => {
        // A deleted test file whose single tests cannot be recognised.
        if (file.role !== 'test' || file.change.kind !== 'deleted' || file.before.tests.length > 0) return [];
        if (!/\b(?:assert|expect|should|test)/i.test(file.before.bare)) return [];
        if (mentioned(goneNames(look).defined, file.before.bare) || neighbourGone(look, file.path)) return [];
        if (
          look.files.some(
            other => other !== file && other.role === 'test' && other.after.text.trim() === file.before.text.trim(),
          )
        )
          return [];
        return [{ message: 'a file of tests was deleted', path: file.path, line: 1 }];
      }),
    ];
  },
};

/** Whether production code in the same folder was deleted, too. */
function neighbourGone({ changes }: Look, path: string): boolean {
  const folder = path.slice(0, path.lastIndexOf('/') + 1);
  return (
    folder !== '' &&
    changes.some(
      change => change.kind === 'deleted' && change.path.startsWith(folder) && roleOf(change.path) === 'production',
    )
  );
}

function judge(look: Look, { file, test }: Placed, kept: Kept): readonly Found[] {
  // A test that did not run or asserted nothing is no loss.
  if (test.skip === 'yes' || test.skip === 'todo') return [];
  const asks = ownAssertions(file, test);
  // Assertions of nested tests belong to those tests.
  if (asks.length === 0 && assertionsOf(test).length > 0) return [];
  const where = { path: file.path, line: test.line };
  const { defined } = goneNames(look);
  const subject =
    mentioned(defined, `${test.code} ${test.head} ${test.group}`) ??
    (defined.has(subjectOf(file.path)) ? subjectOf(file.path) : undefined);
  if (subject !== undefined) {
    return [{ message: `the test ${quote(test.name)} went together with ${quote(subject)}`, ...where, level: 'note' }];
  }
  const elsewhere = asks.length > 0 ? alsoIn(look, file, test) : undefined;
  if (elsewhere !== undefined)
    return [{ message: `the test ${quote(test.name)} is in ${elsewhere}, too`, ...where, level: 'note' }];
  const told = test.code.replace(FAILURE_WORDS, '');
  const literals = literalsOf(told).filter(literal => literal.length > 0);
  const inTable = literals.length >= 2 && literals.every(literal => kept.literals.has(literal));
  const merged = asks.length > 0 && (inTable || asks.every(({ text }) => kept.isAsked(text)));
  if (merged && !isHidden(file, test)) {
    return [{ message: `the cases of ${quote(test.name)} seem to live on in other tests`, ...where, level: 'note' }];
  }
  const message = `the test ${quote(test.name)} was removed while what it tests is still there; put it back`;
  return [{ message, ...where }];
}

/** Another file with a test of this name that has all assertions of this one. */
function alsoIn(look: Look, own: LookFile, test: TestCase): string | undefined {
  const asked = assertionsOf(test).map(({ text }) => text);
  // New files were compared already, and may be where no runner looks for tests.
  const old = look.files.filter(file => file !== own && file.before.text !== '');
  return [...old, ...unchangedTests(look)].find(file =>
    file.after.tests.some(other => {
      if (other.name !== test.name || other.skip !== 'no') return false;
      const asks = new Set(assertionsOf(other).map(({ text }) => text));
      return asked.every(text => asks.has(text));
    }),
  )?.path;
}

/** Test files outside the change, as far as they were requested. */
const unchangedTests = (look: Look): readonly LookFile[] =>
  [...(look.input.unchanged ?? [])]
    .filter(([path]) => /^(?:test|test-support)$/.test(roleOf(path)) || path.endsWith('.rs'))
    .map(
      ([path, text]) =>
        new LookFile(
          { path, kind: 'modified', added: 0, deleted: 0, binary: false, mode: '100644' },
          { before: '', after: text },
        ),
    );

/** The assertions of a test, without those of nested tests. */
function ownAssertions({ before, language }: LookFile, test: TestCase): readonly Assertion[] {
  const asks = assertionsOf(test);
  if (language !== 'js' || !/\.test\(/.test(test.bare)) return asks;
  const end = test.bodyLine + test.code.split('\n').length;
  const inner = before.tests.filter(other => other !== test && other.line > test.line && other.line < end);
  return asks.filter(
    ({ line }) => !inner.some(other => line >= other.line && line < other.bodyLine + other.code.split('\n').length),
  );
}

/** Whether the test is still in the file, but where no runner finds it. */
const isHidden = ({ language, after }: LookFile, { name }: TestCase): boolean =>
  language === 'python' &&
  new RegExp(`^[ \\t]+(?:async[ \\t]+)?def[ \\t]+${name}\\b`, 'm').test(after.code) &&
  !after.tests.some(test => test.name === name);

/** Failure messages are not part of what a test asserts. */
const FAILURE_WORDS = /\bt\.(?:Error|Fatal|Log|Skip)f?\("[^"\n]*"/g;

interface Kept {
  /** Literals of the lines that were added to tests. */
  readonly literals: ReadonlySet<string>;
  /** Whether the tests contain this assertion as often as before. */
  readonly isAsked: (text: string) => boolean;
}

/** Computed only if a test is gone, which is rare. */
function keptBy(look: Look): Kept {
  let literals: ReadonlySet<string> | undefined;
  let isAsked: Kept['isAsked'] | undefined;
  return {
    get literals() {
      return (literals ??= addedLiterals(look));
    },
    isAsked: text => (isAsked ??= askedAsOften(look))(text),
  };
}

function askedAsOften(look: Look): Kept['isAsked'] {
  const { pairs, gone, fresh } = compareTests(look);
  let all = 0;
  const counts = new Map<string, number>();
  const count = (placed: readonly Placed[], sign: 1 | -1) => {
    for (const { file, test } of placed) {
      if (test.skip !== 'no') continue;
      for (const { text } of sign < 0 ? ownAssertions(file, test) : assertionsOf(test)) {
        counts.set(text, (counts.get(text) ?? 0) + sign);
        all += sign;
      }
    }
  };
  // Unchanged tests cancel out.
  const changed = pairs.filter(
    ({ before, after }) => before.test.code !== after.test.code || before.test.skip !== after.test.skip,
  );
  count([...changed.map(({ before }) => before), ...gone], -1);
  count([...changed.map(({ after }) => after), ...fresh], 1);
  // If there are fewer assertions in total, one test may have replaced another.
  return text => all >= 0 && (counts.get(text) ?? 0) >= 0;
}

function addedLiterals(look: Look): ReadonlySet<string> {
  const { pairs, fresh } = compareTests(look);
  const run = new Set([...pairs.map(({ after }) => after.file), ...fresh.map(({ file }) => file)]);
  const tests = look.files.filter(
    // Tests that nobody runs preserve nothing.
    file => run.has(file) || (file.after.tests.length === 0 && (file.role === 'test' || file.role === 'test-support')),
  );
  return new Set(
    tests.flatMap(file => (file.added.length === 0 ? [] : literalsOf(file.added.map(line => line.code).join('\n')))),
  );
}
