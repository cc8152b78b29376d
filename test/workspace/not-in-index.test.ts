/** What is in the work tree and not in the index is what git says it is. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseIndex } from '../../src/workspace/index-file.ts';
import { notInIndex } from '../../src/workspace/not-in-index.ts';
import { makeScene, type Scene } from './scene.ts';

const byGit = (scene: Scene): readonly string[] => {
  const args = ['ls-files', '-z', '-o', '--directory', '--', '.', ':(exclude).ralp[h]', ':(exclude).ralp[h]/*'];
  const out = execFileSync('git', args, { cwd: scene.root, env: scene.env });
  return out.toString('utf8').split('\0').filter(Boolean).toSorted();
};

function byUs(scene: Scene): readonly string[] | undefined {
  const index = parseIndex(readFileSync(join(scene.root, '.git', 'index')), 'sha1');
  return index && notInIndex({ root: scene.root, entries: index.entries, without: ['.ralph'] })?.toSorted();
}

describe.skipIf(process.platform === 'darwin')('what is not in the index', () => {
  test('is listed as git lists it: ignored or not, folders, links, empty ones, odd names, repositories', () => {
    const scene = makeScene();
    for (const path of ['a.txt', 'src/one.ts', 'src/deep/er/two.ts', 'ü/kept', '.gitignore'])
      scene.write(path, path === '.gitignore' ? 'node_modules/\n*.log\n' : path);
    scene.git(['add', '-A']);
    for (const path of [
      'node_modules/x/index.js',
      'src/debug.log',
      'src/deep/new.ts',
      'src/deep/er/.hidden',
      'ü/ñ',
      'other/.git/HEAD',
      '.ralph/journal',
      'src/.ralph/x',
      'with space/x y',
      '-dash',
    ])
      scene.write(path, 'x');
    mkdirSync(join(scene.root, 'empty'));
    mkdirSync(join(scene.root, 'src', 'empty', 'inner'), { recursive: true });
    symlinkSync('src', join(scene.root, 'link'));
    symlinkSync('nowhere', join(scene.root, 'src', 'dangling'));
    execFileSync('mkfifo', [join(scene.root, 'pipe')]);
    writeFileSync(Buffer.concat([Buffer.from(`${scene.root}/`), Buffer.from([0x7a, 0xff])]), 'x');
    const listed = byUs(scene);
    expect(listed).toEqual(byGit(scene));
    expect(listed).toContain('node_modules/');
    expect(listed).toContain('empty/');
  });

  test('is listed as git lists it, whatever is tracked', () => {
    const scene = makeScene();
    scene.write('first', 'x');
    scene.git(['add', '-A']);
    const name = fc.constantFrom('a', 'b', 'a.b', 'a-b', 'ab', 'z');
    const path = fc.array(name, { minLength: 1, maxLength: 3 }).map(parts => parts.join('/'));
    const step = fc.record({ path, kind: fc.constantFrom('write', 'write', 'folder', 'delete', 'add') });
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 8 }), steps => {
        for (const { path: at, kind } of steps) {
          try {
            if (kind === 'write') scene.write(at, 'x');
            else if (kind === 'folder') mkdirSync(join(scene.root, at), { recursive: true });
            else if (kind === 'delete') rmSync(join(scene.root, at), { recursive: true, force: true });
            else scene.git(['add', '--', at]);
          } catch {
            // A file where a folder would have to be, or nothing to add.
          }
        }
        scene.git(['add', '-A']);
        expect(byUs(scene)).toEqual(byGit(scene));
      }),
      { numRuns: 60 },
    );
  });

  test('is left to git where only that knows', () => {
    const scene = makeScene();
    scene.write('kept/file', 'x');
    scene.git(['add', '-A']);
    scene.write('KEPT', 'x');
    expect(byUs(scene)).toBeUndefined();
    rmSync(join(scene.root, 'KEPT'));
    rmSync(join(scene.root, 'kept'), { recursive: true });
    scene.write('kept', 'a file now');
    expect(byUs(scene)).toBeUndefined();
  });
});
