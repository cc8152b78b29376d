/** `push: each | end`: the run's own branch, with a lease, never in the way of the work. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { agentsIn, GIT, planOf, planText, play, recordsOf, runs } from '../loop/scene.ts';
import { paste } from '../support/paste.ts';
import { makeRepo, type Repo } from '../support/repo.ts';
import { until } from '../support/until.ts';

const withRemote = (push: unknown, scenario: Record<string, ReturnType<typeof runs>>): Repo => {
  const repo = makeRepo({ plan: planOf('US-1', 'US-2'), config: { gates: ['true'], push }, scenario: play(scenario) });
  execFileSync('git', ['init', '-q', '--bare', join(repo.outside, 'origin.git')]);
  repo.git('remote', 'add', 'origin', join(repo.outside, 'origin.git'));
  repo.git('push', '-q', 'origin', 'main');
  return repo;
};
const works = runs('echo {{item}} > {{item}}.txt');
const atRemote = (repo: Repo, ref: string) => repo.git('ls-remote', 'origin', ref).split('\t')[0] ?? '';
const pushes = (repo: Repo) =>
  repo.journal().flatMap(record => (record.type === 'branch.pushed' ? [record.why ?? record.commit] : []));

describe('push', () => {
  test('each: what was accepted, not what the agent put on the branch; an own push of the agent is named', async () => {
    const repo = withRemote('each', {
      'US-1': works,
      'US-2': runs(
        'echo two > US-2.txt',
        `git config remote.origin.pushurl /nowhere; git config core.sshCommand 'touch $OWNED'; git config --unset remote.origin.pushurl; ${GIT} add -A && ${GIT} commit -qm own && ${GIT} push -q origin HEAD:refs/heads/sneaky && ${GIT} push -q origin HEAD:refs/heads/main`,
      ),
    });
    const ended = await repo.ralph(['run']);
    expect(ended.code).toBe(0);
    expect(atRemote(repo, 'refs/heads/ralph/shop')).toBe(repo.git('rev-parse', 'ralph/shop'));
    expect(pushes(repo).at(-1)).toBe(repo.git('rev-parse', 'ralph/shop'));
    expect(ended.stdout).toContain('origin changed, and not by this run: refs/heads/main');
    const report = (await repo.ralph(['report'])).stdout;
    expect(report).toMatch(
      /## At the remote\n\nralph\/shop is at origin up to `[0-9a-f]{7}`\.\n\nMoved during the run, and not by it:\n\n- `refs\/heads\/main` was `[0-9a-f]{7}`, is `[0-9a-f]{7}`\n- `refs\/heads\/sneaky` was not there, is `[0-9a-f]{7}`\n/,
    );
    expect(ended.stdout).not.toMatch(/refs\/remotes\/origin\/ralph\/shop was/);
  });

  test('a remote that moved is not overwritten: said, and the run goes on, or stops as configured', async () => {
    const other = `${GIT} push -q $ORIGIN $(${GIT} commit-tree -m other HEAD^{tree}):refs/heads/ralph/shop --force`;
    const repo = withRemote({ when: 'end' }, { 'US-1': works, 'US-2': runs(other, 'echo two > US-2.txt') });
    const env = { ORIGIN: join(repo.outside, 'origin.git') };
    expect((await repo.ralph(['run', '--once'], { env })).code).toBe(1);
    expect(pushes(repo)).toEqual([repo.git('rev-parse', 'ralph/shop')]);
    const ended = await repo.ralph(['run'], { env });
    expect(ended.code).toBe(0);
    expect(ended.stdout).toContain(
      'ralph/shop of origin is not where this run left it: somebody else, or an agent, pushed to it',
    );
    expect(ended.stdout).toContain('git fetch origin && git log origin/ralph/shop');
    expect(repo.git('ls-remote', 'origin', 'refs/heads/ralph/shop')).not.toContain(repo.git('rev-parse', 'ralph/shop'));

    const gone = withRemote({ when: 'each', 'on-failure': 'stop' }, { '*': works });
    renameSync(join(gone.outside, 'origin.git'), join(gone.outside, 'elsewhere.git'));
    const stopped = await gone.ralph(['run']);
    expect(stopped.code).toBe(3);
    expect(stopped.stdout).toMatch(
      /ralph\/shop could not be pushed: origin \(.*origin\.git\) cannot be reached\. Try: git ls-remote origin/,
    );
    expect(gone.git('ls-tree', '--name-only', 'ralph/shop')).toContain('US-1.txt');
    expect(stopped.stdout).toContain('A person is needed: the run cannot go on (ralph/shop could not be pushed');
    expect(stopped.stdout).not.toContain('blocked');
    expect((await gone.ralph(['review'])).stdout).toMatch(/look at {2}Not pushed: origin \(.*\) cannot be reached/);
    expect(existsSync(join(gone.root, 'archives'))).toBe(false);
  });

  test('a branch that the remote had before: why it is refused, and where it was, are told as they are', async () => {
    const onBranch = (scenario: Record<string, ReturnType<typeof runs>>) => {
      const repo = withRemote('each', scenario);
      repo.git('checkout', '-q', '-b', 'sprint-1');
      repo.git('push', '-q', 'origin', 'sprint-1');
      return repo;
    };
    const refused = onBranch({ '*': works });
    const hook = join(refused.outside, 'origin.git', 'hooks', 'pre-receive');
    mkdirSync(dirname(hook), { recursive: true });
    writeFileSync(hook, '#!/bin/sh\necho closed for the night >&2; exit 1\n', { mode: 0o755 });
    const ended = await refused.ralph(['run']);
    expect([ended.code, ended.stdout]).toEqual([0, expect.stringContaining('not pushed: origin refused it')]);
    expect(ended.stdout.match(/pushed {5}not: /g)).toHaveLength(1);
    expect(ended.stdout).not.toContain('somebody else');
    expect(ended.stdout).not.toContain('origin changed');

    const older = withRemote('each', { '*': works });
    older.git(
      'push',
      '-q',
      'origin',
      `${older.git('commit-tree', '-m', 'older', 'HEAD^{tree}')}:refs/heads/ralph/shop`,
    );
    const { stdout } = await older.ralph(['run']);
    expect(stdout).toContain('not pushed: ralph/shop of origin has commits of before this run that are not in it');
    older.git('fetch', '-q', 'origin');
    expect((await paste(older, /To replace them: (.*)$/m.exec(stdout)?.[1] ?? 'false')).code).toBe(0);
    expect(atRemote(older, 'refs/heads/ralph/shop')).toBe(older.git('rev-parse', 'ralph/shop'));

    const own = `${GIT} commit -q --allow-empty -m own && ${GIT} push -q origin HEAD:refs/heads/sprint-1`;
    const moved = onBranch({ '*': runs(own, 'echo {{item}} > {{item}}.txt') });
    const before = atRemote(moved, 'refs/heads/sprint-1');
    expect((await moved.ralph(['run', '--once'])).stdout).toContain(
      `refs/heads/sprint-1 ${before.slice(0, 7)} -> ${atRemote(moved, 'refs/heads/sprint-1').slice(0, 7)}`,
    );
  });

  test("each: a push that no record tells of, because its runner died, is in nobody's way", async () => {
    const repo = withRemote('each', { '*': works });
    expect((await repo.ralph(['run', '--once'])).code).toBe(1);
    const first = pushes(repo);
    // As if the runner had died after the second push, before its record.
    const second = repo.git('commit-tree', '-m', 'accepted', '-p', 'ralph/shop', 'ralph/shop^{tree}');
    repo.git('update-ref', 'refs/heads/ralph/shop', second);
    repo.git('push', '-q', 'origin', 'ralph/shop');
    const ended = await repo.ralph(['run']);
    expect(ended.code, ended.stdout).toBe(0);
    expect(ended.stdout).not.toContain('is not where this run left it');
    expect(pushes(repo)).toEqual([...first, repo.git('rev-parse', 'ralph/shop')]);
    expect(atRemote(repo, 'refs/heads/ralph/shop')).toBe(repo.git('rev-parse', 'ralph/shop'));
  });

  test("each: what other runs beside it push is not called a stranger's", async () => {
    const gate = 'while ! test -e $OUTSIDE/go; do sleep 0.05; done';
    const repo = withRemote('each', { 'US-1': runs('touch $OUTSIDE/at-work', gate, 'echo 1 > 1.txt'), '*': works });
    repo.write('other.json', planText('Other', 'O-1'));
    const env = { OUTSIDE: repo.outside };
    const running = repo.start(['run', 'prd.json', '--worktree'], { env });
    await until(() => existsSync(join(repo.outside, 'at-work')));
    const other = await repo.ralph(['run', 'other.json', '--worktree'], { env });
    expect(other.code, other.stdout + other.stderr).toBe(0);
    repo.git('push', '-q', 'origin', 'main:refs/heads/strange');
    repo.write('../outside/go', '');
    const { code, stdout } = await running.ended;
    expect(code, stdout).toBe(0);
    expect(atRemote(repo, 'refs/heads/ralph/other')).toBe(repo.git('rev-parse', 'ralph/other'));
    expect(stdout).toMatch(/origin changed, and not by this run: refs\/heads\/strange new -> [0-9a-f]+\n/);
  });

  test.each(['each', 'end'] as const)(
    '%s, on-failure: stop: not complete until the last item is pushed',
    async when => {
      const repo = withRemote({ when, 'on-failure': 'stop' }, { '*': works });
      const [here, elsewhere] = [join(repo.outside, 'origin.git'), join(repo.outside, 'elsewhere.git')];
      const first = await repo.ralph(['run', '--once']);
      expect(first.code).toBe(1);
      renameSync(here, elsewhere);
      const stopped = await repo.ralph(['run']);
      expect([stopped.code, recordsOf(repo, 'run.finished').at(-1)?.reason]).toEqual([3, 'halted']);
      renameSync(elsewhere, here);
      const ended = await repo.ralph(['run']);
      expect([ended.code, agentsIn(repo)]).toEqual([0, 2]);
      expect(atRemote(repo, 'refs/heads/ralph/shop')).toBe(repo.git('rev-parse', 'ralph/shop'));
    },
  );
});
