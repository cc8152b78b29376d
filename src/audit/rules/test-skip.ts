/**
 * Tests that no longer run although they are still there.
 *
 *     - test('refunds', ...);
 *     + test.skip('refunds', ...);   or test.only on its neighbour
 */
import type { Look } from '../look.ts';
import { assertionsOf } from '../tests/assertions.ts';
import { compareTests } from '../tests/compare.ts';
import { newQuietExits } from '../tests/early-returns.ts';
import { sidesOf } from '../tests/tautology.ts';
import type { Assertion, TestCase } from '../tests/test-case.ts';
import { type Found, quote, type Rule } from './rule.ts';

export const testSkip: Rule = {
  id: 'test-skip',
  level: 'block',
  protects: 'tests',
  about: 'A test that ran before is skipped, ignored, expected to fail, or hidden where nobody runs it.',
  check: look => {
    const { pairs, fresh } = compareTests(look);
    return [
      ...pairs.flatMap(({ before, after }): readonly Found[] => {
        const failing =
          before.test.skip === 'no' && after.test.skip === 'conditional'
            ? skipsOnFailure(before.test, after.test)
            : undefined;
        if (failing !== undefined) {
          const message = `the test ${quote(after.test.name)} skips itself if ${quote(failing)}, which is what it should find out`;
          return [{ message, path: after.file.path, line: after.test.line }];
        }
        const hidden = isSame(before.test, after.test) ? undefined : hiddenBy(look, before.test, after.test);
        if (hidden !== undefined) {
          const message = `the test ${quote(after.test.name)} runs only with ${quote(hidden)} now, which nothing asks for`;
          return [{ message, path: after.file.path, line: after.test.line }];
        }
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

/** The condition of a skip that looks at the very value the test asserted on, or at the case at hand. */
function skipsOnFailure(before: TestCase, after: TestCase): string | undefined {
  const exits = newQuietExits(before, after).filter(({ kind }) => kind === 'skip');
  if (exits.length === 0) return undefined;
  const asks = assertionsOf(before);
  const asked = new Set(asks.flatMap(({ subject }) => /[A-Za-z_]\w*/.exec(subject)?.[0] ?? []));
  const left = new Set(assertionsOf(after).map(({ text }) => text));
  const rows = rowNames(after.code);
  return exits.find(({ condition }) => {
    const words = wordsIn(condition);
    // What made it fail makes it skip now.
    if (
      asks.some(
        ({ text, subject }) =>
          !left.has(text) &&
          (text.startsWith(`if ${flat(condition)} `) || (subject.length > 3 && flat(condition).includes(subject))),
      )
    )
      return true;
    if (words.some(word => rows.has(word))) return true;
    if (asks.some(ask => asksCondition(ask, flat(condition)))) return true;
    // Only what the test itself worked out before.
    return words.some(
      word =>
        asked.has(word) && word !== 'err' && new RegExp(`\\b${word}\\b(?:\\s*,\\s*\\w+)*\\s*:?=[^=]`).test(after.code),
    );
  })?.condition;
}

/** The condition is the question itself: both of its sides, or the call that it wants to be true. */
function asksCondition({ text, subject, strength }: Assertion, condition: string): boolean {
  const sides = sidesOf(text);
  const isCall = subject.length > 3 && /[.(@]/.test(subject);
  if (sides) return sides.every(side => condition.includes(flat(side))) && sides.some(side => /[A-Za-z_]/.test(side));
  return isCall && strength <= 3 && condition.includes(flat(subject));
}

const FEATURE = /\bcfg(?:_attr)?\s*\([^\]]*\bfeature\s*=\s*"([^"]+)"/;
/** A label whose name says that nobody runs it. */
const LABEL =
  /(?:@Tag\(\s*"|\bmark\.|@Category\(\s*|\bgroups\s*=\s*\{?\s*"|->group\(\s*['"]|\[(?:Trait|Category|TestCategory)\([^)\]]*"|\btags?\s*:\s*\[?\s*['"]@?|[,(]\s*:)((?:\w*(?:quarantine|broken|disabled|known_?fail|do_?not_?run|never|ignored)\w*))/i;

/** A variable whose name says that what it turns on does not work. */
const UNWANTED =
  /(?:\benv\b|\bENV\b|environ|[gG]etenv|\bgetEnv)[^\n]{0,20}?\b(\w*(?:FLAKY|BROKEN|QUARANTINE|UNSTABLE|KNOWN_FAIL|DISABLED)\w*)/;

/** A feature or a label that came to a test, and that no code of the change knows. */
function hiddenBy({ files }: Look, before: TestCase, after: TestCase): string | undefined {
  const label = LABEL.exec(after.head)?.[1];
  if (label !== undefined && !before.head.includes(label)) return label;
  const variable = UNWANTED.exec(`${after.head}\n${after.code}`)?.[1];
  if (variable !== undefined && after.skip === 'conditional' && before.skip === 'no') return variable;
  const feature = FEATURE.exec(after.head)?.[1];
  if (feature === undefined || before.skip !== 'no' || before.head.includes(`"${feature}"`)) return undefined;
  const heads = files.flatMap(file => file.after.tests.filter(test => test.head.includes(`"${feature}"`)));
  const named = files.reduce((sum, file) => sum + file.after.text.split(feature).length - 1, 0);
  return named > heads.length ? undefined : feature;
}

const isSame = (a: TestCase, b: TestCase): boolean => a.head === b.head && a.code === b.code;

const wordsIn = (code: string): readonly string[] => code.replace(/'[^']*'|"[^"]*"/g, '').match(/[A-Za-z_]\w*/g) ?? [];

const flat = (code: string): string => code.replace(/["`]/g, "'").replace(/\s*([().,])\s*/g, '$1');

/** `tt` in `for _, tt := range tests`, `row` in `for (const row of rows)`. */
const rowNames = (code: string): ReadonlySet<string> =>
  new Set(
    [
      ...code.matchAll(
        /\bfor\s+(?:_|\w+),\s*(\w+)\s*:?=\s*range\b|\bfor\s*\(\s*(?:const|let|var)\s+(\w+)\s+of\b|\bfor\s+(\w+)\s+in\b/g,
      ),
    ].map(match => match[1] ?? match[2] ?? match[3] ?? ''),
  );

const BUILD_TAG = /^\s*\/\/(?:go:build|\s*\+build)\s+(.+)$/;
/** What the machine is decides, nobody has to ask for it. */
const PLATFORM =
  /^(?:[\s()!&|,]|\b(?:unix|linux|darwin|windows|freebsd|openbsd|netbsd|android|ios|js|wasm|wasip1|plan9|solaris|aix|amd64|arm64|arm|386|riscv64|s390x|ppc64le|cgo|race|purego|appengine|go1\.\d+)\b)+$/;
const COLLECTION = /^\s*(?:collect_ignore(?:_glob)?)\s*(?:=|\+=|\.append|\.extend)/;

/** Nothing but folders that hold no tests. */
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
  about: 'A test that ran everywhere runs only under a condition now.',
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
