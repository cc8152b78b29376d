/** The same failure with other numbers, or among other good tests, is the same; one more failure is not. */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { fingerprint, redGate, wasRedSo } from '../../src/util/same-failure.ts';

const outputs = join(dirname(fileURLToPath(import.meta.url)), '..', 'evidence', 'outputs');
const output = (name: string) => readFileSync(join(outputs, `${name}.txt`), 'utf8');

/** What the same runner prints about one more test that passes, and about one more that fails. */
const RUNNERS = [
  ['node-spec', 'test at test/b', '✔ subtracts (0.3ms)\ntest at test/b', '✖ subtracts (0.3ms)\ntest at test/b'],
  [
    'node-tap',
    'ok 1 - adds up',
    "ok 9 - subtracts\n  ---\n  duration_ms: 1.5\n  type: 'test'\n  ...\nok 1 - adds up",
    'not ok 9 - subtracts\nok 1 - adds up',
  ],
  ['jest-verbose', '  ✓ adds up', '  ✓ subtracts (1 ms)\n  ✓ adds up', '  ✕ subtracts (1 ms)\n  ✓ adds up'],
  ['jest', 'PASS test/c', 'PASS test/d.test.js\nPASS test/c', 'FAIL test/d.test.js\nPASS test/c'],
  [
    'cargo',
    'test tests::adds ... ok',
    'test tests::more ... ok\ntest tests::adds ... ok',
    'test tests::more ... FAILED\ntest tests::adds ... ok',
  ],
  [
    'go-v',
    '--- PASS: TestAdds',
    '--- PASS: TestMore (0.01s)\n--- PASS: TestAdds',
    '--- FAIL: TestMore (0.01s)\n--- PASS: TestAdds',
  ],
  [
    'vitest-default',
    '\u001B[32m✓\u001B[39m adds up',
    '\u001B[32m✓\u001B[39m more\n   \u001B[32m✓\u001B[39m adds up',
    '\u001B[31m×\u001B[39m more\n   \u001B[32m✓\u001B[39m adds up',
  ],
] as const;

describe('the same failure', () => {
  it.each(RUNNERS)(
    'of %s stays the same beside one more good test, not beside one more bad one',
    (name, at, good, bad) => {
      const before = output(name);
      expect(before).toContain(at);
      expect(fingerprint(before.replace(at, good))).toBe(fingerprint(before));
      expect(fingerprint(before.replace(at, bad))).not.toBe(fingerprint(before));
    },
  );

  it('of pytest stays the same beside one more good test, by its dots and by its names', () => {
    const dots = (line: string, end: string) =>
      `${line}\n=== FAILURES ===\nE  assert 1 == 2\nFAILED tests/test_a.py::test_off\n${end}\n`;
    const before = fingerprint(dots('tests/test_a.py .F.   [100%]', '1 failed in 0.1s'));
    expect(
      fingerprint(dots('tests/test_a.py .F...  [ 60%]\ntests/test_b.py ...  [100%]', '1 failed, 6 passed in 0.2s')),
    ).toBe(before);
    expect(fingerprint(dots('tests/test_a.py .F.F.  [100%]', '2 failed, 3 passed in 0.2s'))).not.toBe(before);
    const named = (...lines: readonly string[]) =>
      fingerprint(`${lines.join('\n')}\ntests/test_a.py::test_off FAILED [ 50%]\n`);
    expect(named('tests/test_a.py::test_more PASSED [ 10%]')).toBe(named());
    expect(named('tests/test_a.py::test_more FAILED [ 10%]')).not.toBe(named());
  });

  it('is another one where more tests failed than its end tells', () => {
    const gate = (failed: number | undefined) => ({
      name: 'test',
      status: 'red',
      exit: 1,
      tail: 'FAILED',
      ...(failed === undefined ? {} : { tests: { failed } }),
    });
    const before = [redGate(gate(2))];
    expect([1, 2, 3, undefined].map(failed => wasRedSo(before, gate(failed)))).toEqual([true, true, false, false]);
    expect(wasRedSo([redGate(gate(undefined))], gate(3))).toBe(true);
  });

  it('of a linter is another one with one more complaint of the same kind', () => {
    const complaint = (line: number) => `src/a.ts:${line}:1 error no-unused-vars\n`;
    expect(fingerprint(complaint(3))).toBe(fingerprint(complaint(30)));
    expect(fingerprint(complaint(3) + complaint(9))).not.toBe(fingerprint(complaint(3)));
  });
});
