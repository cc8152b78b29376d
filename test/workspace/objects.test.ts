import { statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Commit, commitBody } from '../../src/workspace/commit-object.ts';
import { type ObjectStore, objectId, writeObject } from '../../src/workspace/objects.ts';
import { author, type Format, makeScene, type Scene } from './scene.ts';

const storeOf = (scene: Scene, algorithm: Format): ObjectStore => ({
  folder: join(scene.root, '.git', 'objects'),
  algorithm,
});

describe.each<Format>(['sha1', 'sha256'])('objects of a %s repository', format => {
  test.each([
    ['nothing', Buffer.alloc(0)],
    ['text', Buffer.from('a line\n')],
    ['bytes that are no text', Buffer.from([0, 255, 13, 10, 128])],
    ['a megabyte', Buffer.alloc(2 ** 20, 'abcdefg')],
  ])('have the name and the content that git gives them: %s', (_, body) => {
    const scene = makeScene(format);
    const id = writeObject(storeOf(scene, format), 'blob', body);
    expect(id).toBe(scene.git(['hash-object', '--stdin'], { input: body }));
    expect(scene.git(['cat-file', '-s', id])).toBe(String(body.length));
    expect(objectId(format, 'blob', body)).toBe(id);
    expect(scene.git(['fsck', '--strict', '--no-dangling'])).toBe('');
  });

  test('are read-only, and made young again instead of written twice', () => {
    const scene = makeScene(format);
    const store = storeOf(scene, format);
    const id = writeObject(store, 'blob', Buffer.from('once\n'));
    const file = join(store.folder, id.slice(0, 2), id.slice(2));
    expect(statSync(file).mode & 0o777).toBe(0o444);
    const { ino } = statSync(file);
    utimesSync(file, 1000, 1000);
    expect(writeObject(store, 'blob', Buffer.from('once\n'))).toBe(id);
    expect(statSync(file).ino).toBe(ino);
    expect(statSync(file).mtimeMs).toBeGreaterThan(1_600_000_000_000);
  });

  test('are the commits that git commit-tree makes', () => {
    const scene = makeScene(format);
    scene.write('a.txt', 'a\n');
    scene.git(['add', '-A']);
    scene.git(['commit', '-qm', 'Start']);
    const parent = scene.git(['rev-parse', 'HEAD']);
    const tree = scene.git(['rev-parse', 'HEAD^{tree}']);
    for (const message of ['feat: x\n\nRalph-Run: é\n', 'no end', '# a comment\n\n  spaces  \n\n\n']) {
      const commit: Commit = { tree, parent, message, at: 1_700_000_000_999 };
      const body = commitBody(commit, author);
      const date = '1700000000 +0000';
      const env = {
        GIT_AUTHOR_NAME: author.name,
        GIT_AUTHOR_EMAIL: author.email,
        GIT_AUTHOR_DATE: date,
        GIT_COMMITTER_NAME: author.name,
        GIT_COMMITTER_EMAIL: author.email,
        GIT_COMMITTER_DATE: date,
      };
      const theirs = scene.git(['commit-tree', tree, '-p', parent, '-F', '-'], { env, input: message });
      expect(body && writeObject(storeOf(scene, format), 'commit', body), message).toBe(theirs);
    }
    expect(scene.git(['fsck', '--strict', '--no-dangling'])).toBe('');
  });
});

test.each(['Dots.', ' Space', 'An <Angle>', '"Quoted"', "O'Brien's'", 'Line\nEnd', '', 'Comma,'])(
  'a name that git would change is left to git: %j',
  name => {
    const commit = { tree: 'a'.repeat(40), parent: 'b'.repeat(40), message: 'x', at: 0 };
    expect(commitBody(commit, { name, email: 'a@b' })).toBeUndefined();
    expect(commitBody(commit, { name: 'A', email: name })).toBeUndefined();
    expect(commitBody(commit, { name: "O'Brien Jr", email: 'a.b@c' })).toBeDefined();
  },
);
