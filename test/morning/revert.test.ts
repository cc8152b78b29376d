/** The work of one item taken back: on the branch of its run alone, and nothing of a person's touched. */
import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { doneIn, planOf, play, recordsOf, story, works } from '../loop/scene.ts';
import { cliFile } from '../support/cli.ts';
import { makeRepo, type Repo } from '../support/repo.ts';

let ended: Repo | undefined;

/** US-2 builds on US-1, US-3 on nothing; made once, because a copy is quicker. */
async function afterRun(): Promise<Repo> {
  if (!ended) {
    const plan = planOf('US-1', story('US-2', { dependsOn: ['US-1'] }), 'US-3');
    ended = makeRepo({ plan, config: { gates: ['test -e README.md'] }, scenario: play({ '*': works }) });
    expect((await ended.ralph(['run'])).code).toBe(0);
  }
  return ended.copy();
}

const tip = (repo: Repo): string => repo.git('rev-parse', 'ralph/shop');
const files = (repo: Repo): string => repo.git('ls-tree', '--name-only', 'ralph/shop');

/** Everything that a person could lose: files, index, stashes, where they are. */
const mine = (repo: Repo) => [
  repo.git('status', '--porcelain'),
  repo.git('diff', 'HEAD'),
  repo.git('stash', 'list'),
  repo.git('symbolic-ref', '-q', 'HEAD'),
  repo.git('worktree', 'list'),
];

