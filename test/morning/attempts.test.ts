/** Refs of refused attempts leave `git log --all` once a run is merged or discarded, and can be had back. */
import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { GIT } from '../loop/scene.ts';
import { makeRepo, type Repo } from '../support/repo.ts';

const plan = {
  userStories: ['US-1', 'US-2', 'US-3'].map(id => ({ id, title: `Story ${id}`, passes: false })),
};
const put = (path: string, text: string) => ({ write: { path, text } });
const scenario = {
  items: {
    'US-1': [
      { steps: [put('bad.txt', 'first try\n'), { run: `git add -A && ${GIT} commit -qm "my own words"` }] },
      { steps: [{ run: 'rm -f bad.txt' }, put('US-1.txt', 'x\n')] },
    ],
    'US-2': [{ steps: [put('bad.txt', 'never\n')] }],
    '*': [{ steps: [put('{{item}}.txt', 'x\n')] }],
  },
};

const refs = (repo: Repo, under = ''): readonly string[] =>
  repo.git('for-each-ref', '--format=%(refname)', `refs/ralph/${repo.runs()[0]}${under}`).split('\n').filter(Boolean);
/** Commits that `git log --all` shows and no branch has. */
const clutter = (repo: Repo): string => repo.git('log', '--all', '--not', '--branches', '--format=%s');
const collect = (repo: Repo) => {
  repo.git('reflog', 'expire', '--expire=now', '--all');
  repo.git('gc', '-q', '--prune=now');
};
/** The commands of the report, as a person pastes them. */
async function paste(repo: Repo): Promise<void> {
  const report = (await repo.ralph(['report'])).stdout;
  const command = report.split('\n').find(line => line.startsWith('git fetch')) ?? '';
  execFileSync('sh', ['-c', command], { cwd: repo.root, stdio: 'pipe', env: { ...process.env, HOME: repo.home } });
}

test('merge packs those of settled items away, gc takes nothing, and the report brings them back', async () => {
  const repo = makeRepo({ plan, scenario, config: { gates: ['test ! -e bad.txt'], limits: { attempts: 2 } } });
  expect((await repo.run()).code).toBe(3);
  const [run = ''] = repo.runs();
  const before = refs(repo, '/US-1');
  expect(before).toEqual([`refs/ralph/${run}/US-1/1`, `refs/ralph/${run}/US-1/1-i1-own`]);
  const open = refs(repo, '/US-2');
  expect(clutter(repo)).toContain('my own words');

  // A branch that an agent made, and left where it was.
  repo.git('update-ref', `refs/ralph/${run}/US-1/found-heads-wild`, repo.git('rev-parse', 'main'));
  // What somebody left in its place is no hindrance.
  mkdirSync(join(repo.root, '.ralph/runs', run, 'attempts.bundle.tmp', 'x'), { recursive: true });
  const merged = await repo.ralph(['merge']);
  expect(merged.code, merged.stderr).toBe(0);
  expect(merged.stdout).toContain('2 refs of refused attempts went into a file');
  expect(refs(repo)).toEqual(open);
  expect(clutter(repo)).not.toContain('my own words');

  collect(repo);
  await paste(repo);
  expect(refs(repo)).toEqual([...before, ...open]);
  expect(repo.git('show', `refs/ralph/${run}/US-1/1:bad.txt`)).toBe('first try');
  expect(repo.git('log', '-1', '--format=%s', `refs/ralph/${run}/US-1/1-i1-own`)).toBe('my own words');

  // As after a kill between the file and the refs: both are there, and the next time does the rest.
  expect((await repo.ralph(['merge'])).stdout).toContain('2 refs of refused attempts went into a file');
  expect(refs(repo)).toEqual(open);

  const gone = await repo.ralph(['discard', run]);
  expect(gone.code, gone.stderr).toBe(0);
  expect(refs(repo)).toEqual([]);
  collect(repo);
  const back = await repo.ralph(['discard', run, '--undo']);
  expect([back.code, back.stdout]).toEqual([0, expect.not.stringContaining('could not')]);
  expect(refs(repo)).toEqual([...before, ...open]);
  expect(repo.git('show', `refs/ralph/${run}/US-2/2:bad.txt`)).toBe('never');
});

test('refs to nothing but what the run began with are no reason for a bundle, or for a complaint', async () => {
  const repo = makeRepo({
    plan,
    scenario: { items: { '*': [{ steps: [put('{{item}}.txt', 'x\n'), { run: 'git branch -f wild' }] }] } },
    config: { gates: ['true'] },
  });
  expect((await repo.run()).code).toBe(0);
  expect(refs(repo)).not.toEqual([]);
  const first = repo.git('rev-parse', 'main');
  for (const ref of refs(repo)) repo.git('update-ref', ref, first);
  const merged = await repo.ralph(['merge']);
  expect(merged.code, merged.stderr).toBe(0);
  expect(merged.stdout).not.toContain('refs of refused attempts');
  expect(refs(repo)).toEqual([]);
});
