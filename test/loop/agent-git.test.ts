/** An agent may do to git what it likes: what counts is the tree. */
import { describe, expect, test } from 'vitest';
import { makeRepo, type Repo } from '../support/repo.ts';
import { GIT, planOf, play, recordsOf, runs, verdictsIn, works } from './scene.ts';

const WORK = 'echo work > work.txt';

const tricks: readonly { readonly name: string; readonly commands: readonly string[]; readonly said?: RegExp }[] = [
  { name: 'commits by itself', commands: [WORK, `git add -A && ${GIT} commit -qm mine`], said: /committed by itself/ },
  {
    name: 'amends the last commit',
    commands: [WORK, `git add -A && ${GIT} commit -q --amend -m theirs`],
    said: /committed by itself/,
  },
  { name: 'switches to a branch of its own', commands: ['git checkout -qb side', WORK], said: /left the branch/ },
  {
    name: 'commits on a branch of its own',
    commands: [`git checkout -qb side`, WORK, `git add -A && ${GIT} commit -qm mine`],
    said: /left the branch/,
  },
  { name: 'detaches HEAD', commands: ['git checkout -q --detach', WORK], said: /left the branch/ },
  {
    name: 'resets to an earlier commit',
    commands: ['git reset -q --soft HEAD~1', WORK],
    said: /committed by itself|moved/,
  },
  {
    name: 'deletes the branch',
    commands: [WORK, 'git checkout -q --detach && git branch -qD ralph/shop'],
    said: /deleted the branch/,
  },
  {
    name: 'deletes all refs to it',
    commands: [WORK, 'git update-ref -d refs/heads/ralph/shop'],
    said: /deleted the branch/,
  },
  { name: 'only stages', commands: [WORK, 'git add -A'] },
  { name: 'stashes something', commands: ['echo x > README.md', `${GIT} stash -q`, WORK] },
  { name: 'leaves an index lock behind', commands: [WORK, 'touch .git/index.lock'] },
  { name: 'packs the refs', commands: [WORK, 'git pack-refs --all --prune && git gc -q'] },
];

