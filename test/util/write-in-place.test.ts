/** A file that keeps its length is written in place, but never through a name that somebody else gave it. */
import { linkSync, lstatSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { writeOwnInPlace } from '../../src/util/files.ts';

const top = mkdtempSync(join(tmpdir(), 'ralph-in-place-'));
afterAll(() => rmSync(top, { recursive: true, force: true }));

let places = 0;
function place() {
  const folder = join(top, String((places += 1)));
  mkdirSync(folder);
  return { file: join(folder, 'file'), other: join(folder, 'other') };
}

test('a file is made, then written in place, and replaced where its length is another', () => {
  const { file } = place();
  writeOwnInPlace(file, 'one\n');
  const { ino } = lstatSync(file);
  writeOwnInPlace(file, 'two\n');
  expect([readFileSync(file, 'utf8'), lstatSync(file).ino]).toEqual(['two\n', ino]);
  writeOwnInPlace(file, 'three\n');
  expect(readFileSync(file, 'utf8')).toBe('three\n');
});

test.each<readonly [string, (places: { readonly file: string; readonly other: string }) => void]>([
  ['a link', ({ file, other }) => symlinkSync(other, file)],
  ['a second name', ({ file, other }) => linkSync(other, file)],
])('what %s leads to is not written to', (_, plant) => {
  const both = place();
  writeFileSync(both.other, 'own\n');
  plant(both);
  writeOwnInPlace(both.file, 'new\n');
  expect(readFileSync(both.other, 'utf8')).toBe('own\n');
  expect(readFileSync(both.file, 'utf8')).toBe('new\n');
  expect(lstatSync(both.file).isFile()).toBe(true);
});
