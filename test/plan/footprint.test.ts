import { expect, test } from 'vitest';
import { commonPath, pathsNamed } from '../../src/plan/footprint.ts';
import type { Item } from '../../src/protocol.ts';
import { plainItem } from '../support/samples.ts';

const item = (title: string, more: Partial<Item> = {}): Item => plainItem({ title, ...more });

test('paths are found in every part of an item, and words that only look like paths are not', () => {
  const there = new Set(['src', 'test', 'Makefile', 'README.md']);
  const words = item('Log in with src/auth/login.ts and/or `config.yaml`', {
    body: 'See README.md, v1.2.3, e.g. other.md; the `Makefile`; a test; https://example.com/a/b.html stays',
    criteria: ['tests/login.test.ts passes.'],
    verify: ['node --test ./tests/api.test.ts'],
  });
  expect(pathsNamed(words, path => there.has(path))).toEqual([
    'src/auth/login.ts',
    'config.yaml',
    'README.md',
    'Makefile',
    'tests/login.test.ts',
    'tests/api.test.ts',
  ]);
});

test('two items meet in a file, and in a folder of one that the other has a file of', () => {
  expect(commonPath(['src/a.ts'], ['src/a.ts'])).toBe('src/a.ts');
  expect(commonPath(['src'], ['src/a.ts'])).toBe('src');
  expect(commonPath(['src/a'], ['src/ab.ts'])).toBeUndefined();
  expect(commonPath([], ['src/a.ts'])).toBeUndefined();
});
