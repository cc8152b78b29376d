/** Guards read what others wrote: whatever it is, they come to an end without a throw. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { diffLines } from '../../src/audit/line-diff.ts';
import { mask } from '../../src/audit/mask.ts';
import { checkGuards } from '../../src/audit/rules/all.ts';
import { findSecrets, redact } from '../../src/audit/secrets.ts';
import { plainItem, plainRules } from '../support/samples.ts';

const RUNS = Number(process.env.RALPH_PROPERTY_RUNS ?? 500);
const rules = plainRules;
const item = plainItem({ title: 'x' });

const PATHS = [
  'test/a.test.ts',
  'tests/test_a.py',
  'a_test.go',
  'src/a.rs',
  'src/test/java/ATest.java',
  'spec/a_spec.rb',
  'test/a_test.exs',
  'src/a.ts',
  'shop/a.py',
  'a.go',
  'package.json',
  'pyproject.toml',
  'tsconfig.json',
  '.eslintrc.json',
  '.golangci.yml',
  'Makefile',
  '.github/workflows/ci.yml',
  'tox.ini',
  'pom.xml',
  'src/__snapshots__/a.snap',
  'README.md',
  '.gitattributes',
  'conftest.py',
  'ATests.cs',
];
const PIECES = [
  'it(',
  "'a'",
  '"',
  '`',
  '${',
  '}',
  '{',
  '(',
  ')',
  '=>',
  '\n',
  '  ',
  '\t',
  'describe',
  '.skip',
  '.each',
  'expect(',
  ').toBe(',
  'assert ',
  '== 3',
  'def test_a():',
  'func TestA(t *testing.T) {',
  '#[test]',
  'fn a()',
  '@Test',
  'void a()',
  'do',
  'end',
  'it "a" do',
  '//',
  '/*',
  '*/',
  '#',
  '"""',
  "'''",
  '\\',
  '|| true',
  'run: npm test',
  'scripts:',
  '[',
  ']',
  ':',
  '=',
  ',',
  '<',
  '>',
  'return 42',
  'if (n === 10)',
  'thresholds: { lines: 90 }',
  '-----BEGIN',
  '\r',
  '\0',
  '\u{1F600}',
  '\uD800',
  'try',
  'catch',
  'except:',
  'pass',
  'rescue',
  'mock(',
  'class A',
];
const anyText = fc.oneof(
  fc.array(fc.constantFrom(...PIECES), { maxLength: 60 }).map(parts => parts.join('')),
  fc.string({ unit: 'binary', maxLength: 200 }),
);

describe('whatever is in a file', () => {
  it('guards end without a throw, and name places that are there', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...PATHS), fc.tuple(anyText, anyText), { maxKeys: 4 }), texts => {
        const changes = Object.keys(texts).map(path => ({
          path,
          kind: 'modified' as const,
          added: 1,
          deleted: 1,
          binary: false,
          mode: '100644',
        }));
        const text = (path: string) => ({ before: texts[path]?.[0] ?? '', after: texts[path]?.[1] ?? '' });
        for (const scope of ['item', 'range'] as const) {
          for (const { path, line } of checkGuards({
            changes,
            item,
            rules,
            linkTarget: () => undefined,
            text,
            scope,
          })) {
            if (path !== undefined) expect(Object.keys(texts)).toContain(path);
            if (line !== undefined) expect(line).toBeGreaterThan(0);
          }
        }
      }),
      { numRuns: RUNS },
    );
  });

  it('a masked text has the same length and the same lines', () => {
    const languages = fc.constantFrom(
      'js',
      'python',
      'go',
      'rust',
      'java',
      'ruby',
      'elixir',
      'yaml',
      'toml',
      'json',
      'shell',
      'php',
      'csharp',
      'xml',
      'text',
    );
    fc.assert(
      fc.property(anyText, languages, (text, language) => {
        const { code, bare } = mask(text, language);
        for (const view of [code, bare]) {
          expect(view.length).toBe(text.length);
          expect(view.split('\n').map(line => line.length)).toEqual(text.split('\n').map(line => line.length));
        }
      }),
      { numRuns: RUNS },
    );
  });

  it('what a line diff leaves over is the same on both sides', () => {
    const lines = fc.array(fc.constantFrom('a', 'b', 'c', '', '}', 'x1', 'x2', 'x3'), { maxLength: 40 });
    fc.assert(
      fc.property(lines, lines, (a, b) => {
        const { removed, added } = diffLines(a, b);
        const left = a.filter((_, index) => !removed.includes(index));
        expect(left).toEqual(b.filter((_, index) => !added.includes(index)));
      }),
      { numRuns: RUNS },
    );
  });

  it('a text without its secrets has none', () => {
    fc.assert(
      fc.property(anyText, text => {
        expect(findSecrets(redact(text), { names: true })).toEqual([]);
      }),
      { numRuns: RUNS },
    );
  });
});
