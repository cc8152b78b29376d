/** Repositories in which a run cannot work: one true sentence, and a step that helps when it is pasted. */
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { planOf, planText, play, works } from '../loop/scene.ts';
import { paste } from '../support/paste.ts';
import { makeRepo, type Repo } from '../support/repo.ts';

const RUN = ['--no-sandbox'];
const plain = (): Repo =>
  makeRepo({ plan: planOf('US-1'), config: { gates: ['true'] }, scenario: play({ '*': works }) });

describe.concurrent('a run is refused, and the step that is named helps,', () => {
  /** The command at the end of a hint. */
  const stepIn = (text: string): string => /(?:with: |^ *(?=echo ))(.+)$/m.exec(text)?.[1] ?? 'false';

  const commits = (repo: Repo, ...texts: readonly string[]) => {
    for (const text of texts) {
      repo.write('line.txt', `${text}\n`);
      repo.git('add', 'line.txt');
      repo.git('commit', '-qm', text);
    }
  };
  /** Git ends with 1 where there is a conflict. */
  const inConflict = (repo: Repo, ...args: readonly string[]) => {
    try {
      repo.git(...args);
    } catch {
      return;
    }
    throw new Error('there was no conflict');
  };

  test('where the only plan is in the folder below the root', async () => {
    const repo = makeRepo({
      files: { 'packages/a/prd.json': planText('Shop', 'US-1') },
      config: { gates: ['true'] },
      scenario: play({ '*': works }),
    });
    const cwd = join(repo.root, 'packages', 'a');
    for (const command of ['run', 'check']) {
      const { code, stderr } = await repo.ralph([command], { cwd });
      expect([code, stderr]).toEqual([2, expect.stringContaining('no plan was found here')]);
      expect(stderr).toContain('Is it this one? ralph run prd.json');
    }
    expect((await repo.ralph(['run', 'prd.json', '--no-sandbox'], { cwd })).code).toBe(0);
  });

  const halfDone: Readonly<Record<string, (repo: Repo) => void>> = {
    'a bisect': repo => {
      commits(repo, 'one', 'two', 'three', 'four');
      repo.git('bisect', 'start', 'HEAD', 'HEAD~3');
    },
    'git am': repo => {
      repo.git('config', 'user.name', 'A Person');
      repo.git('config', 'user.email', 'person@example.org');
      commits(repo, 'one', 'two');
      const patch = repo.git('format-patch', '-1', '-o', repo.outside);
      repo.git('reset', '-q', '--hard', 'HEAD~1');
      commits(repo, 'another');
      inConflict(repo, 'am', patch);
    },
    'a cherry-pick': repo => {
      commits(repo, 'one', 'two', 'three');
      repo.git('switch', '-qc', 'other', 'HEAD~2');
      commits(repo, 'another');
      inConflict(repo, 'cherry-pick', 'main~1', 'main');
      repo.git('checkout', '--theirs', 'line.txt');
      // From here on only `sequencer` tells of it.
      repo.git('commit', '-qam', 'resolved');
    },
  };

  test.each(Object.entries(halfDone))('while %s is half done', async (what, begin) => {
    const repo = plain();
    begin(repo);
    const { code, stderr } = await repo.run(RUN);
    expect(code).toBe(4);
    expect(stderr).toContain(`${what} is half done in this repository`);
    const ended = await paste(repo, stepIn(stderr));
    expect(ended.code, ended.stderr).toBe(0);
    const again = await repo.run(RUN);
    expect(again.code, again.stderr).toBe(0);
  });

  test('a merge into a branch whose checkout is in the middle of git am', async () => {
    const repo = plain();
    expect((await repo.run([...RUN, '--worktree'])).code).toBe(0);
    commits(repo, 'zero');
    halfDone['git am']?.(repo);
    const before = repo.git('rev-parse', 'main');
    const merged = await repo.ralph(['merge']);
    expect(merged.code).toBe(1);
    expect(merged.stderr).toContain(`git am is half done in ${repo.root}`);
    expect(repo.git('rev-parse', 'main')).toBe(before);
    expect((await paste(repo, stepIn(merged.stderr))).code).toBe(0);
    expect((await repo.ralph(['merge'])).code).toBe(0);
  });

  test('a merge in a partial clone that lacks a file of the other branch', async () => {
    const repo = plain();
    repo.write('line.txt', 'one\n');
    repo.git('add', '-A');
    repo.git('commit', '-qm', 'one');
    const origin = join(repo.outside, 'origin');
    repo.git('clone', '-q', '--bare', repo.root, origin);
    repo.git('-C', origin, 'config', 'uploadpack.allowFilter', 'true');
    repo.git('-C', origin, 'config', 'uploadpack.allowAnySHA1InWant', 'true');
    const clone = join(repo.root, '../clone');
    repo.git('clone', '-q', '--filter=blob:none', `file://${origin}`, clone);
    const run = await repo.ralph(['run', '--worktree', ...RUN], { cwd: clone });
    expect(run.code, run.stderr).toBe(0);
    repo.write('line.txt', 'two\n');
    repo.git('commit', '-qam', 'two');
    repo.git('push', '-q', origin, 'main');
    repo.git('-C', clone, 'checkout', '-q', '--detach');
    repo.git('-C', clone, 'fetch', '-q');
    repo.git('-C', clone, 'update-ref', 'refs/heads/main', 'origin/main');
    const merged = await repo.ralph(['merge'], { cwd: clone });
    expect(merged.code).toBe(1);
    const step = /try again: (git .+)$/m.exec(merged.stderr)?.[1] ?? 'false';
    expect((await paste(repo, step, '../clone')).code, merged.stderr).toBe(0);
    expect((await repo.ralph(['merge'], { cwd: clone })).code).toBe(0);
  });

  test('beside a repository that git does not ignore', async () => {
    const repo = plain();
    repo.write("it's mine/file", 'mine\n');
    repo.git('init', '-q', "it's mine");
    const { code, stderr } = await repo.run(RUN);
    expect(code).toBe(4);
    expect(stderr).toContain("it's mine/ is a repository of its own");
    expect(stderr).not.toContain('stash --include');
    const ended = await paste(repo, stepIn(stderr));
    expect(ended.code, ended.stderr).toBe(0);
    const again = await repo.run(RUN);
    expect(again.code, again.stderr).toBe(0);
    expect(repo.read("it's mine/file")).toBe('mine\n');
  });

  test('below a folder with a line break in its name', async () => {
    const repo = plain();
    const odd = join(repo.outside, 'a\nb');
    mkdirSync(odd);
    repo.git('clone', '-q', repo.root, odd);
    const { code, stderr } = await repo.ralph(['run', ...RUN], { cwd: odd });
    expect(code).toBe(4);
    expect(stderr).toContain('has a line break in it');
  });

  test('where the only config is in a folder below the root', async () => {
    const repo = makeRepo({
      files: {
        'packages/shop/prd.json': planText('Shop', 'US-1'),
        'packages/shop/ralph.json': '{"gates":["false"]}\n',
      },
    });
    const cwd = join(repo.root, 'packages/shop');
    const { code, stderr } = await repo.ralph(['run', 'prd.json', ...RUN], { cwd });
    expect(code).toBe(2);
    expect(stderr).toContain('ralph.json is not read: the config of a repository is at its root');
    expect(stderr).toContain('cd packages/shop && ');
    expect((await paste(repo, /(mv .+)$/m.exec(stderr)?.[1] ?? 'false', 'packages/shop')).code).toBe(0);
    expect(existsSync(join(repo.root, 'ralph.json'))).toBe(true);
  });
});
