/** Locks that a killed git leaves behind do not stop a run; one that somebody holds is waited for. */
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { makeRepo, type RepoOptions } from '../support/repo.ts';
import { committedItems } from './oracle.ts';

const two: RepoOptions = {
  plan: { project: 'two', userStories: ['a', 'b'].map(id => ({ id, title: `Write ${id}`, passes: false })) },
  config: { gates: ['true'] },
  scenario: {
    items: {
      '*': [{ steps: [{ write: { path: '{{item}}.txt', text: '{{item}}\n' } }] }],
      // Puts HEAD elsewhere, so that it has to be put back.
      b: [{ steps: [{ write: { path: 'b.txt', text: 'b\n' } }, { run: 'git symbolic-ref HEAD refs/heads/main' }] }],
    },
  },
};

const lock = (root: string, name: string): string => {
  const file = join(root, '.git', name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, '');
  return file;
};

test.each(['HEAD.lock', 'refs/heads/ralph/two.lock', 'index.lock'])('a stale %s is no obstacle', async name => {
  const repo = makeRepo(two);
  const once = await repo.ralph(['run', '--once']);
  expect(once.code, once.stderr).toBe(1);
  lock(repo.root, name);
  const { code, stderr, stdout } = await repo.ralph(['run']);
  expect({ code, stderr }, stdout).toEqual({ code: 0, stderr: '' });
  expect(committedItems(repo)).toEqual(['a', 'b']);
});

test('a lock that somebody holds is waited for and not taken from them', async () => {
  const repo = makeRepo(two);
  await repo.ralph(['run', '--once']);
  const held = lock(repo.root, 'refs/heads/ralph/two.lock');
  const running = repo.start(['run']);
  let stolen = false;
  // Younger than what counts as stale at every look.
  for (let n = 0; n < 15; n++) {
    await new Promise(done => setTimeout(done, 100));
    stolen ||= !existsSync(held);
    writeFileSync(held, '');
  }
  rmSync(held);
  const { code, stderr } = await running.ended;
  expect({ code, stderr, stolen }).toEqual({ code: 0, stderr: '', stolen: false });
  expect(committedItems(repo)).toEqual(['a', 'b']);
});