describe.concurrent('an agent that', () => {
  test.for(tricks)('$name does not confuse the runner', async ({ commands, said }) => {
    const repo = trickedRepo(runs(...commands));
    const { code, stdout } = await repo.run();
    expect(code, stdout).toBe(0);
    expect(verdictsIn(repo)).toEqual(['US-1 accepted', 'US-2 accepted']);
    if (said) expect(stdout).toMatch(said);
    expectClean(repo);
    expect(repo.git('show', 'HEAD:work.txt')).toBe('work');
    expect(repo.git('show', 'HEAD:US-2.txt')).toBe('US-2');
  });

  test('leaves a merge half done has it ended, and its conflict markers are work like any other', async () => {
    const repo = trickedRepo(
      runs(
        `git checkout -qb side && echo side > both.txt && git add -A && ${GIT} commit -qm side`,
        `git checkout -q ralph/shop && echo here > both.txt && git add -A && ${GIT} commit -qm here`,
        `${GIT} merge side`,
      ),
    );
    const { code, stdout } = await repo.run();
    expect(code, stdout).toBe(0);
    expect(stdout).toMatch(/half-done operation \(MERGE_HEAD\)/);
    expectClean(repo);
    expect(repo.git('show', 'HEAD~1:both.txt')).toContain('<<<<<<<');
  });

  test('rebases half way has that ended', async () => {
    const repo = trickedRepo(runs(WORK, 'git add -A', `${GIT} commit -qm a`, `${GIT} rebase -q --exec false HEAD~1`));
    const { code, stdout } = await repo.run();
    expect(code, stdout).toBe(0);
    expect(stdout).toMatch(/half-done operation \(rebase-merge\)/);
    expectClean(repo);
  });

  test('commits in a rejected attempt has its commits kept under a ref', async () => {
    const repo = makeRepo({
      plan: planOf('US-1'),
      config: { gates: ['! test -f bad.txt'] },
      scenario: play({
        'US-1': [
          runs('echo bad > bad.txt', `git add -A && ${GIT} commit -qm "my own words"`),
          runs('rm bad.txt', WORK),
        ],
      }),
    });
    const { code } = await repo.run();
    expect(code).toBe(0);
    expect(repo.git('log', '--format=%s', 'HEAD')).not.toContain('my own words');
    expect(repo.git('for-each-ref', '--format=%(subject)', 'refs/ralph')).toContain('my own words');
  });

  test.for([
    { name: 'switches to the branch that the run came from', commands: ['git checkout -q main', WORK] },
    { name: 'resets away what was accepted', commands: ['git reset -q --hard HEAD~1', WORK] },
    {
      name: 'switches to a branch that has gone on',
      commands: [`git checkout -q main && echo new > new.txt && git add -A && ${GIT} commit -qm New`, WORK],
    },
  ])('$name does not take back what was accepted', async ({ commands }) => {
    const repo = makeRepo({
      plan: planOf('US-1', 'US-2'),
      config: { gates: ['true'] },
      scenario: play({ 'US-1': works, 'US-2': runs(...commands) }),
    });
    const { code, stdout } = await repo.run();
    expect(code, stdout).toBe(0);
    expect(stdout).toMatch(/its work was brought back onto/);
    expect(stdout).not.toMatch(/the agent changed what is the runner/);
    expect(repo.git('show', 'HEAD:work.txt')).toBe('work');
    expect(repo.git('show', 'HEAD:US-1.txt')).toBe('US-1');
    expect(repo.git('diff', '--name-only', '--diff-filter=D', 'HEAD~1', 'HEAD')).toBe('');
    expect(repo.git('status', '--porcelain')).toBe('');
  });

  test('works on an older commit, on lines that were accepted since, has its work kept and is asked again', async () => {
    const repo = makeRepo({
      plan: planOf('US-1', 'US-2'),
      config: { gates: ['true'] },
      scenario: play({
        'US-1': runs('echo first > both.txt'),
        'US-2': [runs('git checkout -q main', 'echo second > both.txt'), runs('echo second >> both.txt')],
      }),
    });
    const { code, stdout } = await repo.run();
    expect(code, stdout).toBe(0);
    expect(stdout).toMatch(/does not fit \w+ in both\.txt; it is under refs\/ralph/);
    expect(repo.git('show', 'HEAD:both.txt')).toBe('first\nsecond');
    const [kept = ''] = repo.git('for-each-ref', '--format=%(refname)', 'refs/ralph/**/1-i2-astray').split('\n');
    expect(repo.git('show', `${kept}:both.txt`)).toBe('second');
  });

  test('plants hooks and aliases does not get them run by the runner', async () => {
    const hook = 'printf "#!/bin/sh\\ntouch ../outside/hooked\\n" > .git/hooks/post-commit';
    const repo = trickedRepo(
      runs(
        WORK,
        `mkdir -p .git/hooks && ${hook} && chmod +x .git/hooks/post-commit && cp .git/hooks/post-commit .git/hooks/reference-transaction`,
        'git config core.hooksPath .git/hooks',
        'git config core.fsmonitor "touch ../outside/hooked"',
      ),
    );
    const { code } = await repo.run();
    expect(code).toBe(0);
    expect(repo.git('-c', 'core.fsmonitor=false', 'status', '--porcelain')).toBe('');
    expect(() => repo.read('../outside/hooked')).toThrow(/ENOENT/);
  });
});

/** US-1 is the trick, US-2 is honest work after it. */
function trickedRepo(trick: Readonly<Record<string, unknown>>): Repo {
  const repo = makeRepo({
    plan: planOf('US-1', 'US-2'),
    config: { gates: ['true'] },
    scenario: play({ 'US-1': trick, 'US-2': works }),
  });
  repo.write('second.txt', 'so that there is something to reset to\n');
  repo.git('add', '-A');
  repo.git('commit', '-qm', 'Second');
  return repo;
}

function expectClean(repo: Repo): void {
  expect(repo.git('symbolic-ref', 'HEAD')).toBe('refs/heads/ralph/shop');
  expect(repo.git('rev-list', '--count', 'main..HEAD')).toBe('2');
  expect(repo.git('log', '--format=%s', '-2', 'main')).toBe('Second\nStart');
  expect(repo.git('status', '--porcelain')).toBe('');
  expect(recordsOf(repo, 'run.finished')[0]?.reason).toBe('complete');
}
