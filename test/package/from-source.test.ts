/** Ways to install that begin with a clone and nothing else. They fetch development tools, so they are for the full tier. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freshClone, pack, type Scene } from './scene.ts';

describe.runIf(process.env.RALPH_FULL)('from a clone without node_modules', () => {
  let scene: Scene;
  beforeAll(() => {
    scene = freshClone({ tools: false });
  });
  afterAll(() => scene.remove());

  test('a git address can be a dependency', { timeout: 600_000 }, () => {
    const folder = join(scene.folder, 'by-git');
    mkdirSync(folder);
    writeFileSync(join(folder, 'package.json'), '{"name": "by-git", "private": true}\n');
    scene.npm(['install', '--prefer-offline', `git+file://${scene.clone}`], folder);
    expect(scene.run(join(folder, 'node_modules/.bin/ralph'), ['--version'], folder)).toMatch(/^\d+\.\d+\.\d+/);
  });

  test('npm install without development tools says that nothing is built, and does not fail', () => {
    scene.npm(['install', '--omit=dev', '--prefer-offline'], scene.clone);
    expect(scene.run('git', ['status', '--short'], scene.clone)).toBe('');
  });

  test('npm pack fetches its tools and packs the program', { timeout: 600_000 }, () => {
    const { files } = pack(scene);
    expect(files.map(({ path }) => path)).toEqual(expect.arrayContaining(['dist/cli.cjs', 'dist/index.d.ts']));
  });
});
