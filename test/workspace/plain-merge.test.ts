/** Two trees are merged here as git merges them, or not at all. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { algorithmOf } from '../../src/workspace/objects.ts';
import { mergePlainly } from '../../src/workspace/plain-merge.ts';
import { type Format, makeScene } from './scene.ts';

type Files = Readonly<Record<string, string>>;

function make(format: Format = 'sha1') {
  const scene = makeScene(format);
  const blobs = new Map<string, string>();
  const blobOf = (text: string): string => {
    const id = blobs.get(text) ?? scene.git(['hash-object', '-w', '--stdin'], { input: text });
    blobs.set(text, id);
    return id;
  };
  const treeOf = (files: Files): string => {
    const index = { env: { GIT_INDEX_FILE: join(scene.root, '..', 'files') } };
    scene.git(['read-tree', '--empty'], index);
    const lines = Object.entries(files).map(([path, text]) => `100644 ${blobOf(text)}\t${path}\n`);
    scene.git(['update-index', '--index-info'], { ...index, input: lines.join('') });
    return scene.git(['write-tree'], index);
  };
  const commitOf = (tree: string, ...parents: readonly string[]) =>
    scene.git(['commit-tree', tree, ...parents.flatMap(parent => ['-p', parent])], { input: 'x\n' });
  /** By git: undefined where it found a conflict. */
  const byGit = ({ base, ours, theirs }: Trees): string | undefined => {
    const root = commitOf(base);
    const args = ['merge-tree', '--write-tree', '--no-messages', commitOf(ours, root), commitOf(theirs, root)];
    try {
      return execFileSync('git', args, { cwd: scene.root, env: scene.env, stdio: 'pipe' }).toString('utf8').trim();
    } catch {
      return undefined;
    }
  };
  const plainly = ({ base, ours, theirs }: Trees) =>
    mergePlainly({ folder: join(scene.root, '.git', 'objects'), algorithm: algorithmOf(base) }, { base, ours, theirs });
  return { scene, treeOf, byGit, plainly };
}

interface Trees {
  readonly base: string;
  readonly ours: string;
  readonly theirs: string;
}

const BASE: Files = {
  'a.txt': 'a\n',
  'src/one.ts': '1\n',
  'src/two.ts': '2\n',
  'src/deep/x.ts': 'x\n',
  'src.txt': 's\n',
};

it.each<[string, Files, Files]>([
  ['files beside each other', { ...BASE, 'src/new.ts': 'n\n' }, { ...BASE, 'src/deep/y.ts': 'y\n', 'a.txt': 'b\n' }],
  ['new folders of the same name', { ...BASE, 'lib/a.ts': 'a\n' }, { ...BASE, 'lib/b.ts': 'b\n' }],
  ['the same change in both', { ...BASE, 'a.txt': 'b\n', 'c.txt': 'c\n' }, { ...BASE, 'a.txt': 'b\n' }],
  ['a folder beside a file of nearly its name', { ...BASE, 'src-x/a.ts': 'a\n' }, { ...BASE, src0: '0\n' }],
])('as git does: %s', (_, ours, theirs) => {
  for (const format of ['sha1', 'sha256'] as const) {
    const { treeOf, byGit, plainly } = make(format);
    const trees = { base: treeOf(BASE), ours: treeOf(ours), theirs: treeOf(theirs) };
    const merged = plainly(trees);
    expect(merged).toBeDefined();
    expect(merged).toBe(byGit(trees));
    expect(plainly({ ...trees, ours: trees.theirs, theirs: trees.ours })).toBe(merged);
  }
});

const without = (path: string): Files => Object.fromEntries(Object.entries(BASE).filter(([name]) => name !== path));

it.each<[string, Files, Files]>([
  ['one file changed in both', { ...BASE, 'a.txt': 'b\n' }, { ...BASE, 'a.txt': 'c\n' }],
  ['a file that is gone in one', without('src/one.ts'), { ...BASE, 'src/two.ts': '3\n' }],
  [
    'a folder that was moved in one, and added to in the other',
    { ...without('src/deep/x.ts'), 'lib/x.ts': 'x\n' },
    { ...BASE, 'src/deep/y.ts': 'y\n' },
  ],
  ['a file that became a folder', { ...without('a.txt'), 'a.txt/b': 'b\n' }, { ...BASE, 'src/two.ts': '3\n' }],
  ['a file and a folder of one new name', { ...BASE, new: 'n\n' }, { ...BASE, 'new/a.ts': 'a\n' }],
])('git is left to say: %s', (_, ours, theirs) => {
  const { treeOf, plainly } = make();
  expect(plainly({ base: treeOf(BASE), ours: treeOf(ours), theirs: treeOf(theirs) })).toBeUndefined();
});

it('git is left to say where a tree is in a pack or does not hold what its name says', () => {
  const { scene, treeOf, plainly } = make();
  const trees = {
    base: treeOf(BASE),
    ours: treeOf({ ...BASE, 'b.txt': 'b\n' }),
    theirs: treeOf({ ...BASE, 'c.txt': 'c\n' }),
  };
  expect(plainly(trees)).toBeDefined();
  const file = (id: string) => join(scene.root, '.git', 'objects', id.slice(0, 2), id.slice(2));
  execFileSync('cp', ['-f', file(trees.theirs), file(trees.ours)]);
  expect(plainly(trees)).toBeUndefined();
  execFileSync('rm', ['-f', file(trees.ours)]);
  expect(plainly(trees)).toBeUndefined();
});

it('what is merged here is what git makes of it, whatever the two changed', () => {
  const { treeOf, byGit, plainly } = make();
  let seed = 7;
  const below = (n: number) => {
    seed = (seed * 1103515245 + 12345) % 2147483648;
    return Math.floor((seed / 2147483648) * n);
  };
  const paths = ['a', 'b/a', 'b/b', 'b/c/a', 'b/c/b', 'c', 'c.d', 'd/e/f', 'd/e/g', 'e/a'];
  const fits = (path: string, names: readonly string[]) =>
    names.every(name => !name.startsWith(`${path}/`) && !path.startsWith(`${name}/`));
  const change = (files: Files): Files => {
    const changed: Record<string, string> = { ...files };
    for (let n = below(3); n >= 0; n--) {
      const path = `${paths[below(paths.length)] ?? 'a'}${below(3) === 0 ? '-new' : ''}`;
      const kind = below(4);
      if (kind === 0) delete changed[path];
      else if (
        fits(
          path,
          Object.keys(changed).filter(name => name !== path),
        )
      )
        changed[path] = `${path} ${below(4)}\n`;
    }
    return Object.keys(changed).length === 0 ? files : changed;
  };
  const told = { here: 0, left: 0 };
  const was = Object.fromEntries(paths.map(path => [path, `${path}\n`.repeat(3)]));
  const base = treeOf(was);
  for (let n = 0; n < 30; n++) {
    const trees = { base, ours: treeOf(change(was)), theirs: treeOf(change(was)) };
    const merged = plainly(trees);
    if (merged === undefined) told.left += 1;
    else {
      told.here += 1;
      expect(merged).toBe(byGit(trees));
    }
  }
  expect(Math.min(told.here, told.left)).toBeGreaterThan(5);
});
