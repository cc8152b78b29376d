/** One folder for all trees that are looked at apart: each time it holds the tree alone, whatever was done to it before. */
import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { removeCheckout, withCheckout } from '../../src/loop/fresh-checkout.ts';
import { given, makeScene } from '../workspace/scene.ts';

test('what gates wrote, changed, deleted or linked there is gone, and files that stay the same are not written again', async () => {
  const scene = makeScene();
  for (const path of ['a.txt', 'b.txt', 'same.txt', 'deep/in/c.txt', '.gitignore']) scene.write(path, `${path}\n`);
  scene.write('.gitignore', 'build/\n');
  scene.git(['add', '-A']);
  const first = scene.git(['write-tree']);
  scene.write('a.txt', 'second\n');
  rmSync(join(scene.root, 'b.txt'));
  scene.git(['add', '-A']);
  const second = scene.git(['write-tree']);
  mkdirSync(join(scene.root, 'node_modules'));
  const workspace = await scene.open();
  const run = 'run-1';
  const see = (tree: string, use: (folder: string) => void = () => {}) =>
    withCheckout({ workspace, run, tree, packages: 'linked' }, async folder => {
      const names = readdirSync(folder, { recursive: true }).map(String).toSorted();
      const inode = statSync(join(folder, 'same.txt')).ino;
      const said = readFileSync(join(folder, 'a.txt'), 'utf8') + readFileSync(join(folder, 'deep/in/c.txt'), 'utf8');
      use(folder);
      return { folder, names, inode, said };
    });
  const spoil = (folder: string) => {
    const old = statSync(join(folder, 'same.txt'));
    // The same length and the same time: only the time of the change itself tells.
    writeFileSync(join(folder, 'deep/in/c.txt'), 'DEEP/IN/C.TXT\n');
    utimesSync(join(folder, 'deep/in/c.txt'), old.atime, old.mtime);
    rmSync(join(folder, 'a.txt'));
    mkdirSync(join(folder, 'a.txt'));
    for (const path of ['.git', 'build/x', 'nested/.git']) mkdirSync(join(folder, path), { recursive: true });
    for (const path of ['new.txt', 'build/x/y', '.git/config', 'nested/.git/HEAD', '../index'])
      writeFileSync(join(folder, path), 'x');
    symlinkSync('/etc', join(folder, 'build/etc'));
    writeFileSync(join(folder, '.gitignore'), '*\n');
    chmodSync(join(folder, 'deep'), 0o700);
  };
  const one = await see(first, spoil);
  const two = await see(second, spoil);
  const three = await see(first);
  if (!one.ok || !two.ok || !three.ok) throw new Error('no checkout');
  const files = ['.gitignore', 'a.txt', 'b.txt', 'deep', 'deep/in', 'deep/in/c.txt', 'node_modules', 'same.txt'];
  expect(one.value.names).toEqual(files);
  expect(two.value.names).toEqual(files.filter(name => name !== 'b.txt'));
  expect(three.value.names).toEqual(files);
  expect([one, two, three].map(each => each.value.said)).toEqual([
    'a.txt\ndeep/in/c.txt\n',
    'second\ndeep/in/c.txt\n',
    'a.txt\ndeep/in/c.txt\n',
  ]);
  expect(new Set([one, two, three].map(each => each.value.inode)).size).toBe(1);
  expect(new Set([one, two, three].map(each => each.value.folder)).size).toBe(3);
  removeCheckout(workspace);
  for (const { value } of [one, two, three]) expect(existsSync(dirname(value.folder))).toBe(false);
});

test('one whose submodules cannot be laid out leaves nothing behind', async () => {
  const scene = makeScene();
  scene.git(['init', '-q', 'library']);
  scene.write('library/lib.txt', 'good\n');
  scene.git(['-C', 'library', 'add', '-A']);
  scene.git(['-C', 'library', 'commit', '-qm', 'Library']);
  scene.git(['add', 'library']);
  const tree = scene.git(['write-tree']);
  const workspace = await scene.open();
  const inner = await given(workspace.inner.note());
  const id = inner['library']?.tree ?? '';
  rmSync(join(scene.root, '.git/objects', id.slice(0, 2), id.slice(2)));
  const done = await withCheckout({ workspace, run: 'run-1', tree, packages: 'linked' }, async () => 'used');
  expect(done.ok).toBe(false);
  const its = createHash('sha256').update(`${scene.root}\0run-1`).digest('hex').slice(0, 12);
  expect(readdirSync(tmpdir()).filter(name => name.includes(its))).toEqual([]);
});
