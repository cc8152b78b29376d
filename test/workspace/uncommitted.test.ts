/** What a person has not committed, told by path. */
import { expect, test } from 'vitest';
import { uncommitted } from '../../src/workspace/merging.ts';
import { dirtyPaths, openRepository } from '../../src/workspace/repository.ts';
import { makeRepo } from '../support/repo.ts';

test('a rename is one change, under its new name', async () => {
  const repo = makeRepo({ files: { 'one two.txt': 'text\n'.repeat(20), 'b.txt': 'b' } });
  repo.git('mv', 'one two.txt', 'three.txt');
  repo.write('b.txt', 'c');
  repo.write('new.txt', 'n');
  const repository = await openRepository(repo.root, process.env);
  if (!repository.ok) throw new Error(repository.error.message);
  const paths = ['b.txt', 'new.txt', 'three.txt'];
  for (const found of [
    await uncommitted(repository.value.git, repo.root),
    await dirtyPaths(repository.value, { paths: [] }),
  ])
    expect(found.ok && found.value.toSorted()).toEqual(paths);
});
