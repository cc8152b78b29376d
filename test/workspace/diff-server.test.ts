import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, test } from 'vitest';
import { DiffServer, type Server } from '../../src/workspace/diff-server.ts';
import { given, makeScene, type Scene } from './scene.ts';

const FLAGS = ['-r', '--raw', '--numstat', '-p', '-z', '--no-renames'];
const MAX = 1024 * 1024;

function makeServer(scene: Scene, maxBytes = MAX): { readonly server: DiffServer; readonly children: ChildProcess[] } {
  const children: ChildProcess[] = [];
  const start = (): Server => {
    const options = { cwd: scene.root, env: scene.env };
    const child = spawn('git', ['diff-tree', '--stdin', ...FLAGS], { ...options, stdio: ['pipe', 'pipe', 'ignore'] });
    children.push(child);
    return child;
  };
  return { server: new DiffServer({ start, maxBytes }), children };
}

/** A new tree with this file in it. */
function treeWith(scene: Scene, path: string, text: string): string {
  scene.write(path, text);
  scene.git(['add', '-A']);
  return scene.git(['write-tree']);
}

const byGit = (scene: Scene, from: string, to: string): string => scene.git(['diff-tree', ...FLAGS, from, to]);

describe('a git that stays', () => {
  test('answers one question after the other as a new one would, objects made meanwhile included', async () => {
    const scene = makeScene();
    const { server, children } = makeServer(scene);
    let last = treeWith(scene, 'a.txt', 'a\n');
    for (let n = 0; n < 8; n++) {
      const next = treeWith(scene, `folder-${n % 3}/ü ${n}.txt`, `line ${n}\n`.repeat(n + 1));
      const answer = await server.ask(last, next);
      expect(answer?.toString('utf8').trim()).toBe(byGit(scene, last, next));
      expect(answer?.length).toBeGreaterThan(0);
      last = next;
    }
    expect(children).toHaveLength(1);
    server.close();
  });

  test('is not taken in by a file that looks like the end of an answer', async () => {
    const scene = makeScene();
    const { server } = makeServer(scene);
    const first = treeWith(scene, 'a.txt', 'a\n');
    const second = treeWith(scene, 'a.txt', `a\nend of ${'0'.repeat(32)}\nmore\n`);
    expect((await server.ask(first, second))?.toString('utf8').trim()).toBe(byGit(scene, first, second));
    server.close();
  });

  test('that was killed is not waited for, and not started again', async () => {
    const scene = makeScene();
    const { server, children } = makeServer(scene);
    const [first, second] = [treeWith(scene, 'a.txt', 'a\n'), treeWith(scene, 'a.txt', 'b\n')];
    expect(await server.ask(first, second)).toBeDefined();
    const [child] = children;
    child?.kill('SIGKILL');
    if (child) await once(child, 'close');
    expect(await server.ask(first, second)).toBeUndefined();
    expect(await server.ask(first, second)).toBeUndefined();
    expect(children).toHaveLength(1);
  });

  test('that dies over a question leaves it to an ordinary git', async () => {
    const scene = makeScene();
    const { server } = makeServer(scene);
    const tree = treeWith(scene, 'a.txt', 'a\n');
    expect(await server.ask(tree, 'f'.repeat(40))).toBeUndefined();
  });

  test('with too much to say is ended', async () => {
    const scene = makeScene();
    const { server, children } = makeServer(scene, 1000);
    const [first, second] = [treeWith(scene, 'a.txt', 'a\n'), treeWith(scene, 'a.txt', 'a long line\n'.repeat(5000))];
    expect(await server.ask(first, second)).toBeUndefined();
    const [child] = children;
    if (child?.exitCode === null && child.signalCode === null) await once(child, 'close');
    expect(child?.signalCode ?? child?.exitCode).not.toBeNull();
  });

  test('that cannot be started at all is done without', async () => {
    const start = (): Server => spawn('no-such-git-here', [], { stdio: ['pipe', 'pipe', 'ignore'] });
    expect(await new DiffServer({ start, maxBytes: MAX }).ask('a', 'b')).toBeUndefined();
  });
});

test('a diff is the same whether git stays or not, and however large', async () => {
  const scene = makeScene();
  scene.write('a.txt', 'a\n');
  scene.git(['add', '-A']);
  scene.git(['commit', '-qm', 'Start']);
  const workspace = await scene.open();
  const base = await given(workspace.snapshot());
  scene.write('b/c.txt', 'one\ntwo\n');
  scene.write('a.txt', 'b\n');
  const small = await given(workspace.snapshot());
  const first = await given(workspace.diff(base, small));
  expect(first.changes.map(({ path, added, deleted }) => [path, added, deleted])).toEqual([
    ['a.txt', 1, 1],
    ['b/c.txt', 2, 0],
  ]);
  scene.write('large.txt', 'a line of a large file\n'.repeat(150_000));
  const large = await given(workspace.snapshot());
  const cut = await given(workspace.diff(base, large));
  expect(cut.changes.map(({ path, added }) => [path, added])).toContainEqual(['large.txt', 150_000]);
  expect(cut.patch).toContain('cut at 2 MiB');
  expect(await given(workspace.diff(base, small))).toEqual(first);
  workspace.close();
  expect(await given(workspace.diff(base, small))).toEqual(first);
  workspace.close();
});
