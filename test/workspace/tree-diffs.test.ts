/** The git that stays says what a git that is called says. */
import { afterEach, expect, it } from 'vitest';
import { Git } from '../../src/workspace/git.ts';
import { TreeDiffs } from '../../src/workspace/tree-diffs.ts';
import { makeScene } from './scene.ts';

const flags = ['-r', '--raw', '--numstat', '-p', '-z', '--no-renames'];
let open: TreeDiffs | undefined;
afterEach(() => open?.close());

function make(maxBytes = 1_000_000) {
  const scene = makeScene();
  const git = new Git(scene.root, scene.env);
  open = new TreeDiffs(git, { flags, maxBytes });
  const treeOf = (path: string, text: string | Buffer): string => {
    scene.write(path, text);
    scene.git(['add', '-A']);
    return scene.git(['write-tree']);
  };
  const asked = async (from: string, to: string) => {
    const called = await git.run({ args: ['diff-tree', ...flags, from, to] });
    return called.ok ? called.value.toString('latin1') : called.error.message;
  };
  return { diffs: open, treeOf, asked };
}

it('for texts, binaries, strange names and trees that are alike', async () => {
  const { diffs, treeOf, asked } = make();
  const trees = [
    treeOf('a.txt', 'one\n'),
    treeOf('a.txt', 'two\nend-0000\n'),
    treeOf('b.bin', Buffer.from([0, 1, 2, 255, 10])),
    treeOf('sub/line\nbreak ü.txt', 'no end'),
  ];
  for (const from of trees) {
    for (const to of trees) expect((await diffs.of(from, to))?.toString('latin1')).toBe(await asked(from, to));
  }
});

it('for several who ask at once', async () => {
  const { diffs, treeOf, asked } = make();
  const trees = [treeOf('a.txt', 'one\n'), treeOf('a.txt', 'two\n'), treeOf('b.txt', 'three\n')];
  diffs.expect();
  const pairs = trees.flatMap(from => trees.map(to => [from, to] as const));
  const told = await Promise.all(pairs.map(([from, to]) => diffs.of(from, to)));
  for (const [index, [from, to]] of pairs.entries()) {
    expect(told[index]?.toString('latin1')).toBe(await asked(from, to));
  }
});

it('gives up on what is too long or unknown, and answers again afterwards', async () => {
  const { diffs, treeOf, asked } = make(10_000);
  const [small, large] = [treeOf('a.txt', 'one\n'), treeOf('a.txt', 'line of text\n'.repeat(5000))];
  const next = treeOf('a.txt', 'three\n');
  expect(await diffs.of(small, large)).toBeUndefined();
  expect((await diffs.of(small, next))?.toString('latin1')).toBe(await asked(small, next));
  expect(await diffs.of(small, 'f'.repeat(40))).toBeUndefined();
  expect((await diffs.of(next, small))?.toString('latin1')).toBe(await asked(next, small));
});
