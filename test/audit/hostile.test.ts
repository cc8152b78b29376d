/** An agent can write a file to keep its guards busy; its length is all that it may cost. */
import { describe, expect, it } from 'vitest';
import { checkGuards } from '../../src/audit/rules/all.ts';
import { closing } from '../../src/audit/tests/brackets.ts';
import { plainItem, plainRules } from '../support/samples.ts';

/** Where a reader goes through all that follows for each line, this many take minutes. */
const LINES = 8000;

/** One line over and over; `new` stands where both sides differ. */
const BUSY: Readonly<Record<string, readonly string[]>> = {
  'src/a.ts': ['', ' '.repeat(40), 'function f(new) {', "if (new === 'a') return 'b';", '/*', "'", 'a.'.repeat(60)],
  'test/a.test.ts': ["it('new', () => {", "test('new'", 'it.each([', "jest.mock('./new')", 'expect(new', 'describe('],
  'src/a.py': ['\t'.repeat(20), 'def new():', '"""', 'except Exception:', "x = ['new', 'b']"],
  'a_test.go': ['func TestNew(t *testing.T) {', 'if new != want { t.Errorf("x") }', 'for _, new := range []string{'],
  'src/a.rs': ['#[test]', 'fn new() {', 'assert_eq!(new, 1', 'match new {'],
  'src/test/java/ATest.java': ['class New:', '@Test', 'public void newTest() {', 'assertThat(x).as("new")'],
  'lib/a.rb': ['def new(a)', "it 'new' do", 'class New', '=begin'],
  '.github/workflows/ci.yml': ['- run: npm test -- new', 'npm test new ||', 'new:', 'continue-on-error: true'],
  'package.json': [`"new${'a'.repeat(200)}"`, '"new": 1,', '{', '['],
  'pyproject.toml': [`new${'.a'.repeat(80)}`, '[new]', 'new = ["a",'],
  'a.sh': ['npm test || true # new', 'jest new', 'if [ -n "$new" ]; then', 'set +e'],
};

function busyWith(path: string, line: string, lines = LINES): number {
  const text = (word: string) => `${line.replaceAll('new', word)}\n`.repeat(lines);
  const change = { path, kind: 'modified', added: lines, deleted: lines, binary: false, mode: '100644' } as const;
  const sides = { before: text('old'), after: `first\n${text('new')}` };
  return checkGuards({
    changes: [change],
    item: plainItem({ title: 'x' }),
    rules: plainRules,
    scope: 'range',
    text: () => sides,
    linkTarget: () => undefined,
  }).length;
}

describe('a file made to keep guards busy', () => {
  for (const [path, lines] of Object.entries(BUSY)) {
    it(`is read to its end: ${path}`, { timeout: 300_000 }, () => {
      for (const line of lines) {
        expect(busyWith(path, line)).toBeGreaterThanOrEqual(0);
        // Many on one line.
        expect(busyWith(path, `${line} `.repeat(40), LINES / 40)).toBeGreaterThanOrEqual(0);
      }
    });
  }

  it('brackets nested deeper than anybody writes hold nothing', () => {
    const text = '{'.repeat(3000) + '}'.repeat(3000);
    expect(closing(text, 0)).toBe(5999);
    expect(closing(text, 63)).toBe(5999 - 63);
    expect(closing(text, 64)).toBe(64);
  });
});
