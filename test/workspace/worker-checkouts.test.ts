/** Checkouts of workers: made at the same time, whatever the repository is, and gone without a trace. */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Git, GitCall } from '../../src/workspace/git.ts';
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
  test.each<Format>(['sha1', 'sha256'])('is a worktree like any other (%s)', async format => {
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

  test('that cannot be filled leaves nothing behind', async () => {
    const { scene, base, repository, folder, place } = await makeSet();
    const blob = scene.git(['rev-parse', `${base}:src/a.txt`]);
    rmSync(join(scene.root, '.git/objects', blob.slice(0, 2), blob.slice(2)));
    const before = scene.git(['for-each-ref']);
    expect((await openWorkerCheckout(repository, place(1))).ok).toBe(false);
    expect(scene.git(['for-each-ref'])).toBe(before);
    expect(existsSync(join(folder, 'r.1'))).toBe(false);
    expect(existsSync(join(scene.root, '.git/worktrees/r.1'))).toBe(false);
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
    await removeWorkerCheckouts({ ...repository, git }, { folder, run: 'r' });
    look();
    expect(found).toEqual([
      [['r.1'], ['ralph-worker/r/1', 'work']],
      [['r.1'], ['work']],
      [[], ['work']],
    ]);
  });
});
