/** Where a repository is, told by its files, is where git says that it is; or git is asked. */
import { mkdirSync, realpathSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { plainRepository } from '../../src/workspace/plain-repository.ts';
import { openRepository, placeOfRepository } from '../../src/workspace/repository.ts';
import { makeRepo, type Repo } from '../support/repo.ts';

const LAYOUTS: readonly (readonly [string, 'by its files' | 'by git', (repo: Repo) => string])[] = [
  ['the top', 'by its files', repo => repo.root],
  ['a folder in it', 'by its files', repo => folder(join(repo.root, 'a', 'b'))],
  ['a link to it', 'by its files', repo => link(repo.root, join(repo.outside, 'link'))],
  ['a folder that only looks like a repository', 'by git', repo => folder(join(repo.root, 'x', '.git'), '..')],
  ['the git directory', 'by git', repo => join(repo.root, '.git')],
  ['a worktree', 'by git', repo => (repo.git('worktree', 'add', '-q', '../outside/tree'), join(repo.outside, 'tree'))],
  ['a repository inside', 'by its files', repo => (repo.git('init', '-q', 'inner'), join(repo.root, 'inner'))],
  ['one whose git directory is elsewhere', 'by git', repo => moved(repo)],
  ['one whose work tree is elsewhere', 'by git', repo => (repo.git('config', 'core.worktree', repo.root), repo.root)],
  ['one with settings from another file', 'by git', repo => (repo.git('config', 'include.path', 'more'), repo.root)],
  ['no repository', 'by git', repo => folder(join(repo.outside, 'none'))],
];

test.for(LAYOUTS)('%s is found %s', async ([, by, make]) => {
  const cwd = make(makeRepo({}));
  expect(plainRepository(cwd) !== undefined).toBe(by === 'by its files');
  const [asked, told] = [await openRepository(cwd, process.env), await placeOfRepository(cwd, process.env)];
  const place = (found: typeof asked) =>
    found.ok
      ? [found.value.root, found.value.gitDir, found.value.commonDir].map(path => realpathSync(path))
      : found.error;
  expect(place(told)).toEqual(place(asked));
});

function folder(path: string, cwd = '.'): string {
  mkdirSync(path, { recursive: true });
  return join(path, cwd);
}

function link(to: string, path: string): string {
  symlinkSync(to, path);
  return path;
}

function moved(repo: Repo): string {
  renameSync(join(repo.root, '.git'), join(repo.outside, 'git'));
  writeFileSync(join(repo.root, '.git'), 'gitdir: ../outside/git\n');
  return repo.root;
}