describe('ralph revert', () => {
  test('during the run refuses because it is live, not because the last one was interrupted', async () => {
    const revert = `env -u RALPH_RUN '${process.execPath}' '${cliFile}' revert US-1 > said.txt 2>&1`;
    const scenario = play({ 'US-1': works, 'US-2': { steps: [{ run: revert }] } });
    const repo = makeRepo({ plan: planOf('US-1', 'US-2'), config: { gates: ['true'] }, scenario });
    expect((await repo.run()).code).toBe(0);
    expect(repo.read('said.txt')).toMatch(/another runner works here.*\n.*ralph stop --run /);
    expect(doneIn(repo)).toEqual(['US-1', 'US-2']);
  });

  test('takes one item back beside a checkout with changes, and the next run does it again', async () => {
    const repo = await afterRun();
    const before = tip(repo);
    repo.git('switch', '-q', 'main');
    repo.write('stashed.txt', 'x');
    repo.git('stash', '-q', '--include-untracked');
    repo.write('README.md', '# Mine\n');
    repo.write('new.txt', 'mine\n');
    const there = mine(repo);
    const reverted = await repo.ralph(['revert', 'US-1', '--with-dependents', '--json']);
    expect(reverted).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(reverted.stdout)).toMatchObject({ items: ['US-1', 'US-2'], commit: tip(repo) });
    expect(mine(repo)).toEqual(there);
    expect(repo.git('rev-parse', 'ralph/shop^')).toBe(before);
    expect(files(repo)).not.toMatch(/US-[12]\.txt/);
    expect(files(repo)).toContain('US-3.txt');
    repo.git('checkout', '-qf', 'ralph/shop');
    expect(doneIn(repo)).toEqual(['US-3']);
    expect(repo.git('log', '-1', '--format=%B')).toContain(`This reverts commit ${repo.git('rev-parse', 'HEAD~3')}`);
    expect(recordsOf(repo, 'item.marked').map(({ item, to, by }) => [item, to, by])).toEqual([
      ['US-1', 'pending', 'person'],
      ['US-2', 'pending', 'person'],
    ]);

    expect(await repo.ralph(['revert', 'US-1'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('no commit of US-1'),
    });
    repo.git('clean', '-qfd', '--', 'new.txt');
    expect((await repo.run()).code).toBe(0);
    expect(doneIn(repo)).toEqual(['US-1', 'US-2', 'US-3']);
    expect(repo.git('log', '--format=%s', `${before}..ralph/shop`).split('\n')).toHaveLength(3);
  });

  test('a run that was complete is open again, so that what is printed next can be pasted', async () => {
    const plan = planOf('US-1', 'US-2');
    const repo = makeRepo({
      files: { 'a.json': JSON.stringify(plan) },
      config: { gates: ['true'] },
      scenario: play({ '*': works }),
    });
    expect((await repo.run(['a.json'])).code).toBe(0);
    expect((await repo.ralph(['status'])).stdout).toContain('Complete: every item is done');
    const reverted = await repo.ralph(['revert', 'US-2']);
    expect(reverted).toMatchObject({ code: 0, stdout: expect.stringMatching(/done again: ralph run$/m) });
    const status = (await repo.ralph(['status'])).stdout;
    expect(status).toContain('It was complete; 1 item is open now.');
    expect(status).toMatch(/^next +ralph run$/m);
    expect(JSON.parse((await repo.ralph(['status', '--json'])).stdout)).toMatchObject({ state: 'stopped' });
    expect((await repo.run()).code).toBe(0);
    expect((await repo.ralph(['status'])).stdout).toContain('Complete: every item is done');
    expect(existsSync(`${repo.root}/US-2.txt`)).toBe(true);
  });

  test('a dry run and doctor say that a run in a worktree continues there', async () => {
    const repo = makeRepo({
      plan: planOf('US-1', 'US-2'),
      config: { gates: ['true'] },
      scenario: play({ '*': works }),
    });
    expect((await repo.run(['--worktree'])).code).toBe(0);
    const [run = ''] = repo.runs();
    expect((await repo.ralph(['revert', 'US-2'])).code).toBe(0);
    const dry = (await repo.ralph(['run', '--dry-run'])).stdout;
    expect(dry).toMatch(new RegExp(`continues ${run} on branch ralph/shop, in a worktree[^]*1 {2}US-2`));
    expect(dry).not.toMatch(/\d {2}US-1/);
    expect((await repo.ralph(['doctor'])).stdout).toContain('US-2');
  });

  test('follows into a clean checkout, and finishes what was cut off before its journal knew', async () => {
    const repo = await afterRun();
    const journal = repo.read(repo.journalFile().slice(repo.root.length + 1));
    expect(await repo.ralph(['revert', 'US-3'])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('US-3: pending again'),
    });
    expect([repo.git('status', '--porcelain'), existsSync(`${repo.root}/US-3.txt`)]).toEqual(['', false]);
    expect(doneIn(repo)).toEqual(['US-1', 'US-2']);
    expect((await repo.ralph(['runs'])).stdout).toMatch(/^stopped +2 of 3 /);
    const made = tip(repo);
    repo.write(repo.journalFile().slice(repo.root.length + 1), journal);
    expect((await repo.ralph(['revert', 'US-3'])).stdout).toContain('no longer contained the work');
    expect([tip(repo), recordsOf(repo, 'item.marked').length]).toEqual([made, 1]);
  });

  test('changes nothing where others build on it, lines are in the way, or a checkout has changes', async () => {
    const repo = await afterRun();
    const before = tip(repo);
    const dependents = await repo.ralph(['revert', 'US-1']);
    expect(dependents).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('1 item that is done builds on US-1: US-2'),
    });
    expect(dependents.stderr).toContain('--with-dependents');
    repo.write('README.md', '# Mine\n');
    const there = mine(repo);
    expect(await repo.ralph(['revert', 'US-3'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('not committed; nothing was changed'),
    });
    expect([tip(repo), mine(repo)]).toEqual([before, there]);
    repo.git('checkout', '-q', 'README.md');
    repo.write('US-3.txt', 'another\n');
    repo.git('commit', '-qam', 'The same file');
    const after = tip(repo);
    expect(await repo.ralph(['revert', 'US-3'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('the same lines in 1 file: US-3.txt; nothing was changed'),
    });
    expect(await repo.ralph(['revert', 'US-9'])).toMatchObject({ code: 2, stderr: expect.stringContaining('US-9') });
    expect([tip(repo), recordsOf(repo, 'item.marked'), doneIn(repo).length]).toEqual([after, [], 3]);
    // The runner died when it had begun the third item.
    const file = repo.journalFile().slice(repo.root.length + 1);
    const lines = repo.read(file).split('\n');
    const begun = lines.findLastIndex(line => line.includes('"iteration.started"'));
    repo.write(file, `${lines.slice(0, begun + 1).join('\n')}\n`);
    expect(await repo.ralph(['revert', 'US-2'])).toMatchObject({ code: 1, stderr: expect.stringContaining('cut off') });
    expect(tip(repo)).toBe(after);
  });
});
