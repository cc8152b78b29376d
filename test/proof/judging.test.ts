/** What is concluded from results, without running anything. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Look, lookAt } from '../../src/audit/look.ts';
import { fewerTests } from '../../src/evidence/proof/fewer.ts';
import { idMatcher } from '../../src/evidence/proof/match.ts';
import { mutations } from '../../src/evidence/proof/mutants.ts';
import { judgeOldTests } from '../../src/evidence/proof/old-tests.ts';
import { proveTests, writtenTests } from '../../src/evidence/proof/red-green.ts';
import type { TestResults, TestStatus } from '../../src/evidence/results/tally.ts';
import type { Change, FileText } from '../../src/protocol.ts';
import { plainItem, plainRules } from '../support/samples.ts';

function lookOf(files: Readonly<Record<string, FileText>>, title = 'A story'): Look {
  const changes = Object.entries(files).map(
    ([path, { before, after }]): Change => ({
      path,
      kind: before === '' ? 'added' : after === '' ? 'deleted' : 'modified',
      added: 1,
      deleted: 1,
      binary: false,
      mode: '100644',
    }),
  );
  return lookAt({
    changes,
    item: plainItem({ title }),
    rules: plainRules,
    linkTarget: () => undefined,
    text: path => files[path],
  });
}

function ran(ids: Readonly<Record<string, TestStatus>>, more: Partial<TestResults> = {}): TestResults {
  const count = (wanted: TestStatus) => Object.values(ids).filter(status => status === wanted).length;
  const [passed, failed, skipped] = [count('passed'), count('failed'), count('skipped')];
  const failures = Object.keys(ids).filter(id => ids[id] === 'failed');
  return {
    runner: 'any',
    passed,
    failed,
    skipped,
    executed: passed + failed,
    ids: new Map(Object.entries(ids)),
    failures,
    notLoaded: [],
    ...more,
  };
}

const testFile = (...names: readonly string[]) =>
  names.map(name => `test('${name}', () => {\n  assert.equal(f('${name}'), 1);\n});\n`).join('');

describe('an id belongs to a test', () => {
  it.each([
    ['test/a.test.js', 'adds up', 'adds up'],
    ['test/a.test.js', 'adds up', 'cart > adds up'],
    ['test/a.test.js', 'adds up', 'test/a.test.js > cart > adds up'],
    ['pkg/test/a.test.js', 'adds up', 'test/a.test.js > adds up'],
    ['test/a.test.js', 'adds %i and $b', 'adds 1 and 2'],
    ['test_a.py', 'test_n', 'test_a.py::test_n[1-x]'],
    ['cart/cart_test.go', 'TestTable', 'example.com/cart > TestTable/one'],
    ['src/lib.rs', 'adds', 'tests::adds'],
  ])('%s, %s: %s', (path, name, id) => expect(idMatcher({ path, name })(id)).toBe(true));

  it.each([
    ['test/a.test.js', 'adds up', 'never adds up'],
    ['test/a.test.js', 'adds up', 'test/b.test.js > adds up'],
    ['test/a.test.js', 'adds', 'adds up'],
    ['test_a.py', 'test_n', 'test_b.py::test_n'],
  ])('not %s, %s: %s', (path, name, id) => expect(idMatcher({ path, name })(id)).toBe(false));
});

describe('fewer tests', () => {
  const gate = 'test';
  const nothing = lookOf({ 'src/a.js': { before: 'a;\n', after: 'b;\n' } });

  it('are refused where the source does not explain it', () => {
    const [found] = fewerTests(
      { gate, base: ran({ one: 'passed', two: 'passed' }), now: ran({ one: 'passed' }) },
      nothing,
    );
    expect(found).toMatchObject({ level: 'block', rule: 'tests-fewer' });
    expect(found?.message).toContain('`two` did not run');
  });

  it('are refused where another takes the place of one', () => {
    const found = fewerTests(
      { gate, base: ran({ one: 'passed', two: 'passed' }), now: ran({ one: 'passed', three: 'passed' }) },
      nothing,
    );
    expect(found).toMatchObject([{ level: 'block' }]);
  });

  it('are refused where one is skipped while it runs', () => {
    const found = fewerTests(
      { gate, base: ran({ one: 'passed', two: 'passed' }), now: ran({ one: 'passed', two: 'skipped' }) },
      nothing,
    );
    expect(found).toMatchObject([{ level: 'block' }]);
  });

  it('only warn where the name may be another in each run', () => {
    const found = fewerTests(
      { gate, base: ran({ 'port 8123': 'passed' }), now: ran({ 'port 8124': 'passed' }) },
      nothing,
    );
    expect(found).toMatchObject([{ level: 'warn' }]);
  });

  it('are fine where the source took them out, and the guards let it pass', () => {
    const look = lookOf({ 'test/a.test.js': { before: testFile('one', 'two'), after: testFile('one') } });
    expect(
      fewerTests({ gate, base: ran({ one: 'passed', two: 'passed' }), now: ran({ one: 'passed' }) }, look),
    ).toEqual([]);
  });

  it('are seen by their number alone where nobody names them', () => {
    const { ids: _, ...base } = ran({ one: 'passed', two: 'passed' });
    const { ids: __, ...now } = ran({ one: 'passed' });
    expect(fewerTests({ gate, base, now }, nothing)).toMatchObject([{ level: 'block' }]);
    expect(fewerTests({ gate, base: now, now: base }, nothing)).toEqual([]);
  });
});

describe('a new test on the base', () => {
  const look = lookOf({ 'test/a.test.js': { before: testFile('old'), after: testFile('old', 'new') } });
  const proofs = (green: boolean, results: TestResults | undefined) =>
    proveTests(writtenTests(look), [{ green, results }]).map(({ test, proof }) => `${proof} ${test}`);

  it('is proven where it fails, vacuous where it passes, weak where it could not be loaded', () => {
    expect(proofs(false, ran({ old: 'passed', new: 'failed' }))).toEqual(['proven new']);
    expect(proofs(true, ran({ old: 'passed', new: 'passed' }))).toEqual(['vacuous new']);
    expect(proofs(false, ran({}, { notLoaded: ['/somewhere/test/a.test.js'] }))).toEqual(['weak new']);
  });

  it('is weak where it stands in the file of its code', () => {
    const module =
      '#[cfg(test)]\nmod tests {\n    #[test]\n    fn adds() {\n        assert_eq!(super::f(), 1);\n    }\n}\n';
    const rust = lookOf({ 'src/lib.rs': { before: '', after: `pub fn f() -> i32 {\n    1\n}\n${module}` } });
    const [proof] = proveTests(writtenTests(rust), [{ green: true, results: ran({}) }]);
    expect(proof).toMatchObject({ test: 'adds', proof: 'weak' });
  });

  it.each([
    ["const t = require('node:test');\n", "t('adds', () => {\n  assert.equal(f(), 1);\n});\n"],
    ["import run from 'ava';\n", "run('adds', t => {\n  t.is(f(), 1);\n});\n"],
    ["import { test as check } from 'vitest';\n", "check('adds', () => {\n  expect(f()).toBe(1);\n});\n"],
    ["const { it: should } = require('node:test');\n", "should('adds', function () {\n  assert.equal(f(), 1);\n});\n"],
  ])('is found under another name: %s', (before, test) => {
    const look = lookOf({ 'test/b.test.js': { before, after: before + test } });
    expect(proveTests(writtenTests(look), [{ green: false, results: ran({ adds: 'failed' }) }])).toMatchObject([
      { test: 'adds', line: 2, proof: 'proven' },
    ]);
  });

  it('is its file where no test can be told apart', () => {
    const look = lookOf({ 'test/b.test.js': { before: '', after: "scenario('adds', () => check(f(), 1));\n" } });
    const on = (green: boolean) => proveTests(writtenTests(look), [{ green, results: ran({}) }]).map(one => one.proof);
    expect([on(false), on(true)]).toEqual([['weak'], ['vacuous']]);
  });

  it('goes by the whole where nobody names it', () => {
    expect(proofs(false, undefined)).toEqual(['weak new']);
    expect(proofs(true, undefined)).toEqual(['vacuous new']);
  });
});

describe('old tests that fail', () => {
  const files = { 'test/cart.test.js': { before: testFile('adds up'), after: testFile('adds all up') } };
  const red = [{ gate: 'test', results: ran({ 'adds up': 'failed' }) }];
  const levels = (title: string) => judgeOldTests(lookOf(files, title), red).map(({ level }) => level);

  it('block, unless the item names the test, its file, or the change', () => {
    expect(levels('Add a discount to the cart')).toEqual(['block']);
    expect(levels('Rewrite test/cart.test.js')).toEqual([]);
    expect(levels('The test "adds up" is wrong')).toEqual([]);
    expect(levels('Change how the cart rounds')).toEqual(['warn']);
  });

  it('block without a name where the output cannot be read', () => {
    expect(judgeOldTests(lookOf(files), [{ gate: 'npm test', results: undefined }])).toMatchObject([
      { level: 'block', message: expect.stringContaining('gate npm test') },
    ]);
  });
});

describe('mutants', () => {
  const before = 'export const a = 1;\n';
  const after = `${before}export function f(x) {\n  if (x > 10 && x !== 12) return x * 2;\n  return 'a && b';\n}\n`;
  const look = () => lookOf({ 'src/a.js': { before, after } });

  it('change one thing in new code, and are always the same', () => {
    const made = mutations(look(), 20);
    expect(made[0]).toMatchObject({ reverts: true, text: before });
    expect(made.map(({ change }) => change)).toEqual(mutations(look(), 20).map(({ change }) => change));
    expect(made.map(({ change }) => change)).toEqual(
      expect.arrayContaining([
        '`>` became `<=`',
        '`&&` became `||`',
        '`!==` became `===`',
        '`*` became `+`',
        '`10` became `11`',
      ]),
    );
    for (const { text, line, reverts } of made.filter(mutant => !mutant.reverts)) {
      const [was, is] = [after.split('\n'), text.split('\n')];
      expect(reverts || was.flatMap((old, at) => (old === is[at] ? [] : [at + 1]))).toEqual([line]);
    }
    // The insides of strings are nobody's logic.
    expect(made.some(({ text }) => text.includes("'a || b'"))).toBe(false);
  });

  it('are no more than asked for, and of every part of the change', () => {
    const [first, ...rest] = mutations(
      lookOf({ 'src/a.js': { before: '', after }, 'src/b.js': { before: '', after } }),
      2,
    );
    expect([first, ...rest].map(mutant => mutant?.path)).toEqual(['src/a.js', 'src/b.js']);
  });

  it('are not made of tests, words and settings', () => {
    expect(
      mutations(
        lookOf({
          'test/a.test.js': { before: '', after },
          'a.md': { before: '', after },
          'a.json': { before: '', after: '{"a": 1}' },
        }),
        6,
      ),
    ).toEqual([]);
  });

  it('can be made of any text', () => {
    fc.assert(
      fc.property(
        fc.string(),
        fc.string(),
        fc.constantFrom('a.js', 'a.py', 'a.go', 'a.rs', 'a.rb'),
        (old, now, path) => {
          expect(mutations(lookOf({ [path]: { before: old, after: now } }), 6).length).toBeLessThanOrEqual(6);
        },
      ),
      { numRuns: 200 },
    );
  });
});
