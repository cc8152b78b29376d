/** Trees that were never in a work tree: some paths of one, the rest of another. */
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { entriesOf } from '../../src/evidence/proof/sides.ts';
import { type Format, given, makeScene } from './scene.ts';

describe.each<Format>(['sha1', 'sha256'])('a mixed tree of a %s repository', format => {
  test('has the chosen paths of the one side and everything else of the other, and disturbs nothing', async () => {
    const scene = makeScene(format);
    scene.write('src/a.js', 'old\n');
    scene.write('test/changed ü.js', 'old\n');
    scene.write('test/gone.js', 'old\n');
    scene.write('test/file', 'old\n');
    const workspace = await scene.open();
    const base = await given(workspace.snapshot());
    scene.write('src/a.js', 'new\n');
    scene.write('test/changed ü.js', 'new\n');
    scene.write('test/added.js', 'new\n');
    for (const path of ['test/gone.js', 'test/file']) rmSync(join(scene.root, path));
    // Where a file was, a folder is.
    scene.write('test/file/inside.js', 'new\n');
    const now = await given(workspace.snapshot());
    const changes = (await given(workspace.diff(base, now))).changes.filter(({ path }) => path.startsWith('test/'));
    const before = readFileSync(scene.index);

    const oldTests = await given(workspace.trees.replacing(now, entriesOf(changes, 'before')));
    const newTests = await given(workspace.trees.replacing(base, entriesOf(changes, 'after')));
    const list = (tree: string) =>
      scene.git(['-c', 'core.quotepath=off', 'ls-tree', '-r', '--name-only', tree]).split('\n');
    expect(list(oldTests)).toEqual(['src/a.js', 'test/changed ü.js', 'test/file', 'test/gone.js']);
    expect(scene.git(['show', `${oldTests}:src/a.js`])).toBe('new');
    expect(scene.git(['show', `${oldTests}:test/changed ü.js`])).toBe('old');
    expect(list(newTests)).toEqual(['src/a.js', 'test/added.js', 'test/changed ü.js', 'test/file/inside.js']);
    expect(scene.git(['show', `${newTests}:src/a.js`])).toBe('old');
    expect(scene.git(['show', `${newTests}:test/changed ü.js`])).toBe('new');

    expect(readFileSync(scene.index)).toEqual(before);
    expect(existsSync(`${scene.index}.edit`)).toBe(false);
    expect(await given(workspace.snapshot())).toBe(now);
  });
});
