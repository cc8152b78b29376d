/** What test runners print, read. The outputs of node, vitest and pytest were recorded; the others follow their documents. */
import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { looksLikeTests, readResults } from '../../src/evidence/results/read.ts';

const folder = new URL('outputs/', import.meta.url);
const output = (name: string): string => readFileSync(new URL(`${name}.txt`, folder), 'utf8');

interface Wanted {
  readonly runner: string;
  /** Passed, failed, skipped. */
  readonly counts: readonly [number, number, number];
  readonly failures: readonly string[];
  readonly notLoaded?: readonly string[];
  /** Absent: the output does not name them all. */
  readonly ids?: readonly string[];
}

const CART = ['adds up', 'cart > is empty', 'cart > takes off ten percent', 'later', 'fine'];
const inFiles = (...names: readonly string[]) =>
  names.map(name => `test/${name === 'fine' ? 'c' : 'a'}.test.js > ${name}`);
const node: Wanted = {
  runner: 'node:test',
  counts: [3, 1, 1],
  failures: ['cart > takes off ten percent'],
  notLoaded: ['/repo/n/test/b.test.js'],
  ids: CART,
};
const vitest: Wanted = {
  runner: 'vitest',
  counts: [3, 1, 1],
  failures: ['test/a.test.js > cart > takes off ten percent'],
  notLoaded: ['test/b.test.js'],
};
const pytest: Wanted = { runner: 'pytest', counts: [4, 1, 1], failures: ['test_a.py::TestCart::test_off'] };
const PY = ['test_adds', 'TestCart::test_empty', 'TestCart::test_off', 'test_later', 'test_n[1]', 'test_n[2]'];
const unloaded: Wanted = { runner: 'pytest', counts: [0, 0, 0], failures: [], notLoaded: ['test_b.py'] };

const table: Readonly<Record<string, Wanted>> = {
  'node-spec': node,
  'node-tap': node,
  'node-junit': {
    ...node,
    runner: 'JUnit XML',
    failures: ['test > takes off ten percent'],
    ids: ['adds up', 'is empty', 'takes off ten percent', 'later', 'fine'].map(name => `test > ${name}`),
  },
  'vitest-default': vitest,
  'vitest-verbose': { ...vitest, ids: inFiles(...CART) },
  'vitest-one': { runner: 'vitest', counts: [1, 0, 0], failures: [] },
  'vitest-json': {
    ...vitest,
    failures: ['cart > takes off ten percent'],
    notLoaded: ['/repo/v/test/b.test.js'],
    ids: CART,
  },
  'vitest-tap': { ...vitest, runner: 'TAP', ids: inFiles(...CART) },
  'vitest-junit': { ...vitest, runner: 'JUnit XML', ids: inFiles(...CART) },
  jest: { ...vitest, runner: 'jest' },
  'jest-verbose': {
    ...vitest,
    runner: 'jest',
    notLoaded: [],
    ids: inFiles('adds up', 'later', 'cart > is empty', 'cart > takes off ten percent', 'fine'),
  },
  'pytest-q': unloaded,
  'pytest-v': unloaded,
  'pytest-q2': pytest,
  'pytest-v2': { ...pytest, ids: PY.map(name => `test_a.py::${name}`) },
  'pytest-ra': {
    ...pytest,
    notLoaded: ['test_b.py'],
    ids: PY.filter(name => name !== 'test_later').map(name => `test_a.py::${name}`),
  },
  go: {
    runner: 'go test',
    counts: [1, 1, 0],
    failures: ['example.com/shop/price > TestDiscount'],
    notLoaded: ['example.com/shop/gone'],
  },
  'go-v': {
    runner: 'go test',
    counts: [2, 2, 1],
    failures: ['example.com/shop/cart > TestTable', 'example.com/shop/cart > TestTable/two'],
    ids: ['TestAdds', 'TestTable', 'TestTable/one', 'TestTable/two', 'TestLater'].map(
      name => `example.com/shop/cart > ${name}`,
    ),
  },
  'go-json': {
    runner: 'go test',
    counts: [1, 1, 1],
    failures: ['example.com/shop/cart > TestOff'],
    ids: ['TestAdds', 'TestOff', 'TestLater'].map(name => `example.com/shop/cart > ${name}`),
  },
  cargo: {
    runner: 'cargo test',
    counts: [2, 1, 1],
    failures: ['tests::off'],
    ids: ['tests::adds', 'tests::later', 'tests::off', 'src/lib.rs - total (line 3)'],
  },
};

describe('what a runner printed', () => {
  it('has a row in the table for every recorded output', () => {
    expect(
      readdirSync(folder)
        .map(name => name.replace(/\.txt$/, ''))
        .toSorted(),
    ).toEqual(Object.keys(table).toSorted());
  });

  it.each(Object.entries(table))('%s', (name, wanted) => {
    const found = readResults(output(name));
    expect(found && [found.passed, found.failed, found.skipped]).toEqual(wanted.counts);
    expect(found?.executed).toBe(wanted.counts[0] + wanted.counts[1]);
    expect(found?.runner).toBe(wanted.runner);
    expect(found?.failures).toEqual(wanted.failures);
    expect(found?.notLoaded).toEqual(wanted.notLoaded ?? []);
    expect(found?.ids && [...found.ids.keys()].toSorted()).toEqual(wanted.ids?.toSorted());
  });

  it('adds up what several runs of a runner say', () => {
    expect(readResults(`${output('vitest-one')}\n${output('vitest-default')}`)?.executed).toBe(5);
    expect(readResults(`${output('node-tap')}\n${output('node-tap')}`)?.ids?.size).toBe(10);
  });

  it('counts packages where go names no tests, and says so', () => {
    expect(readResults(output('go'))?.of).toBe('packages');
  });

  it.each(['', 'ok\n', 'all good: 12 passed\n', 'Tests: fine\n', '5 passed\n', 'src/a.ts(3,1): error TS2304\n'])(
    'is not guessed: %j',
    text => expect(readResults(text)).toBeUndefined(),
  );

  it('is read without a throw, whatever it is', () => {
    const pieces = readdirSync(folder).flatMap(name => readFileSync(new URL(name, folder), 'utf8').split('\n'));
    const line = fc.oneof(fc.constantFrom(...pieces), fc.string({ unit: 'binary' }), fc.constant('\u001b[31m'));
    const runs = Number(process.env.RALPH_PROPERTY_RUNS ?? 300);
    fc.assert(
      fc.property(fc.array(line, { maxLength: 60 }), lines => {
        const found = readResults(lines.join('\n'));
        if (found) expect(found.executed).toBe(found.passed + found.failed);
        if (found) expect(Math.min(found.passed, found.failed, found.skipped)).toBeGreaterThanOrEqual(0);
      }),
      { numRuns: runs },
    );
  });

  it('is cut anywhere without a throw', () => {
    for (const name of Object.keys(table)) {
      const text = output(name);
      for (let at = 0; at < text.length; at += 97) readResults(text.slice(at));
    }
  });
});

describe('a gate that is meant to run tests', () => {
  it.each([
    'npm test',
    'npx vitest run',
    'go test -v ./...',
    'cargo test',
    'make test',
    'python3 -m pytest -q',
    'bin/rspec',
  ])('%s', run => expect(looksLikeTests({ name: run, run })).toBe(true));
  it.each(['true', 'test -f out.txt', 'cd x && test -s y', 'npm run lint', 'tsc -p .', 'grep -q latest x'])(
    'not %s',
    run => expect(looksLikeTests({ name: run, run })).toBe(false),
  );
});
