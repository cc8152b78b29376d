/** What changed is found alike by the runner itself, by one `find` and by two of them. */
import { chmodSync, lstatSync, mkdirSync, renameSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { type Changed, changedSince, type Since } from '../../src/process/changed-since.ts';
import { tempFolder } from './helpers.ts';

const NAMES = ['a', 'b', 'c', 'd', '.bin', '-x', 'with space'];

async function scene() {
  const root = tempFolder();
  for (const name of NAMES) {
    mkdirSync(join(root, 'tools', name, 'inner'), { recursive: true });
    for (const file of ['one', 'two']) writeFileSync(join(root, 'tools', name, 'inner', file), 'x');
  }
  mkdirSync(join(root, 'elsewhere'));
  writeFileSync(join(root, 'elsewhere', 'far'), 'x');
  symlinkSync('../elsewhere', join(root, 'tools', 'link'));
  await sleep(30);
  writeFileSync(join(root, 'stamp'), '');
  const since = lstatSync(join(root, 'stamp'), { bigint: true }).ctimeNs;
  const file = (name: string) => join(root, 'tools', name);
  writeFileSync(file('a/inner/one'), 'y');
  // An old time says nothing: the kernel's own does.
  writeFileSync(file('-x/inner/two'), 'y');
  utimesSync(file('-x/inner/two'), 1, 1);
  chmodSync(file('.bin/inner/one'), 0o755);
  renameSync(file('d/inner/one'), file('d/inner/moved'));
  writeFileSync(file('new'), 'x');
  // Not below the folder: only a link leads there.
  writeFileSync(join(root, 'elsewhere', 'far'), 'y');
  return { root, folders: ['tools'], since };
}

const EXPECTED: readonly Changed[] = [
  { path: 'tools', isFolder: true },
  { path: 'tools/-x/inner/two', isFolder: false },
  { path: 'tools/.bin/inner/one', isFolder: false },
  { path: 'tools/a/inner/one', isFolder: false },
  { path: 'tools/d/inner', isFolder: true },
  { path: 'tools/d/inner/moved', isFolder: false },
  { path: 'tools/new', isFolder: false },
];

const found = async (search: Since) =>
  (await changedSince(search)).toSorted((one, other) => (one.path < other.path ? -1 : 1));

describe('what changed since a moment', () => {
  test('is found without a process where there is little', async () => {
    expect(await found(await scene())).toEqual(EXPECTED);
  });

  test('is found by one process, and the next time by two', async () => {
    const search = { ...(await scene()), few: 0, longMs: 0 };
    expect(await found(search)).toEqual(EXPECTED);
    expect(await found(search)).toEqual(EXPECTED);
  });

  test.each([300, 0])('is not looked for in folders of some names (few: %d)', async few => {
    const search = { ...(await scene()), without: ['inner'], few, longMs: 0 };
    const kept = EXPECTED.filter(({ path }) => !path.includes('/inner'));
    expect(await found(search)).toEqual(kept);
    expect(await found(search)).toEqual(kept);
  });

  test.each([300, 0])('is found through a link that the folder itself is (few: %d)', async few => {
    const { root, since } = await scene();
    const search = { root, folders: ['tools/link'], since, few, longMs: 0 };
    const expected = [{ path: 'tools/link/far', isFolder: false }];
    expect(await found(search)).toEqual(expected);
    expect(await found(search)).toEqual(expected);
  });

  test.skipIf(process.platform !== 'linux')('is found under a name that is no text', async () => {
    const { root, since } = await scene();
    mkdirSync(join(root, 'odd'));
    writeFileSync(Buffer.concat([Buffer.from(`${root}/odd/`), Buffer.from([0xff, 0x61])]), 'x');
    const search = { root, folders: ['odd'], since };
    expect((await found(search)).map(({ isFolder }) => isFolder)).toEqual([true, false]);
  });
});
