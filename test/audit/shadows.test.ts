/** Which files a new one takes the place of. */

import { describe, expect, test } from 'vitest';
import { groundEdits } from '../../src/audit/ground.ts';
import { lookAt } from '../../src/audit/look.ts';
import { shadowed } from '../../src/audit/shadows.ts';
import type { GuardInput } from '../../src/protocol.ts';
import { plainItem } from '../support/samples.ts';

describe('a new file', () => {
  test.each([
    ['GNUmakefile', 'Makefile'],
    ['sub/makefile', 'sub/Makefile'],
    ['pytest.ini', 'pyproject.toml'],
    ['vite.config.js', 'vite.config.ts'],
    ['vitest.config.ts', 'vite.config.ts'],
    ['eslint.config.js', '.eslintrc.json'],
    ['.mocharc.js', '.mocharc.yml'],
    ['a/.cargo/config', 'a/.cargo/config.toml'],
    ['phpunit.xml', 'phpunit.xml.dist'],
  ])('%s takes the place of %s', (path, other) => {
    expect(shadowed(path)).toContain(other);
    expect(shadowed(path)).not.toContain(path);
  });

  test.each(['Makefile', 'src/config.ts', 'README.md', 'src/value.js'])('%s takes nobody’s', path => {
    expect(shadowed(path)).toEqual([]);
  });
});

describe('what the gates stand on', () => {
  const added = (path: string, after: string, more: Partial<GuardInput> = {}) => {
    const change = { path, kind: 'added', added: 1, deleted: 0, binary: false, mode: '100644' } as const;
    const input: GuardInput = {
      changes: [change],
      item: plainItem({ title: 'Make the page faster, just a little' }),
      rules: { allow: [], forbid: [], writeOnce: [], files: 100, lines: 1000, warnFiles: 100, warnLines: 1000 },
      linkTarget: () => undefined,
      text: () => ({ before: '', after }),
      gates: ['make check', 'python -m pytest'],
      ...more,
    };
    return groundEdits(lookAt(input)).map(edit => edit.path);
  };

  test.each([
    ['GNUmakefile', 'check:\n', { unchanged: new Map([['Makefile', 'check:\n']]) }],
    ['local.mk', 'X = 1\n', {}],
    ['pytest.py', 'pass\n', {}],
    ['lib/sitecustomize.py', 'pass\n', {}],
    ['tests/conftest.py', 'def pytest_runtest_makereport(item):\n  pass\n', {}],
  ])('is not %s of an agent', (path, text, more) => expect(added(path, text, more)).toEqual([path]));

  test.each([
    ['Makefile', 'check:\n', {}],
    ['tests/conftest.py', 'import pytest\n@pytest.fixture\ndef shop():\n  return 1\n', {}],
    ['shop/pytest_helpers.py', 'pass\n', {}],
    ['vite.config.ts', 'export default {}\n', {}],
  ])('may get a %s', (path, text, more) => expect(added(path, text, more)).toEqual([]));
});
