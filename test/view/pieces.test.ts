/** The pure parts of the read model. */
import { expect, test } from 'vitest';
import { diffView } from '../../src/view/diff.ts';
import { joinSteps, stepView } from '../../src/view/steps.ts';
import { fitTape } from '../../src/view/tape.ts';

test('a tape that is too long keeps the worst of each group', () => {
  expect(fitTape('aarb', 10)).toEqual({ tape: 'aarb', scale: 1 });
  expect(fitTape(`${'a'.repeat(50)}r${'a'.repeat(48)}o`, 10)).toEqual({ tape: 'aaaaaraaao', scale: 10 });
  expect(fitTape('a'.repeat(10_000), 200).tape).toHaveLength(200);
});

test('a patch is told file by file, with odd names, and what has a finding first', () => {
  const patch = [
    'diff --git a/src/a.js b/src/a.js',
    'index 1..2 100644',
    '--- a/src/a.js',
    '+++ b/src/a.js',
    '@@ -1,2 +1,2 @@',
    '-old',
    '+new',
    ' diff --git inside',
    'diff --git "a/t\\303\\274r.txt" "b/t\\303\\274r.txt"',
    'new file mode 100644',
    '--- /dev/null',
    '+++ "b/t\\303\\274r.txt"',
    '@@ -0,0 +1 @@',
    '+x',
    'diff --git a/pic.png b/pic.png',
    'deleted file mode 100644',
    'Binary files a/pic.png and /dev/null differ',
    'diff --git a/old name.ts b/new name.ts',
    'similarity index 100%',
    'rename from old name.ts',
    'rename to new name.ts',
    'diff --git a/package-lock.json b/package-lock.json',
    '--- a/package-lock.json',
    '+++ b/package-lock.json',
    '@@ -1 +1 @@',
    '+{}',
    '',
  ].join('\n');
  const view = diffView(Buffer.from(patch), [{ rule: 'x', level: 'block', message: '', path: 'pic.png' }]);
  expect(
    view.files.map(({ path, kind, added, deleted, binary, folded }) => [path, kind, added, deleted, binary, folded]),
  ).toEqual([
    ['pic.png', 'deleted', 0, 0, true, null],
    ['src/a.js', 'modified', 1, 1, false, null],
    ['tür.txt', 'added', 1, 0, false, null],
    ['new name.ts', 'renamed', 0, 0, false, null],
    ['package-lock.json', 'modified', 1, 0, false, 'a lock file'],
  ]);
  const long = diffView(
    Buffer.from(`diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n${'+line\n'.repeat(100_000)}`),
    [],
  );
  expect(long.state).toBe('cut');
  expect(JSON.stringify(long).length).toBeLessThan(200_000);
  expect(diffView(undefined, [])).toEqual({ state: 'none', bytes: 0, files: [] });
});

test('the same tool on the same file in a row is one step', () => {
  const step = (text: string) => stepView({ kind: 'tool', depth: 0, tool: 'Read', text });
  expect(
    joinSteps([step('a'), step('a'), step('b'), step('a')]).map(({ text, count, verb }) => [text, count, verb]),
  ).toEqual([
    ['a', 2, 'Read'],
    ['b', 1, 'Read'],
    ['a', 1, 'Read'],
  ]);
});
