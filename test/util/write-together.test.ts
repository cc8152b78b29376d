/** Several files that are written whole or not at all, and wait for the disk together. */
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { writeOwnTogether } from '../../src/util/files.ts';

let folder: string;
const at = (name: string): string => join(folder, name);
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ralph-together-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

test('new ones in new folders, old ones and links all get what they are to hold', async () => {
  writeFileSync(at('old'), 'before');
  writeFileSync(at('elsewhere'), 'untouched');
  symlinkSync(at('elsewhere'), at('link'));
  await writeOwnTogether(
    new Map<string, string | Buffer>([
      [at('old'), 'after'],
      [at('link'), 'own'],
      [at('new/deep/file'), Buffer.from('bytes')],
    ]),
  );
  expect(['old', 'link', 'new/deep/file', 'elsewhere'].map(name => readFileSync(at(name), 'utf8'))).toEqual([
    'after',
    'own',
    'bytes',
    'untouched',
  ]);
  expect(lstatSync(at('link')).isFile()).toBe(true);
});

test('none gets its name where one of them cannot be written, and nothing is left', async () => {
  writeFileSync(at('first'), 'before');
  writeFileSync(at('file'), '');
  const files = new Map([
    [at('first'), 'after'],
    [at('file/below'), 'impossible'],
  ]);
  await expect(writeOwnTogether(files)).rejects.toThrow();
  expect(readFileSync(at('first'), 'utf8')).toBe('before');
  expect(readdirSync(folder).toSorted()).toEqual(['file', 'first']);
});

test('where a folder has the name of one, that is told and nothing is left beside it', async () => {
  mkdirSync(at('taken'));
  await expect(writeOwnTogether(new Map([[at('taken'), 'text']]))).rejects.toThrow();
  expect(readdirSync(folder)).toEqual(['taken']);
});
