import { chmodSync, existsSync, lstatSync, readFileSync, rmSync, symlinkSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseIndex } from '../../src/workspace/index-file.ts';
import { OwnIndex } from '../../src/workspace/own-index.ts';
import { writeTrees } from '../../src/workspace/write-tree.ts';
import { type Format, given, makeScene, type Scene } from './scene.ts';

const storeOf = (scene: Scene, algorithm: Format) => ({ folder: join(scene.root, '.git', 'objects'), algorithm });

/** The tree that git makes of what its own index holds. */
const treeByGit = (scene: Scene): string => scene.git(['write-tree']);
const indexOf = (scene: Scene): Buffer => readFileSync(join(scene.root, '.git', 'index'));

function treeByUs(scene: Scene, format: Format = 'sha1'): string | undefined {
  const index = parseIndex(indexOf(scene), format);
  return index && writeTrees(storeOf(scene, format), index.entries, index.tree)?.id.toString('hex');
}

describe.each<Format>(['sha1', 'sha256'])('trees of a %s repository', format => {
  test('are those of git write-tree: folders, links, programs, names of any kind', () => {
    const scene = makeScene(format);
    // Sorted by git as if a folder had a slash at its end.
    for (const path of [
      'a.txt',
      'a/b',
      'a-b/c',
      'a.b/c/d/e',
      'ab',
      'ü/ñ.txt',
      'with space/x y',
      `long/${'n'.repeat(200)}`,
    ]) {
      scene.write(path, `${path}\n`);
    }
    scene.write('bin/tool', '#!/bin/sh\n');
    chmodSync(join(scene.root, 'bin/tool'), 0o755);
    symlinkSync('../a.txt', join(scene.root, 'bin/link'));
    scene.git(['add', '-A']);
    expect(treeByUs(scene, format)).toBe(treeByGit(scene));
    expect(treeByUs(scene, format)).toBe(treeByGit(scene));
    expect(scene.git(['fsck', '--strict', '--no-dangling'])).toBe('');
  });

  test('follow every change of the files, whatever git remembers of the trees', () => {
    const scene = makeScene(format);
    // Before the first file there is no index to read.
    scene.write('first', 'x');
    scene.git(['add', '-A']);
    const name = fc.constantFrom('a', 'b', 'a.b', 'a-b', 'ab', 'z');
    const path = fc.array(name, { minLength: 1, maxLength: 3 }).map(parts => parts.join('/'));
    const step = fc.record({
      path,
      kind: fc.constantFrom('write', 'write', 'delete', 'write-tree'),
      text: fc.string(),
    });
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 6 }), steps => {
        for (const { path: at, kind, text } of steps) {
          if (kind === 'write') {
            // A file where a folder has to be, or the other way round, is how folders come and go.
            for (let n = at.indexOf('/'); n >= 0; n = at.indexOf('/', n + 1)) {
              removeFile(join(scene.root, at.slice(0, n)));
            }
            removeAll(join(scene.root, at));
            scene.write(at, text);
          } else if (kind === 'delete') removeAll(join(scene.root, at));
          else scene.git(['write-tree']);
          scene.git(['add', '-A']);
        }
        const ours = treeByUs(scene, format);
        expect(ours).toBe(treeByGit(scene));
      }),
      { numRuns: 15 },
    );
    expect(scene.git(['fsck', '--strict', '--no-dangling'])).toBe('');
  });
});

function removeFile(path: string): void {
  if (existsSync(path) && lstatSync(path).isFile()) rmSync(path);
}

function removeAll(path: string): void {
  if (existsSync(path)) rmSync(path, { recursive: true });
}

describe('an index with something unusual in it is left to git', () => {
  test.each<readonly [string, (scene: Scene) => void]>([
    ['version 4', scene => scene.git(['update-index', '--index-version', '4'])],
    [
      'an entry that is only announced',
      scene => {
        scene.write('later.txt', 'x');
        scene.git(['add', '-N', 'later.txt']);
      },
    ],
    ['a file that is left out of the work tree', scene => scene.git(['update-index', '--skip-worktree', 'a.txt'])],
    ['an untracked cache', scene => scene.git(['update-index', '--force-untracked-cache'])],
    ['a split index', scene => scene.git(['update-index', '--split-index'])],
    [
      'a conflict',
      scene => {
        const id = scene.git(['hash-object', '-w', '--stdin'], { input: 'theirs' });
        scene.git(['update-index', '--index-info'], { input: `100644 ${id} 1\tc.txt\n100644 ${id} 2\tc.txt\n` });
      },
    ],
  ])('%s', (_, change) => {
    const scene = makeScene();
    scene.write('a.txt', 'a\n');
    scene.write('b/c.txt', 'c\n');
    scene.git(['add', '-A']);
    expect(parseIndex(indexOf(scene), 'sha1')).toBeDefined();
    change(scene);
    expect(parseIndex(indexOf(scene), 'sha1')).toBeUndefined();
  });

  test('one that is cut off anywhere', () => {
    const scene = makeScene();
    for (const path of ['a.txt', 'b/c.txt']) scene.write(path, path);
    scene.git(['add', '-A']);
    scene.git(['write-tree']);
    const bytes = indexOf(scene);
    for (let length = 0; length < bytes.length; length++) {
      expect(parseIndex(bytes.subarray(0, length), 'sha1'), `${length} bytes`).toBeUndefined();
    }
  });

  test('entries and cached trees that do not fit each other', () => {
    const scene = makeScene();
    for (const path of ['a/1', 'a/2', 'b/3']) scene.write(path, path);
    scene.git(['add', '-A']);
    const right = scene.git(['write-tree']);
    const index = parseIndex(indexOf(scene), 'sha1');
    if (!index?.tree) throw new Error('the index has no cached trees');
    const wrong = {
      ...index.tree,
      children: new Map([...index.tree.children].map(([k, v]) => [k, { ...v, count: 1 }])),
    };
    const { id: _, ...root } = wrong;
    const tree = writeTrees(storeOf(scene, 'sha1'), index.entries, root);
    expect(tree?.id.toString('hex')).toBe(right);
  });
});

