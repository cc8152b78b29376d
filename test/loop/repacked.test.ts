/** What git does to tidy up is no damage: packs that an agent made, and refs that there are many of. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeRepo, type Repo } from '../support/repo.ts';
import { planOf, play, recordsOf, runs } from './scene.ts';

const TAGS = 400;
const ITEMS = ['US-1', 'US-2', 'US-3', 'US-4'];

const objectsIn = (repo: Repo, ...where: readonly string[]): readonly string[] =>
  repo
    .git(...where, 'cat-file', '--batch-all-objects', '--batch-check=%(objectname)', '--unordered')
    .split('\n')
    .toSorted();

test('a `git gc` after each item leaves one pack, and the vault holds every object; many loose refs are packed', async () => {
  const work = (item: string) => runs(`head -c 100000 /dev/urandom | base64 > ${item}.txt`, 'git gc -q');
  const repo = makeRepo({
    plan: planOf(...ITEMS),
    config: { gates: ['true'] },
    scenario: play(Object.fromEntries(ITEMS.map(item => [item, work(item)]))),
  });
  const head = repo.git('rev-parse', 'HEAD');
  for (let n = 0; n < TAGS; n++) repo.write(`.git/refs/tags/v${n}`, `${head}\n`);
  const tags = repo.git('for-each-ref', 'refs/tags');
  const { code, stdout } = await repo.run();
  expect(code, stdout).toBe(0);
  expect(stdout).not.toMatch(/objects were|refs\/tags/);
  const packs = readdirSync(join(repo.root, '.git/objects/pack')).filter(name => name.endsWith('.pack'));
  expect(packs).toHaveLength(1);
  const vault = ['--git-dir', '.ralph/runs/.git'];
  const kept = new Set(objectsIn(repo, ...vault));
  expect(objectsIn(repo).filter(id => !kept.has(id))).toEqual([]);
  expect(repo.git(...vault, 'fsck', '--no-dangling', '--no-progress')).toBe('');
  expect(repo.git('for-each-ref', 'refs/tags')).toBe(tags);
  expect(readdirSync(join(repo.root, '.git/refs/tags'))).toEqual([]);
  expect(recordsOf(repo, 'run.finished')[0]?.reason).toBe('complete');
});
