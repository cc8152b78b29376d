/** Checkouts of workers: made by hand where the repository is a usual one, and by git elsewhere; nobody sees a difference. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ok } from '../../src/util/result.ts';
import type { Git, GitCall } from '../../src/workspace/git.ts';
import { addPlainWorktree } from '../../src/workspace/plain-worktree.ts';
import { openWorkerCheckout, removeWorkerCheckouts } from '../../src/workspace/worker-checkouts.ts';
import { type Format, given, makeScene, type Scene } from './scene.ts';

async function makeSet(format: Format = 'sha1') {
  const scene = makeScene(format);
  scene.write('.gitattributes', '*.txt text eol=crlf\n');
  scene.write('src/a.txt', 'a\n');
  scene.git(['add', '-A']);
  scene.git(['commit', '-qm', 'First']);
  const base = scene.git(['rev-parse', 'HEAD']);
  const { repository } = await scene.open();
  const folder = join(scene.root, '..', 'worktrees');
  return { scene, base, repository, folder, place: (worker: number) => ({ folder, run: 'r', worker, base }) };
}

const inside = (root: string, { env }: Scene, ...args: readonly string[]): string =>
  execFileSync('git', args, { cwd: root, env, encoding: 'utf8' }).trim();

describe('a checkout of a worker', () => {
  test.each<readonly [string, Format]>([
    ['made by hand', 'sha1'],
    ['made by git', 'sha256'],
  ])('%s is a worktree like any other', async (_, format) => {
    const { scene, base, repository, place } = await makeSet(format);
    const made = await Promise.all([1, 2, 3, 4].map(worker => given(openWorkerCheckout(repository, place(worker)))));
    for (const [at, { root, fresh }] of made.entries()) {
      expect(fresh).toBe(true);
      expect(inside(root, scene, 'status', '--porcelain=v2', '--branch')).toContain(
        `# branch.head ralph-worker/r/${at + 1}`,
      );
      expect(inside(root, scene, 'status', '--porcelain')).toBe('');
      expect(inside(root, scene, 'rev-parse', 'HEAD')).toBe(base);
      expect(readFileSync(join(root, 'src/a.txt'), 'utf8')).toBe('a\r\n');
    }
    expect(scene.git(['worktree', 'prune', '-v'])).toBe('');
    expect(scene.git(['worktree', 'list']).split('\n').length).toBe(5);
    expect(scene.git(['fsck', '--strict', '--no-dangling'])).toBe('');
    const again = await given(openWorkerCheckout(repository, place(1)));
    expect(again).toEqual({ ...made[0], fresh: false });
  });

  test('of a new branch takes none that is there', async () => {
    const { scene, base, repository, folder } = await makeSet();
    scene.git(['commit', '-q', '--allow-empty', '-m', 'Second']);
    scene.git(['branch', 'taken']);
    const before = scene.git(['for-each-ref']);
    const log = scene.git(['reflog', 'taken']);
    expect(log).not.toBe('');
    const root = join(folder, 'r');
    expect(await addPlainWorktree(repository, { root, branch: 'taken', base, isNew: true })).toBe(undefined);
    expect(scene.git(['for-each-ref'])).toBe(before);
    expect(scene.git(['reflog', 'taken'])).toBe(log);
    expect([existsSync(root), existsSync(join(scene.root, '.git/worktrees/r'))]).toEqual([false, false]);
    expect(await addPlainWorktree(repository, { root, branch: 'free', base, isNew: true })).toEqual(
      ok(join(scene.root, '.git/worktrees/r')),
    );
    expect(inside(root, scene, 'status', '--porcelain=v2', '--branch')).toContain('# branch.head free');
  });

  test('that cannot be filled leaves nothing behind', async () => {
    const { scene, repository, folder } = await makeSet();
    const before = scene.git(['for-each-ref']);
    const root = join(folder, 'r');
    const made = await addPlainWorktree(repository, { root, branch: 'new', base: 'f'.repeat(40), isNew: true });
    expect(made?.ok).toBe(false);
    expect(scene.git(['for-each-ref'])).toBe(before);
    expect([existsSync(root), existsSync(join(scene.root, '.git/worktrees/r'))]).toEqual([false, false]);
  });

  test('is gone without a trace', async () => {
    const { scene, repository, folder, place } = await makeSet();
    for (const worker of [1, 2]) await given(openWorkerCheckout(repository, place(worker)));
    await removeWorkerCheckouts(repository, { folder, run: 'r' });
    expect(readdirSync(folder)).toEqual([]);
    expect(scene.git(['worktree', 'list']).split('\n').length).toBe(1);
    expect(scene.git(['branch', '--format=%(refname:short)'])).toBe('work');
    await given(openWorkerCheckout(repository, place(1)));
    expect(scene.git(['worktree', 'list']).split('\n').length).toBe(2);
  });

  test('goes after its branch, so that what a killed runner left of either is found by the folder', async () => {
    const { scene, repository, folder, place } = await makeSet();
    const found: unknown[] = [];
    const look = () =>
      found.push([readdirSync(folder), scene.git(['branch', '--format=%(refname:short)']).split('\n')]);
    const run = async (call: GitCall) => {
      look();
      const done = await repository.git.run(call);
      look();
      return done;
    };
    const git = Object.assign(Object.create(repository.git) as Git, { run });
    await given(openWorkerCheckout(repository, place(1)));
    const removing = removeWorkerCheckouts({ ...repository, git }, { folder, run: 'r' });
    look();
    await removing;
    look();
    expect(found.splice(0)).toEqual([
      [['r.1'], ['work']],
      [[], ['work']],
    ]);
    expect(existsSync(join(scene.root, '.git/logs/refs/heads/ralph-worker'))).toBe(false);
    expect(existsSync(join(scene.root, '.git/refs/heads/ralph-worker'))).toBe(false);
    await given(openWorkerCheckout(repository, place(1)));
    scene.git(['pack-refs', '--all']);
    await removeWorkerCheckouts({ ...repository, git }, { folder, run: 'r' });
    look();
    expect(found).toEqual([
      [['r.1'], ['ralph-worker/r/1', 'work']],
      [['r.1'], ['work']],
      [[], ['work']],
    ]);
  });

  test.each<readonly [string, (scene: Scene) => unknown]>([
    ['a setting about worktrees', ({ git }) => git(['config', 'extensions.worktreeConfig', 'true'])],
    ['a checkout of only some files', ({ git }) => git(['config', 'core.sparseCheckout', 'true'])],
    ['a repository of several people', ({ git }) => git(['config', 'core.sharedRepository', 'group'])],
    ['a branch in the way', ({ git }) => git(['branch', 'ralph-worker'])],
    ['a packed branch in the way', ({ git }) => [git(['branch', 'ralph-worker/r']), git(['pack-refs', '--all'])]],
    ['something where it belongs', ({ root }) => mkdirSync(join(root, '../worktrees/r.1'), { recursive: true })],
  ])('with %s is left to git', async (_, change) => {
    const { scene, base, repository, folder } = await makeSet();
    change(scene);
    const before = scene.git(['for-each-ref']);
    const root = join(folder, 'r.1');
    expect(await addPlainWorktree(repository, { root, branch: 'ralph-worker/r/1', base })).toBe(undefined);
    expect(scene.git(['for-each-ref'])).toBe(before);
    expect(existsSync(join(scene.root, '.git/worktrees/r.1'))).toBe(false);
  });
});