describe.each<Format>(['sha1', 'sha256'])('one file replaced in a %s repository', format => {
  test.each(['plan.json', 'deep/in/folders/plan.json'])(
    '%s gives the tree and the index that git would',
    async path => {
      const scene = makeScene(format);
      for (const other of ['a.txt', 'deep/b.txt', 'deep/in/c.txt', 'z/d.txt']) scene.write(other, `${other}\n`);
      scene.write(path, '{"done": false}\n');
      scene.git(['add', '-A']);
      scene.git(['commit', '-qm', 'Start']);
      const workspace = await scene.open();
      scene.write('a.txt', 'changed\n');
      scene.write('new/e.txt', 'new\n');
      await given(workspace.snapshot());
      const [was, is] = [Buffer.from('{"done": false}\n'), Buffer.from('{"done": true }\n')];
      scene.write(path, is);
      const tree = await given(workspace.treeWithFile(path, { was, is }));
      const env = { GIT_INDEX_FILE: `${scene.index}.git` };
      scene.git(['read-tree', 'HEAD'], { env });
      scene.git(['add', '-A'], { env });
      expect(tree).toBe(scene.git(['write-tree'], { env }));
      // Its own index says the same, and git finds nothing to do in it.
      const own = { GIT_INDEX_FILE: scene.index };
      expect(scene.git(['write-tree'], { env: own })).toBe(tree);
      expect(scene.git(['diff-files', '--name-only'], { env: own })).toBe('');
      expect(scene.git(['fsck', '--strict', '--no-dangling'])).toBe('');
    },
  );
});

describe('one file replaced', () => {
  test('needs no git where nothing is unusual', async () => {
    const scene = makeScene();
    scene.write('plan.json', '1\n');
    scene.git(['add', '-A']);
    scene.git(['write-tree']);
    const index = new OwnIndex(join(scene.root, '.git', 'index'), storeOf(scene, 'sha1'));
    scene.write('plan.json', '2\n');
    const change = { root: scene.root, path: 'plan.json', was: Buffer.from('1\n'), is: Buffer.from('2\n') };
    const tree = index.replaceFile(change);
    expect(tree).toBeDefined();
    expect(tree).toBe(treeByGit(scene));
  });

  test('is left to git where git stores other bytes than the file has', async () => {
    const scene = makeScene();
    scene.write('.gitattributes', 'plan.json text eol=crlf\n');
    scene.write('plan.json', 'a\r\nb\r\n');
    scene.git(['add', '-A']);
    scene.git(['commit', '-qm', 'Start']);
    const workspace = await scene.open();
    await given(workspace.snapshot());
    scene.write('plan.json', 'a\r\nc\r\n');
    const bytes = { was: Buffer.from('a\r\nb\r\n'), is: Buffer.from('a\r\nc\r\n') };
    const tree = await given(workspace.treeWithFile('plan.json', bytes));
    expect(scene.git(['cat-file', 'blob', `${tree}:plan.json`])).toBe('a\nc');
  });

  test('does not make git believe in a file that changed in the same instant it was read in', async () => {
    const scene = makeScene();
    // With the change time git would know; file systems without one are what this is about.
    scene.git(['config', 'core.trustctime', 'false']);
    scene.write('plan.json', '1\n');
    scene.write('a.txt', 'one\n');
    scene.git(['add', '-A']);
    scene.git(['commit', '-qm', 'Start']);
    const workspace = await scene.open();
    const instant = Math.floor(Date.now() / 1000) - 10;
    const atThatInstant = (file: string) => utimesSync(file, instant, instant);
    scene.write('a.txt', 'two\n');
    atThatInstant(join(scene.root, 'a.txt'));
    await given(workspace.snapshot());
    atThatInstant(scene.index);
    scene.write('a.txt', 'TWO\n');
    atThatInstant(join(scene.root, 'a.txt'));
    scene.write('plan.json', '2\n');
    await given(workspace.treeWithFile('plan.json', { was: Buffer.from('1\n'), is: Buffer.from('2\n') }));
    await workspace.syncIndex();
    expect(scene.git(['diff', '--name-only'])).toBe('a.txt');
    const after = await given(workspace.snapshot());
    expect(scene.git(['cat-file', 'blob', `${after}:a.txt`])).toBe('TWO');
  });
});
