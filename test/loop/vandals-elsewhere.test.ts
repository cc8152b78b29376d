/** The same promises in a worktree, over a runner's death, and for what is the person's own. */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeRepo, type Repo } from '../support/repo.ts';
import { type Entry, GIT, planOf, play, recordsOf, runs, verdictsIn, works } from './scene.ts';

const KILL = `touch ../outside/once; kill -9 $(sed 's/.*"pid":\\([0-9]*\\).*/\\1/' .ralph/lock)`;
const SING =
  'printf "#!/bin/sh\\ntouch $PWD/../outside/sang\\ncat\\n" > ../outside/canary && chmod +x ../outside/canary';

/** The first process does this and dies with the runner; the next one works. */
const once = (...commands: readonly string[]): Entry =>
  runs(`if test ! -f ../outside/once; then ${commands.join('\n')}\nsleep 30; fi`, 'echo US-2 > US-2.txt');

function scene(act: Entry | readonly Entry[], config: Entry = {}): Repo {
  return makeRepo({
    plan: planOf('US-1', 'US-2', 'US-3'),
    config: { gates: ['true'], ...config },
    scenario: play({ 'US-1': works, 'US-2': act, 'US-3': works }),
  });
}

function expectAllDone(repo: Repo, branch: string): void {
  expect(recordsOf(repo, 'run.finished').at(-1)?.reason).toBe('complete');
  for (const item of ['US-1', 'US-2', 'US-3']) expect(repo.git('show', `${branch}:${item}.txt`)).toBe(item);
  expect(repo.git('fsck', '--full', '--no-dangling', '--no-progress')).toBe('');
}

describe.concurrent('an agent in a worktree', () => {
  test.for([
    ['deletes the pointer to its git directory', ['rm -f .git']],
    ['deletes its own git directory', ['rm -rf "$(git rev-parse --git-dir)"']],
    ['deletes the whole git directory', ['rm -rf "$(git rev-parse --git-common-dir)"']],
    ['makes the pointer a repository of its own', ['rm -f .git && git init -q']],
    ['deletes the branch of the person', ['git update-ref -d refs/heads/main']],
  ] as const)('that %s changes nothing', async ([, commands]) => {
    const repo = scene(runs(...commands, 'echo US-2 > US-2.txt'), { workspace: 'worktree' });
    const before = repo.git('rev-parse', 'main');
    const { code, stdout } = await repo.ralph(['run']);
    expect(code, stdout).toBe(0);
    expectAllDone(repo, 'ralph/shop');
    expect(repo.git('rev-parse', 'main')).toBe(before);
    expect(repo.git('symbolic-ref', 'HEAD')).toBe('refs/heads/main');
    expect(repo.git('status', '--porcelain')).toBe('');
  });

  test('is not taken for the person who commits in their own checkout meanwhile', async () => {
    const top = '"$(git rev-parse --git-common-dir)/.."';
    const person = `cd ${top} && ${GIT} commit -q --allow-empty -m theirs && ${GIT} checkout -qb theirs && ${GIT} commit -q --allow-empty -m more`;
    const repo = scene(runs(person, 'echo US-2 > US-2.txt'), { workspace: 'worktree' });
    const { code, stdout } = await repo.ralph(['run']);
    expect(code, stdout).toBe(0);
    expect(repo.git('log', '--format=%s', '-2', 'theirs')).toBe('more\ntheirs');
    expect(repo.git('symbolic-ref', 'HEAD')).toBe('refs/heads/theirs');
  });
});

test('filters planted in a submodule are not run by the runner', async () => {
  const repo = scene(
    runs(
      SING,
      'git -C sub config filter.f.clean "$PWD/../outside/canary"',
      'mkdir -p .git/modules/sub/info && echo "* filter=f" > .git/modules/sub/info/attributes',
      'touch sub/README.md',
      'echo US-2 > US-2.txt',
    ),
  );
  repo.git('clone', '-q', '.', '../outside/lib');
  repo.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', '../outside/lib', 'sub');
  repo.git('commit', '-qm', 'Submodule');
  const { code, stdout } = await repo.ralph(['run']);
  expect(code, stdout).toBe(0);
  expect(existsSync(join(repo.outside, 'sang'))).toBe(false);
});

