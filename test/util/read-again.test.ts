import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { readAgain } from '../../src/util/files.ts';

const folder = mkdtempSync(join(tmpdir(), 'ralph-files-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const file = join(folder, 'plan.json');

const SIZES = [0, 1, 1000, 64 * 1024 - 1, 64 * 1024, 64 * 1024 + 1, 200_000];

test.each(SIZES)('a file of %i bytes that has not changed is the known bytes themselves', size => {
  const known = Buffer.alloc(size, 'abcdefg');
  writeFileSync(file, known);
  expect(readAgain(file, known)).toBe(known);
});

test.each(SIZES.filter(size => size > 0))('one byte more, less or other in %i bytes is seen', size => {
  const known = Buffer.alloc(size, 'abcdefg');
  const last = Buffer.from(known);
  last[size - 1] = 0x23;
  const first = Buffer.from(known);
  first[0] = 0x23;
  for (const now of [last, first, known.subarray(0, -1), Buffer.concat([known, Buffer.from('x')]), Buffer.alloc(0)]) {
    writeFileSync(file, now);
    expect(readAgain(file, known)?.equals(now)).toBe(true);
  }
});

test('a file that is gone is nothing, and so is a folder', () => {
  rmSync(file);
  expect(readAgain(file, Buffer.from('x'))).toBeUndefined();
  expect(readAgain(folder, Buffer.from('x'))).toBeUndefined();
});
