/** Damage that a power cut or an agent leaves in the git directory of a run that was cut off: found, said, and mended. */
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, test } from 'vitest';
import { makeRepo, type Repo } from '../support/repo.ts';
import { committedItems } from './oracle.ts';

const preload = [fileURLToPath(new URL('kill-at.mjs', import.meta.url))];
const ids = ['a', 'b', 'c'];

/** The first item is accepted; the runner dies while the second is being worked on. */
let killed: Repo;

beforeAll(async () => {
  killed = makeRepo({
    files: Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`src/${n}.txt`, `${n}\n`])),
    plan: { project: 'three', userStories: ids.map(id => ({ id, title: `Write ${id}`, passes: false })) },
    config: { gates: ['true'] },
    scenario: {
      items: {
        '*': [{ steps: [{ write: { path: 'out/{{item}}.txt', text: '{{item}}\n' } }, { sleep: '100ms' }] }],
      },
    },
  });
  killed.git('gc', '-q');
  const end = await killed.ralph(['run'], { preload, env: { RALPH_TEST_KILL: 'journal after 12' } });
  expect(end.signal).toBe('SIGKILL');
  const types = killed.journal().map(record => record.type);
  expect(types.filter(type => type === 'iteration.finished')).toHaveLength(1);
  expect(types.lastIndexOf('iteration.started')).toBeGreaterThan(types.lastIndexOf('iteration.finished'));
});

const within = (repo: Repo, path: string): string => join(repo.root, '.git', path);

function write(repo: Repo, path: string, text: string): void {
  mkdirSync(dirname(within(repo, path)), { recursive: true });
  writeFileSync(within(repo, path), text);
}

const objectFile = (repo: Repo, name: string): string => {
  const id = repo.git('rev-parse', name);
  return `objects/${id.slice(0, 2)}/${id.slice(2)}`;
};

const damages: readonly (readonly [string, (repo: Repo) => void])[] = [
  [
    'an empty branch, a cut index and an empty object that nothing names',
    repo => {
      write(repo, 'refs/heads/ralph/three', '');
      truncateSync(within(repo, 'index'), 40);
      // What the next item is about to write.
      write(repo, 'objects/61/780798228d17af2d34fce4cfbdf35556832472', '');
    },
  ],
  [
    'a branch full of zeros, an empty HEAD and an empty file in the last commit',
    repo => {
      const file = objectFile(repo, 'HEAD:out/a.txt');
      truncateSync(within(repo, file));
      write(repo, 'refs/heads/ralph/three', '\0'.repeat(41));
      write(repo, 'HEAD', '');
    },
  ],
  [
    'another empty branch, settings full of zeros and an empty index',
    repo => {
      write(repo, 'refs/heads/main', '');
      write(repo, 'config', '\0'.repeat(statSync(within(repo, 'config')).size));
      write(repo, 'index', '');
    },
  ],
  ['an empty last commit', repo => truncateSync(within(repo, objectFile(repo, 'HEAD')))],
  [
    'a cut pack',
    repo => {
      const [pack = ''] = readdirSync(within(repo, 'objects/pack')).filter(name => name.endsWith('.pack'));
      const file = within(repo, `objects/pack/${pack}`);
      truncateSync(file, readFileSync(file).length >> 1);
    },
  ],
];

test.each(damages)('%s', async (_, damage) => {
  const repo = killed.copy();
  damage(repo);
  const { code, stdout, stderr } = await repo.ralph(['run']);
  expect({ code, stderr }, stdout).toEqual({ code: 0, stderr: '' });
  expect(committedItems(repo)).toEqual(ids);
  expect(repo.git('fsck', '--full', '--strict', '--no-dangling', '--no-progress')).toBe('');
  expect(repo.git('rev-parse', 'main')).toBe(killed.git('rev-parse', 'main'));
  expect(repo.git('status', '--porcelain')).toBe('');
  expect(existsSync(join(repo.root, '.ralph/lock'))).toBe(false);
  repo.remove();
});
