import { mkdirSync, mkdtempSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { folderIdentity, isSameFolder } from '../../src/workspace/folder-identity.ts';
import { until } from '../support/until.ts';

const top = mkdtempSync(join(tmpdir(), 'ralph-identity-'));
afterAll(() => rmSync(top, { recursive: true, force: true }));

test('a folder stays the same whatever is put into it, and the next one under its name and number is another', async () => {
  const folder = join(top, 'git');
  mkdirSync(folder);
  const made = statSync(folder).ctimeMs;
  await until(() => {
    writeFileSync(join(folder, 'file'), '');
    rmSync(join(folder, 'file'));
    return statSync(folder).ctimeMs > made;
  });
  const was = folderIdentity(folder);
  utimesSync(folder, 1, 1);
  writeFileSync(join(folder, 'another'), '');
  expect(isSameFolder(was, folderIdentity(folder))).toBe(true);
  rmSync(folder, { recursive: true });
  expect(isSameFolder(was, folderIdentity(folder))).toBe(false);
  mkdirSync(folder);
  // On many file systems it has the same number now.
  expect(isSameFolder(was, folderIdentity(folder))).toBe(false);
  expect(folderIdentity(join(folder, 'no-such', 'folder'))).toBeUndefined();
});
