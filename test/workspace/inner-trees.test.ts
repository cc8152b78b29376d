/** What is in submodules, held beside the tree around them. */
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fail, ok } from '../../src/util/result.ts';
import { given, makeScene } from './scene.ts';

test('an edit in a submodule is kept before it is put back', async () => {
  const scene = makeScene();
  mkdirSync(join(scene.root, 'library'));
  scene.git(['init', '-q', 'library']);
  scene.write('library/lib.txt', 'good\n');
  scene.git(['-C', 'library', 'add', '-A']);
  scene.git(['-C', 'library', 'commit', '-qm', 'Library']);
  scene.git(['add', 'library']);
  scene.git(['commit', '-qm', 'With a library']);
  const { inner, ...workspace } = await scene.open();
  const held = () => readFileSync(join(workspace.root, 'library/lib.txt'), 'utf8');
  await given(inner.note());
  scene.write('library/lib.txt', 'edited\n');
  const refused = await inner.putBack(async () => fail({ reason: 'no-room', message: 'no room' }));
  expect([refused.ok, held()]).toEqual([false, 'edited\n']);
  const seen: string[] = [];
  const edits = await given(
    inner.putBack(async () => {
      seen.push(held());
      return ok(undefined);
    }),
  );
  expect(edits.map(({ path }) => path)).toEqual(['library']);
  expect([...seen, held()]).toEqual(['edited\n', 'good\n']);
});
