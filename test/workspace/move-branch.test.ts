import { existsSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { moveBranch, overwriteBranch, writeNext } from '../../src/workspace/move-branch.ts';
import { author, given, makeScene, type Scene } from './scene.ts';

interface Set {
  readonly scene: Scene;
  readonly first: string;
  readonly second: string;
  readonly file: string;
  move(change?: { readonly from?: string; readonly to?: string; readonly next?: string }): Promise<boolean>;
  tip(): string;
}

/** A branch at its first commit, and a second commit that it may be moved to. */
function makeSet(): Set {
  const scene = makeScene();
  scene.write('a.txt', 'a\n');
  scene.git(['add', '-A']);
  scene.git(['commit', '-qm', 'First']);
  const first = scene.git(['rev-parse', 'HEAD']);
  const second = scene.git(['commit-tree', 'HEAD^{tree}', '-p', first, '-m', 'Second']);
  const gitDir = join(scene.root, '.git');
  const ref = 'refs/heads/work';
  return {
    scene,
    first,
    second,
    file: join(gitDir, ref),
    move: ({ from = first, to = second, ...next } = {}) =>
      moveBranch({ commonDir: gitDir, gitDir, ref, to, from, author, now: 1_700_000_000_000, ...next }),
    tip: () => scene.git(['rev-parse', ref]),
  };
}

describe('a branch', () => {
  test('is moved, with an entry in both logs that git can read', async () => {
    const { scene, first, second, file, move, tip } = makeSet();
    expect(await move()).toBe(true);
    expect(tip()).toBe(second);
    for (const log of ['work', 'HEAD']) {
      expect(scene.git(['reflog', 'show', '--format=%H %gs %gn', log]).split('\n')[0]).toBe(
        `${second} ralph ${author.name}`,
      );
      expect(scene.git(['rev-parse', `${log}@{1}`])).toBe(first);
    }
    expect(existsSync(`${file}.lock`)).toBe(false);
    expect(readdirSync(join(scene.root, '.git')).filter(name => name.startsWith('RALPH'))).toEqual([]);
    expect(scene.git(['fsck', '--strict', '--no-dangling'])).toBe('');
  });

  test('is moved to what was written down before, and to nothing else', async () => {
    const { scene, first, second, file, move, tip } = makeSet();
    const gitDir = join(scene.root, '.git');
    const next = writeNext(gitDir, second);
    writeFileSync(next, `${first}\n`);
    expect(await move({ next })).toBe(false);
    rmSync(next, { force: true });
    expect(await move({ next })).toBe(false);
    expect(tip()).toBe(first);
    expect(await move({ next: writeNext(gitDir, second) })).toBe(true);
    expect(tip()).toBe(second);
    expect(existsSync(`${file}.lock`)).toBe(false);
    expect(readdirSync(gitDir).filter(name => name.startsWith('RALPH'))).toEqual([]);
  });

  test('that somebody else has moved stays where they put it', async () => {
    const { move, first, second, tip, file } = makeSet();
    expect(await move({ from: second, to: second })).toBe(false);
    expect(tip()).toBe(first);
    expect(existsSync(`${file}.lock`)).toBe(false);
  });

  test.each<readonly [string, (set: Set) => void]>([
    ['that is locked', ({ file }) => writeFileSync(`${file}.lock`, '')],
    ['that is packed', ({ scene }) => scene.git(['pack-refs', '--all'])],
    ['without a log', ({ scene }) => rmSync(join(scene.root, '.git/logs/refs/heads/work'))],
    ['that is not checked out', ({ scene }) => scene.git(['checkout', '-q', '--detach'])],
    [
      'that is a link',
      ({ scene, file, first }) => {
        writeFileSync(join(scene.root, '.git/refs/heads/other'), `${first}\n`);
        rmSync(file);
        symlinkSync('other', file);
      },
    ],
  ])('%s is left to git', async (_, change) => {
    const set = makeSet();
    change(set);
    expect(await set.move()).toBe(false);
    expect(set.tip()).toBe(set.first);
  });

  test('of a worker is overwritten in place, unless it is no file that holds what it should', () => {
    const { scene, first, second, file, tip } = makeSet();
    const commonDir = join(scene.root, '.git');
    const overwrite = (from: string, to: string) => overwriteBranch({ commonDir, ref: 'refs/heads/work', from, to });
    expect(overwrite(first, second)).toBe(true);
    expect(tip()).toBe(second);
    expect(overwrite(first, second)).toBe(false);
    expect(overwrite(second, first.slice(1))).toBe(false);
    expect(tip()).toBe(second);
    writeFileSync(join(scene.root, 'elsewhere'), `${second}\n`);
    rmSync(file);
    symlinkSync(join(scene.root, 'elsewhere'), file);
    expect(overwrite(second, first)).toBe(false);
    expect(readFileSync(join(scene.root, 'elsewhere'), 'utf8')).toBe(`${second}\n`);
  });

  test('that was left locked by a killed program is moved all the same, in a while', async () => {
    const { scene, first, file } = makeSet();
    const workspace = await scene.open();
    scene.write('b.txt', 'b\n');
    const tree = await given(workspace.snapshot());
    writeFileSync(`${file}.lock`, '');
    const commit = await given(workspace.commit({ tree, parent: first, message: 'x\n', at: 1_700_000_000_000 }));
    await workspace.shown();
    expect(scene.git(['rev-parse', 'HEAD'])).toBe(commit);
    expect(scene.git(['status', '--porcelain'])).toBe('');
  });
});
