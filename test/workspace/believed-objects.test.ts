/** The folders of loose objects are not read again where nothing was added; what is done inside them is still found. */
import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { BelievedObjects } from '../../src/workspace/believed-objects.ts';
import { Git } from '../../src/workspace/git.ts';
import { cleanEnv } from '../support/cli.ts';
import { makeRepo } from '../support/repo.ts';

const LIE = deflateSync('blob 5\0evil\n');

test.concurrent.for([
  ['another content in a file that was there', (file: string) => (chmodSync(file, 0o644), writeFileSync(file, LIE))],
  ['a new file beside it', (file: string) => writeFileSync(join(dirname(file), 'f'.repeat(38)), LIE)],
  [
    'a new file in a new folder',
    (file: string) => {
      const folder = join(dirname(file), '../ff');
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, 'f'.repeat(38)), LIE);
    },
  ],
  [
    'another folder in its place, with files of before',
    (file: string, older: string) => {
      renameSync(dirname(file), `${older}.was`);
      renameSync(older, dirname(file));
    },
  ],
] as const)('%s', async ([, forge]) => {
  const repo = makeRepo({ files: { 'a.txt': 'a\n' } });
  const id = repo.git('rev-parse', 'HEAD:a.txt');
  const from = join(repo.root, '.git/objects');
  const file = join(from, id.slice(0, 2), id.slice(2));
  const older = join(repo.outside, 'older');
  cpSync(dirname(file), older, { recursive: true });
  chmodSync(join(older, id.slice(2)), 0o644);
  writeFileSync(join(older, id.slice(2)), LIE);
  const believed = new BelievedObjects({ from, to: join(repo.outside, 'copies') });
  const git = new Git(repo.root, cleanEnv(repo.home));
  const look = async () => (await believed.takeOutForged(git, join(repo.outside, 'aside'))).forged;
  believed.asTheyAre();
  expect([await look(), await look()]).toEqual([0, 0]);
  believed.asTheyAre();
  forge(file, older);
  expect(await look()).toBe(1);
  expect(await look()).toBe(0);
});

test('a pack that another run joins into a larger one while it is looked at is not taken for forged', async () => {
  const repo = makeRepo({ files: { 'a.txt': 'a\n' } });
  const from = join(repo.root, '.git/objects');
  const env = cleanEnv(repo.home);
  const programs = join(repo.outside, 'programs');
  mkdirSync(programs);
  const real = execFileSync('/bin/sh', ['-c', 'command -v git'], { env, encoding: 'utf8' }).trim();
  const script = `#!/bin/sh\ncase "$*" in *verify-pack*) rm -f ${from}/pack/*;; esac\nexec ${real} "$@"\n`;
  writeFileSync(join(programs, 'git'), script, { mode: 0o755 });
  const believed = new BelievedObjects({ from, to: join(repo.outside, 'copies') });
  const git = new Git(repo.root, { ...env, PATH: `${programs}:${env['PATH']}` });
  believed.asTheyAre();
  repo.git('repack', '-q');
  expect(await believed.takeOutForged(git, join(repo.outside, 'aside'))).toEqual({ forged: 0, lost: 0 });
  expect(readdirSync(join(from, 'pack'))).toEqual([]);
});
