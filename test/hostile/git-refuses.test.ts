/** Where git or the disk refuses, the person reads the true reason and the step that helps. */
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { planOf, play, works } from '../loop/scene.ts';
import { cleanEnv, cliFile } from '../support/cli.ts';
import { makeRepo, type Repo } from '../support/repo.ts';

const isRoot = process.getuid?.() === 0;
const NOBODY = 65534;

const newRepo = (): Repo =>
  makeRepo({ plan: planOf('US-1'), config: { gates: ['true'] }, scenario: play({ '*': works }) });

/** A program by the name of git that is found first. */
function fakeGit(repo: Repo, text: string): Record<string, string> {
  const bin = join(repo.outside, 'bin');
  mkdirSync(bin);
  writeFileSync(join(bin, 'git'), `#!/bin/sh\n${text}\n`);
  chmodSync(join(bin, 'git'), 0o755);
  return { PATH: `${bin}:${process.env.PATH ?? ''}` };
}

/** Every command says the same; where git itself fails, those that only look end with 1. */
async function expectRefusal(
  repo: Repo,
  words: readonly string[],
  { looking = 4, ...flags }: Parameters<Repo['ralph']>[1] & { looking?: number } = {},
) {
  for (const [command, exit] of [
    ['run', 4],
    ['doctor', 4],
    ['status', looking],
  ] as const) {
    const { code, stdout, stderr } = await repo.ralph([command], flags);
    const said = stdout + stderr;
    for (const word of words) expect(said, command).toContain(word);
    expect(said, command).not.toMatch(/\n\s+at .+:\d+|git init &&/);
    expect(code, `${command}: ${said}`).toBe(exit);
  }
}

describe('where git refuses', () => {
  test.skipIf(!isRoot)('a repository of another user, git is quoted and the setting is named', async () => {
    const repo = newRepo();
    for (const path of [repo.root, join(repo.root, '.git')]) chownSync(path, NOBODY, NOBODY);
    await expectRefusal(repo, ['dubious ownership', `git config --global --add safe.directory ${repo.root}`]);
  });

  test('a bare repository is named, and init writes nothing into it', async () => {
    const repo = newRepo();
    const bare = join(repo.outside, 'bare.git');
    execFileSync('git', ['clone', '-q', '--bare', repo.root, bare], { env: cleanEnv(repo.home), stdio: 'ignore' });
    const before = readdirSync(bare);
    const inBare = { ...repo, ralph: (args: readonly string[]) => repo.ralph(args, { cwd: bare }) };
    await expectRefusal(inBare, ['this is a bare repository', `git clone ${bare}`]);
    const init = await inBare.ralph(['init', '--yes']);
    expect(init.code, init.stdout).toBe(4);
    expect(init.stderr).toContain('this is a bare repository');
    expect(readdirSync(bare)).toEqual(before);
  });

  test('a git that is killed, and one that is not there, are told apart', async () => {
    const repo = newRepo();
    await expectRefusal(repo, ['git was killed by SIGKILL'], { looking: 1, env: fakeGit(repo, 'kill -9 $$') });
    await expectRefusal(repo, ['git was not found on PATH'], { env: { PATH: join(repo.outside, 'nothing') } });
  });

  test('a folder that is gone is named', () => {
    const repo = newRepo();
    const gone = join(repo.root, 'gone');
    mkdirSync(gone);
    const script = `cd ${gone} && rmdir ${gone} && exec ${process.execPath} ${cliFile} "$@"`;
    for (const command of ['run', 'status', 'doctor']) {
      const { status, stderr } = spawnSync('/bin/sh', ['-c', script, 'sh', command], {
        env: cleanEnv(repo.home),
        encoding: 'utf8',
      });
      mkdirSync(gone);
      expect(stderr).toContain('no longer exists');
      expect(stderr).not.toMatch(/\n\s+at /);
      expect(status).toBe(4);
    }
    rmSync(gone, { recursive: true });
  });
});

describe('a repository that can only be read', () => {
  test('is refused with its path by run and doctor, and nothing is written', () => {
    const repo = newRepo();
    writeFileSync(join(repo.home, '.gitconfig'), '[safe]\n\tdirectory = *\n');
    // Permissions do not bind root, so root runs it as somebody else.
    if (isRoot) chmodSync(join(repo.root, '..'), 0o755);
    else for (const path of [repo.root, join(repo.root, '.git')]) chmodSync(path, 0o555);
    const before = readdirSync(repo.root);
    for (const command of ['run', 'doctor']) {
      const { status, stdout, stderr } = spawnSync(process.execPath, [cliFile, command], {
        cwd: repo.root,
        env: cleanEnv(repo.home),
        encoding: 'utf8',
        ...(isRoot ? { uid: NOBODY, gid: NOBODY } : {}),
      });
      expect(stdout + stderr).toContain('cannot write here: EACCES');
      expect(stdout + stderr).not.toMatch(/\n\s+at /);
      expect(status).toBe(4);
    }
    expect(readdirSync(repo.root)).toEqual(before);
    if (!isRoot) for (const path of [repo.root, join(repo.root, '.git')]) chmodSync(path, 0o755);
  });
});

describe('what nobody expected', () => {
  test('is one sentence, kept whole in a file, and leaves no lock', async () => {
    const repo = newRepo();
    const preload = join(repo.outside, 'breaks.mjs');
    // The journal cannot be opened: a disk that fails at the worst moment.
    const code = `import fs from 'node:fs';
      import { syncBuiltinESMExports } from 'node:module';
      const { openSync } = fs;
      fs.openSync = (path, flags, ...rest) => {
        if (String(path).endsWith('journal.jsonl') && flags === 'a') throw new TypeError('a bug for this test');
        return openSync(path, flags, ...rest);
      };
      syncBuiltinESMExports();`;
    writeFileSync(preload, code);
    const ended = await repo.ralph(['run'], { preload: [preload] });
    expect(ended.code, ended.stderr).toBe(1);
    expect(ended.stderr).toContain('a bug for this test');
    expect(ended.stderr).not.toMatch(/\n\s+at /);
    expect(repo.read('.ralph/crash.log')).toMatch(/TypeError: a bug for this test\n\s+at /);
    expect(existsSync(join(repo.root, '.ralph/lock'))).toBe(false);
    const loud = await repo.ralph(['run'], { preload: [preload], env: { RALPH_DEBUG: '1' } });
    expect(loud.stderr).toMatch(/TypeError: a bug for this test\n\s+at /);
    expect((await repo.ralph(['run'])).code).toBe(0);
  });
});
