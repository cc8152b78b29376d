/** After a long run there is a pack instead of thousands of files, in the repository and in the vault. */
import { cpSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Git } from '../../src/workspace/git.ts';
import { PackedByRun } from '../../src/workspace/pack-added.ts';
import { planOf, play, runs, story, works } from '../loop/scene.ts';
import { cleanEnv } from '../support/cli.ts';
import { makeRepo, type Repo } from '../support/repo.ts';

const many = Object.fromEntries(Array.from({ length: 900 }, (_, n) => [`files/${n}.txt`, `file ${n}\n`]));
const made = () => makeRepo({ files: many, plan: planOf('US-1'), scenario: play({ '*': works }) });

const loose = (repo: Repo, objects: string): number =>
  readdirSync(join(repo.root, objects), { withFileTypes: true, recursive: true }).filter(
    entry => entry.isFile() && /\/[0-9a-f]{2}$/.test(entry.parentPath),
  ).length;

test('what a run left is packed once at its end, and the vault still holds all of it', async () => {
  const repo = made();
  expect(loose(repo, '.git/objects')).toBeGreaterThan(900);
  const ran = await repo.run();
  expect([ran.code, ran.stdout]).toEqual([0, expect.stringContaining('packing the objects of the repository')]);
  expect(ran.stdout).not.toContain('could not be packed');
  expect(loose(repo, '.git/objects')).toBeLessThan(20);
  expect(loose(repo, '.ralph/runs/.git/objects')).toBeLessThan(20);
  repo.git('fsck', '--strict');
  repo.git('clone', '-q', '.ralph/runs', '../outside/rescued');
  // As it was noted before the last agent.
  expect(repo.git('-C', '../outside/rescued', 'ls-files', 'files').split('\n')).toHaveLength(900);
  repo.git('-C', '../outside/rescued', 'fsck', '--strict');
  // The next one goes on with it, without a word about objects.
  repo.write('prd.json', JSON.stringify(planOf({ id: 'US-1', title: 'Story', passes: true }, 'US-2')));
  repo.git('commit', '-qam', 'more');
  const next = await repo.run();
  expect([next.code, next.stdout]).toEqual([0, expect.not.stringContaining('objects')]);
});

test('a long run does not wait for its end: between two agents, once it has added thousands', async () => {
  const adds = runs('mkdir files && for n in $(seq 4100); do echo "file $n" > files/$n.txt; done');
  const repo = makeRepo({
    plan: planOf(story('US-1', { allow: ['size'] }), 'US-2', 'US-3'),
    scenario: play({ 'US-1': adds, '*': works }),
  });
  const ran = await repo.run();
  expect(ran.code).toBe(0);
  expect(ran.stdout.split('packing the objects of the repository')).toHaveLength(2);
  expect(ran.stdout.indexOf('packing')).toBeLessThan(ran.stdout.indexOf('US-3'));
  // Nothing was taken for lost or damaged because it is in a pack now.
  expect(ran.stdout).not.toMatch(/could not be packed|objects were|objects of the repository were/);
  expect(loose(repo, '.git/objects')).toBeLessThan(100);
  expect(loose(repo, '.ralph/runs/.git/objects')).toBeLessThan(100);
  expect(repo.git('rev-list', '--count', 'HEAD').trim()).toBe('4');
  repo.git('fsck', '--strict');
  repo.git('clone', '-q', '.ralph/runs', '../outside/rescued');
  expect(repo.git('-C', '../outside/rescued', 'ls-files', 'files').split('\n')).toHaveLength(4_100);
});

test('what a run adds is packed again and again, into a few packs, here and in the vault; nothing else is touched', async () => {
  const repo = makeRepo({ files: { 'a.txt': 'a\n' } });
  const from = join(repo.root, '.git/objects');
  const to = join(repo.root, '.ralph/runs/.git/objects');
  const git = new Git(repo.root, cleanEnv(repo.home));
  const before = loose(repo, '.git/objects');
  const packed = new PackedByRun({ stores: { from, to }, git, since: Date.now() });
  for (let round = 0; round < 20; round++) {
    const ids = [0, 1, 2].map(n => {
      repo.write('new.txt', `content ${round}.${n}\n`);
      return repo.git('hash-object', '-w', 'new.txt');
    });
    cpSync(from, to, { recursive: true });
    packed.wereAdded(250);
    // Not before they were looked at.
    expect(await packed.packIfMany(() => ids, Boolean)).toEqual({ ok: true, value: false });
    packed.wereLookedAt();
    expect(await packed.packIfMany(() => ids, Boolean)).toEqual({ ok: true, value: true });
    for (const store of [from, to])
      expect(readdirSync(join(store, 'pack')).filter(name => name.endsWith('.idx')).length).toBeLessThan(6);
    expect([loose(repo, '.git/objects'), loose(repo, '.ralph/runs/.git/objects')]).toEqual([before, before]);
  }
  const all = (...where: readonly string[]) =>
    repo.git(...where, 'cat-file', '--batch-all-objects', '--batch-check').split('\n').length;
  repo.git('init', '-q', '--bare', '.ralph/runs/.git');
  expect([all(), all('--git-dir', '.ralph/runs/.git')]).toEqual([before + 60, before + 60]);
  repo.git('fsck', '--strict', '--no-dangling');
});

test('whoever has switched the packing of git off finds nothing packed', async () => {
  const repo = made();
  repo.git('config', 'gc.auto', '0');
  expect((await repo.run()).code).toBe(0);
  expect(loose(repo, '.git/objects')).toBeGreaterThan(900);
});
