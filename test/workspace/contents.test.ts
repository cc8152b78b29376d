/** Both sides of changed files, read from the trees. */
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readContents, searchTests } from '../../src/workspace/contents.ts';
import { parseDiff } from '../../src/workspace/diff.ts';
import { Git } from '../../src/workspace/git.ts';
import { cleanEnv } from '../support/cli.ts';
import { makeRepo, type Repo } from '../support/repo.ts';

async function read(repo: Repo, also: readonly string[] = []) {
  const git = new Git(repo.root, cleanEnv(repo.home));
  const listed = await git.run({
    args: ['diff-tree', '-r', '--raw', '--numstat', '-z', '--no-renames', 'HEAD~1', 'HEAD'],
  });
  if (!listed.ok) throw new Error(listed.error.message);
  const { changes } = parseDiff(listed.value);
  const both = await Promise.all(
    [undefined, join(repo.root, '.git', 'objects')].map(objects =>
      readContents({ git, changes, also, ...(objects && { objects }) }),
    ),
  );
  const [slow, fast] = both;
  if (!slow?.ok || !fast?.ok) throw new Error('not read');
  // Read through git or without it: the same.
  expect(fast.value).toEqual(slow.value);
  return slow.value;
}

it('texts, links, sizes and other objects are what the commits hold', async () => {
  const repo = makeRepo({
    files: { 'a.txt': 'old\r\n', 'gone.txt': 'gone\n', 'odd "\u00fc"\n.txt': '1', 'lock.txt': 'lock\n' },
  });
  repo.write('a.txt', 'new\n\u00fc');
  repo.write('odd "\u00fc"\n.txt', '2');
  repo.write('fresh.txt', '');
  repo.write('data.bin', 'a\0b');
  repo.write('large.txt', 'x'.repeat(3 * 2 ** 20));
  symlinkSync('../out', join(repo.root, 'link'));
  repo.git('rm', '-q', 'gone.txt');
  repo.git('add', '-A');
  repo.git('commit', '-q', '-m', 'Change');
  const { texts, links, sizes, also } = await read(repo, ['HEAD:lock.txt', 'HEAD:missing.txt']);
  expect(Object.fromEntries(texts)).toEqual({
    'a.txt': { before: 'old\r\n', after: 'new\n\u00fc' },
    'gone.txt': { before: 'gone\n', after: '' },
    'odd "\u00fc"\n.txt': { before: '1', after: '2' },
    'fresh.txt': { before: '', after: '' },
    link: { before: '', after: '' },
  });
  expect([...links]).toEqual([['link', '../out']]);
  expect(sizes.get('large.txt')).toBe(3 * 2 ** 20);
  expect(sizes.get('data.bin')).toBe(3);
  expect([...also]).toEqual([['HEAD:lock.txt', 'lock\n']]);
});

it('more text than fits into one answer is read all the same, without the files that are too large', async () => {
  const repo = makeRepo();
  for (let index = 0; index < 24; index++)
    repo.write(`part-${index}.txt`, `${index}\n`.repeat(500_000).slice(0, 2 * 2 ** 20));
  repo.write('huge.txt', 'y'.repeat(40 * 2 ** 20));
  repo.write('last.txt', 'last\n');
  repo.git('add', '-A');
  repo.git('commit', '-q', '-m', 'Change');
  const { texts, sizes } = await read(repo);
  expect(texts.size).toBe(25);
  expect(texts.get('part-23.txt')?.after.startsWith('23\n')).toBe(true);
  expect(texts.get('last.txt')?.after).toBe('last\n');
  expect(sizes.get('huge.txt')).toBe(40 * 2 ** 20);
});

it('tests that hold a text are found, and only tests', async () => {
  const repo = makeRepo({
    files: { 'test/a.test.js': 'expect(f()).toBe(4711)\n', 'src/a.js': 'return 4711\n', 'test/b.test.js': 'no\n' },
  });
  const git = new Git(repo.root, cleanEnv(repo.home));
  const tree = repo.git('rev-parse', 'HEAD^{tree}');
  const found = await searchTests(git, tree, ['4711', '-e', '']);
  expect(found.ok && [...found.value.keys()]).toEqual(['test/a.test.js']);
  const none = await searchTests(git, tree, ['nowhere at all']);
  expect(none.ok && none.value.size).toBe(0);
});