describe.concurrent('an agent that kills the runner', () => {
  test('after it deleted .git loses nothing: the next run rebuilds it', async () => {
    const repo = scene(once('rm -rf .git', KILL));
    const main = repo.git('rev-parse', 'main');
    expect((await repo.ralph(['run'])).signal).toBe('SIGKILL');
    expect(existsSync(join(repo.root, '.git'))).toBe(false);
    const { code, stdout } = await repo.ralph(['run']);
    expect(code, stdout).toBe(0);
    expect(stdout).toMatch(/git directory of .* was gone; it was rebuilt/);
    expectAllDone(repo, 'HEAD');
    expect(repo.git('rev-parse', 'main')).toBe(main);
  });

  test('after it planted a filter does not get it run by the next runner', async () => {
    const plant =
      'git config filter.f.clean "$PWD/../outside/canary" && mkdir -p .git/info && echo "* filter=f" > .git/info/attributes';
    const mine = 'git config --global filter.f.clean "$PWD/../outside/canary"';
    const repo = scene(once(SING, plant, mine, 'rm -f ../outside/sang', 'echo x > y.txt', KILL));
    writeFileSync(join(repo.home, '.gitconfig'), '[user]\n\tname = P\n\temail = p@example.org\n');
    expect((await repo.ralph(['run'])).signal).toBe('SIGKILL');
    const { code, stdout } = await repo.ralph(['run']);
    expect(code, stdout).toBe(0);
    expect(stdout).toMatch(/filter\.f\.clean.*info\/attributes/);
    expect(existsSync(join(repo.outside, 'sang'))).toBe(false);
    rmSync(join(repo.home, '.gitconfig'));
    expectAllDone(repo, 'HEAD');
  });
});

describe.concurrent("what is the person's own", () => {
  test('filters, set up before the run, go on working', async () => {
    const repo = scene(runs('echo US-2 > US-2.txt', 'echo loud > speech.txt'));
    writeFileSync(join(repo.home, 'included'), '[filter "shout"]\n\tclean = tr a-z A-Z\n\tsmudge = tr A-Z a-z\n');
    writeFileSync(join(repo.home, '.gitconfig'), '[include]\n\tpath = included\n');
    repo.write('.gitattributes', 'speech.txt filter=shout\n');
    repo.git('add', '-A');
    repo.git('commit', '-qm', 'Attributes');
    const { code, stdout } = await repo.ralph(['run']);
    expect(code, stdout).toBe(0);
    expect(repo.git('cat-file', '-p', 'HEAD:speech.txt')).toBe('LOUD');
  });

  test('hooks and settings are as they were, and what was found is kept', async () => {
    const repo = scene(runs('echo mine > .git/hooks/pre-push', 'git config user.name Mallory', 'echo US-2 > US-2.txt'));
    const hook = join(repo.root, '.git', 'hooks', 'pre-push');
    mkdirSync(join(repo.root, '.git', 'hooks'), { recursive: true });
    writeFileSync(hook, 'theirs\n', { mode: 0o755 });
    const { code, stdout } = await repo.ralph(['run']);
    expect(code, stdout).toBe(0);
    expect(readFileSync(hook, 'utf8')).toBe('theirs\n');
    expect(() => repo.git('config', '--local', 'user.name')).toThrow(/Command failed/);
    const found = join(repo.root, '.ralph', 'runs', repo.runs()[0] ?? '', 'found');
    expect(readFileSync(join(found, 'hooks-pre-push'), 'utf8')).toBe('mine\n');
    expect(readFileSync(join(found, 'git-config'), 'utf8')).toContain('Mallory');
    expect(verdictsIn(repo)).toHaveLength(3);
  });

  test('memory of earlier runs outlives git clean -fdx', async () => {
    const repo = scene(runs('git clean -fdxq', 'echo US-2 > US-2.txt'));
    repo.write('.ralph/.gitignore', '*\n');
    repo.write('.ralph/pin.md', '# Pin\n');
    const { code, stdout } = await repo.ralph(['run']);
    expect(code, stdout).toBe(0);
    expect(repo.read('.ralph/pin.md')).toBe('# Pin\n');
    expect(repo.read('.ralph/progress.md')).toMatch(/US-1[\s\S]*US-3/);
    expect(repo.git('status', '--porcelain')).toBe('');
  });
});
