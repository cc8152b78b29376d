import { expect, test } from 'vitest';
import { openRepository, readHead } from '../../src/workspace/repository.ts';
import { makeScene, type Scene } from './scene.ts';

async function headOf({ root, env }: Scene) {
  const repository = await openRepository(root, env);
  if (!repository.ok) throw new Error(repository.error.message);
  return readHead(repository.value);
}

function committed(): { readonly scene: Scene; readonly commit: string } {
  const scene = makeScene();
  scene.git(['checkout', '-q', '-B', 'feature/one']);
  scene.git(['commit', '-q', '--allow-empty', '-m', 'One']);
  return { scene, commit: scene.git(['rev-parse', 'HEAD']) };
}

test('a branch in a file of its own', async () => {
  const { scene, commit } = committed();
  expect(await headOf(scene)).toEqual({ branch: 'feature/one', commit });
});

test('a branch that only packed-refs has', async () => {
  const { scene, commit } = committed();
  scene.git(['pack-refs', '--all', '--prune']);
  expect(await headOf(scene)).toEqual({ branch: 'feature/one', commit });
});

test('a branch whose name a tag has too', async () => {
  const { scene } = committed();
  scene.git(['tag', 'feature/one']);
  scene.git(['commit', '-q', '--allow-empty', '-m', 'Two']);
  expect(await headOf(scene)).toEqual({ branch: 'feature/one', commit: scene.git(['rev-parse', 'HEAD']) });
});

test('a detached HEAD has a commit and no branch', async () => {
  const { scene, commit } = committed();
  scene.git(['checkout', '-q', '--detach']);
  expect(await headOf(scene)).toEqual({ branch: '', commit });
});

test('a branch before its first commit', async () => {
  const { scene } = committed();
  scene.git(['checkout', '-q', '--orphan', 'fresh']);
  expect(await headOf(scene)).toEqual({ branch: 'fresh', commit: '' });
});

test('a worktree has a HEAD of its own', async () => {
  const { scene } = committed();
  scene.git(['worktree', 'add', '-q', '-b', 'beside', 'beside']);
  const root = `${scene.root}/beside`;
  scene.git(['-C', root, 'commit', '-q', '--allow-empty', '-m', 'Beside']);
  expect(await headOf({ ...scene, root })).toEqual({ branch: 'beside', commit: scene.git(['rev-parse', 'beside']) });
});
