/** The work of a run into the branch it came from: proven first, and nothing of a person's touched. */
import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { doneIn, planOf, play, story, works } from '../loop/scene.ts';
import { makeRepo, type Repo } from '../support/repo.ts';

async function afterRun(
  gates: readonly string[] = ['test -e README.md'],
  flags: readonly string[] = [],
): Promise<Repo> {
  const repo = makeRepo({ plan: planOf('US-1', 'US-2'), config: { gates }, scenario: play({ '*': works }) });
  expect((await repo.run([...flags])).code).toBe(0);
  return repo;
}

let ended: Repo | undefined;

/** After a run with a gate that passes; made once, because a copy is quicker. */
async function afterPlainRun(): Promise<Repo> {
  ended ??= await afterRun();
  return ended.copy();
}

const tip = (repo: Repo, branch: string): string => repo.git('rev-parse', branch);

/** Everything that a person could lose: files, index, branches, stashes. */
const mine = (repo: Repo) => [
  repo.git('status', '--porcelain'),
  repo.git('diff', 'HEAD'),
  repo.git('stash', 'list'),
  repo.git('symbolic-ref', '-q', 'HEAD'),
];

describe('ralph merge', () => {
  test('moves the branch forward once the gates are green, and says so', async () => {
    const repo = await afterPlainRun();
    const [run = ''] = repo.runs();
    const work = tip(repo, 'ralph/shop');
    const merged = await repo.ralph(['merge', run]);
    expect(merged).toMatchObject({ code: 0, stdout: expect.stringContaining('Merged ralph/shop into main (2 items)') });
    expect(merged.stdout).toContain('Green on the merged tree: test -e README.md');
    expect(tip(repo, 'main')).toBe(work);
    expect((await repo.ralph(['merge'])).stdout).toContain('main holds all of ralph/shop already');
  });

  test('a run of the plan after that has nothing to merge, and names no worktree', async () => {
    const repo = await afterRun(['true'], ['--worktree']);
    const open = (await repo.run()).stdout;
    expect(open).toContain('  worktree  ');
    expect(open).toContain('ralph merge');
    expect((await repo.ralph(['merge'])).code).toBe(0);
    const { code, stdout } = await repo.run();
    expect(code).toBe(0);
    expect(stdout).toContain('Complete: every item is done');
    expect(stdout).not.toContain('worktree');
    expect(stdout).not.toContain('ralph merge');
    const [, log = ''] = /(git log [^#]*)#/.exec(stdout) ?? [];
    expect(repo.git(...log.trim().split(' ').slice(1)).split('\n')).toHaveLength(2);
  });

  test('makes a merge commit where both went on, and follows into a clean checkout', async () => {
    const repo = await afterPlainRun();
    repo.git('switch', '-q', 'main');
    repo.write('mine.txt', 'mine\n');
    repo.git('add', 'mine.txt');
    repo.git('commit', '-qm', 'Mine');
    const before = tip(repo, 'main');
    const merged = JSON.parse((await repo.ralph(['merge', 'ralph/shop', '--json'])).stdout) as { how: string };
    expect(merged.how).toBe('merge-commit');
    expect(repo.git('rev-parse', 'main^1')).toBe(before);
    expect(repo.git('rev-parse', 'main^2')).toBe(tip(repo, 'ralph/shop'));
    expect(repo.git('log', '-1', '--format=%s%n%b', 'main')).toContain('- US-1 Story US-1');
    expect(repo.git('status', '--porcelain')).toBe('');
    expect([existsSync(`${repo.root}/US-1.txt`), existsSync(`${repo.root}/mine.txt`)]).toEqual([true, true]);
  });

  test('counts the items of earlier runs on the branch that nobody has merged', async () => {
    const repo = makeRepo({
      plan: planOf('US-1', 'US-2'),
      config: { gates: ['true'] },
      scenario: play({ '*': works }),
    });
    expect((await repo.run()).code).toBe(0);
    expect((await repo.ralph(['revert', 'US-2'])).code).toBe(0);
    expect((await repo.run()).code).toBe(0);
    expect(repo.runs()).toHaveLength(2);
    expect((await repo.ralph(['merge'])).stdout).toContain('Merged ralph/shop into main (2 items)');
  });

  test('makes one commit of all items where that is asked for', async () => {
    const repo = await afterPlainRun();
    const before = tip(repo, 'main');
    expect((await repo.ralph(['merge', '--squash'])).code).toBe(0);
    expect(repo.git('rev-parse', 'main^')).toBe(before);
    expect(repo.git('diff', 'main', 'ralph/shop')).toBe('');
  });

  test('knows a branch whose changes came as one commit for merged', async () => {
    const repo = await afterPlainRun();
    expect((await repo.ralph(['merge', '--squash'])).code).toBe(0);
    repo.git('switch', '-q', 'main');
    repo.write('mine.txt', 'mine\n');
    repo.git('add', 'mine.txt');
    repo.git('commit', '-qm', 'Mine');
    const before = tip(repo, 'main');
    expect((await repo.ralph(['review'])).stdout).toContain('nothing to decide');
    expect(JSON.parse((await repo.ralph(['merge', '--json'])).stdout)).toMatchObject({ how: 'nothing' });
    expect(tip(repo, 'main')).toBe(before);
  });

  test('merges nothing where a gate is red on the merged tree', async () => {
    const repo = await afterRun(['test ! -e broken']);
    repo.git('switch', '-q', 'main');
    repo.write('broken', '');
    repo.git('add', 'broken');
    repo.git('commit', '-qm', 'Break it');
    const before = tip(repo, 'main');
    const refused = await repo.ralph(['merge', 'ralph/shop']);
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('nothing was merged') });
    expect(tip(repo, 'main')).toBe(before);
  });

  test('merges nothing where both changed the same lines, and names the files', async () => {
    const repo = await afterPlainRun();
    repo.git('switch', '-q', 'main');
    repo.write('US-1.txt', 'another\n');
    repo.git('add', '-A');
    repo.git('commit', '-qm', 'The same file');
    const before = tip(repo, 'main');
    const refused = await repo.ralph(['merge', 'Shop']);
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('US-1.txt') });
    expect(refused.stderr).toContain('git switch main && git merge ralph/shop');
    expect([tip(repo, 'main'), repo.git('status', '--porcelain')]).toEqual([before, '']);
  });

  test('touches no checkout with changes in it', async () => {
    const repo = await afterPlainRun();
    repo.git('switch', '-q', 'main');
    repo.write('stashed.txt', 'x');
    repo.git('stash', '-q', '--include-untracked');
    repo.write('README.md', '# Mine\n');
    repo.write('new.txt', 'mine\n');
    const before = mine(repo);
    const refused = await repo.ralph(['merge', 'ralph/shop']);
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('not committed; nothing was changed') });
    expect(mine(repo)).toEqual(before);
    // Elsewhere the ref moves, and what is checked out stays.
    repo.git('switch', '-q', '-c', 'elsewhere');
    const there = mine(repo);
    expect((await repo.ralph(['merge', 'ralph/shop'])).code).toBe(0);
    expect([mine(repo), tip(repo, 'main')]).toEqual([there, tip(repo, 'ralph/shop')]);
  });

  test('refuses before the gates what the checkout would refuse after them, and names the files', async () => {
    const repo = await afterRun(['true']);
    repo.git('switch', '-q', 'main');
    repo.write('US-1.txt', 'mine\n');
    const before = mine(repo);
    const refused = await repo.ralph(['merge']);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain('not committed; nothing was changed: US-1.txt');
    expect(refused.stderr).toContain(`git -C ${repo.root} stash --include-untracked`);
    expect(refused.stderr).not.toContain('on the merged tree');
    expect(mine(repo)).toEqual(before);
  });

  test('a plan that was taken along as it was, and is in no commit here, is in the way of nobody', async () => {
    const repo = makeRepo({ config: { gates: ['true'] }, scenario: play({ '*': works }) });
    repo.write('prd.json', `${JSON.stringify(planOf('US-1', 'US-2'), undefined, 2)}\n`);
    expect((await repo.run(['--worktree'])).code).toBe(0);
    expect(repo.git('status', '--porcelain')).toBe('?? prd.json');
    expect(await repo.ralph(['merge'])).toMatchObject({ code: 0, stderr: expect.any(String) });
    expect([repo.git('status', '--porcelain'), tip(repo, 'main')]).toEqual(['', tip(repo, 'ralph/shop')]);
  });

  test('of two plans that were edited before their runs and are not committed, neither is in the way of the other', async () => {
    const repo = makeRepo({
      files: { 'other.json': JSON.stringify({ ...planOf('OT-1'), project: 'Other' }) },
      plan: planOf('US-1'),
      config: { gates: ['true'] },
      scenario: play({ '*': works }),
    });
    for (const path of ['prd.json', 'other.json'])
      repo.write(path, `${repo.read(path).replace('Story', 'The story')}\n`);
    expect((await repo.run(['prd.json', '--worktree'])).code).toBe(0);
    expect((await repo.run(['other.json', '--worktree'])).code).toBe(0);
    expect(await repo.ralph(['merge', 'Shop'])).toMatchObject({ code: 0 });
    expect(repo.git('status', '--porcelain')).toBe('M other.json');
    expect(await repo.ralph(['merge', 'Other'])).toMatchObject({ code: 0 });
    expect(repo.git('status', '--porcelain')).toBe('');
    expect(repo.read('prd.json')).toContain('The story');
  });

  test('a plan that was edited since then is in the way', async () => {
    const repo = await afterRun(['true'], ['--worktree']);
    repo.write('prd.json', `${JSON.stringify(planOf('US-1', 'US-2', 'US-3'), undefined, 2)}\n`);
    const before = mine(repo);
    const refused = await repo.ralph(['merge']);
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('nothing was changed: prd.json') });
    expect(mine(repo)).toEqual(before);
  });

  test('removes the worktree of the run when nothing else is in it', async () => {
    const repo = await afterRun(['true'], ['--worktree']);
    const [run = ''] = repo.runs();
    const worktree = `${repo.root}/.ralph/worktrees/${run}`;
    expect(existsSync(worktree)).toBe(true);
    expect(await repo.ralph(['merge'])).toMatchObject({ code: 0, stdout: expect.stringContaining('is removed') });
    expect([existsSync(worktree), existsSync(`${repo.root}/US-2.txt`)]).toEqual([false, true]);
  });

  test('says what it does not know', async () => {
    const repo = await afterPlainRun();
    expect(await repo.ralph(['merge', 'nothing'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('no run, plan or branch nothing'),
    });
    expect(await repo.ralph(['merge', '--into', 'none'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('no branch none'),
    });
    repo.git('switch', '-q', 'main');
    repo.git('branch', '-qD', 'ralph/shop');
    expect(await repo.ralph(['merge'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('git branch ralph/shop'),
    });
  });
});

describe('ralph discard', () => {
  test('takes the branch away, puts the person back, and can be undone', async () => {
    const repo = await afterPlainRun();
    const [run = ''] = repo.runs();
    const work = tip(repo, 'ralph/shop');
    const gone = await repo.ralph(['discard', run]);
    expect(gone).toMatchObject({ code: 0, stdout: expect.stringContaining(`ralph discard ${run} --undo`) });
    expect(repo.git('branch', '--format=%(refname:short)')).toBe('main');
    expect([repo.git('status', '--porcelain'), existsSync(`${repo.root}/US-1.txt`)]).toEqual(['', false]);
    expect((await repo.ralph(['discard', run, '--undo'])).code).toBe(0);
    expect(tip(repo, 'ralph/shop')).toBe(work);
    expect((await repo.ralph(['discard', run, '--undo'])).stderr).toContain('not among those that were discarded');
  });

  test('the plan starts over after an unfinished run was discarded, and goes on after that was undone', async () => {
    const repo = makeRepo({
      files: { 'a.json': JSON.stringify(planOf('US-1', 'US-2')), 'b.json': JSON.stringify(planOf('US-8', 'US-9')) },
      config: { gates: ['true'], plan: 'b.json' },
      scenario: play({ '*': works }),
    });
    expect((await repo.run(['a.json', '--once'])).code).toBe(1);
    const [run = ''] = repo.runs();
    expect((await repo.ralph(['discard', run])).code).toBe(0);
    expect((await repo.ralph(['status'])).stdout).toContain('Discarded: its branch is gone.');
    // Not the open run of a plan that nobody wants any more.
    expect((await repo.ralph(['run', '--dry-run'])).stdout).toContain('plan      b.json');
    expect((await repo.ralph(['run', 'a.json', '--dry-run'])).stdout).toMatch(/a new one[^]*1 {2}US-1/);
    expect((await repo.ralph(['run', 'b.json', '--after', 'a.json', '--dry-run'])).stderr).toContain(
      `${run} was discarded`,
    );

    expect((await repo.ralph(['discard', run, '--undo'])).code).toBe(0);
    expect((await repo.ralph(['run', '--dry-run'])).stdout).toMatch(new RegExp(`continues ${run}[^]*1 {2}US-2`));
    expect((await repo.ralph(['discard', run])).code).toBe(0);
    expect((await repo.run(['a.json'])).code).toBe(0);
    expect(repo.git('log', '--format=%s', 'main..ralph/shop').split('\n')).toHaveLength(2);
    expect(repo.runs()).toHaveLength(2);
  });

  test('gives a plan back that was only on the branch', async () => {
    const repo = makeRepo({ config: { gates: ['true'] }, scenario: play({ '*': works }) });
    const plan = `${JSON.stringify(planOf('US-1', 'US-2'), undefined, 2)}\n`;
    repo.write('prd.json', plan);
    expect((await repo.run()).code).toBe(0);
    const [run = ''] = repo.runs();
    expect((await repo.ralph(['discard', run])).stdout).toContain('The plan prd.json was only on that branch');
    expect([repo.read('prd.json'), repo.git('status', '--porcelain')]).toEqual([plan, '?? prd.json']);
    expect((await repo.ralph(['discard', run, '--undo'])).code).toBe(0);
    repo.git('switch', '-q', 'ralph/shop');
    expect(repo.plan().userStories.every(({ passes }) => passes)).toBe(true);
    expect((await repo.ralph(['discard', run])).code).toBe(0);
    expect((await repo.run()).code).toBe(0);
  });

  test('takes its marks out of a plan that git ignores, and puts them back', async () => {
    const repo = makeRepo({
      files: { '.gitignore': 'prd.json\n' },
      config: { gates: ['true'] },
      scenario: play({ 'US-1': works, 'US-2': { claim: { blocked: 'no key' } } }),
    });
    const plan = `${JSON.stringify(planOf('US-1', 'US-2', story('US-3', { passes: true })), undefined, 2)}\n`;
    repo.write('prd.json', plan);
    expect((await repo.run()).code).toBe(3);
    const [run = ''] = repo.runs();
    expect((await repo.ralph(['discard', run])).code).toBe(0);
    expect(repo.read('prd.json')).toBe(plan);
    expect((await repo.ralph(['discard', run, '--undo'])).code).toBe(0);
    expect(doneIn(repo)).toEqual(['US-1', 'US-3']);
    expect((await repo.ralph(['discard', run])).code).toBe(0);
    expect((await repo.ralph(['run', '--dry-run'])).stdout).toMatch(/1 {2}US-1[^]*2 {2}US-2/);
  });

  test('discards nothing where the marks cannot be taken out', async () => {
    const repo = makeRepo({
      files: { '.gitignore': 'prd.json\n' },
      config: { gates: ['true'] },
      scenario: play({ '*': works }),
    });
    repo.write('prd.json', JSON.stringify(planOf('US-1')));
    expect((await repo.run()).code).toBe(0);
    const [run = ''] = repo.runs();
    const marked = repo.read('prd.json');
    repo.write('prd.json', '{ "userStories": [');
    expect((await repo.ralph(['discard', run])).code).not.toBe(0);
    repo.write('prd.json', marked);
    expect((await repo.ralph(['discard', run])).code).toBe(0);
    expect(doneIn(repo)).toEqual([]);
  });

  test('leaves the marks of merged work in a plan that git ignores', async () => {
    const repo = makeRepo({
      files: { '.gitignore': 'prd.json\n' },
      config: { gates: ['true'] },
      scenario: play({ '*': works }),
    });
    repo.write('prd.json', JSON.stringify(planOf('US-1')));
    expect((await repo.run()).code).toBe(0);
    repo.git('switch', '-q', 'main');
    expect((await repo.ralph(['merge'])).code).toBe(0);
    await repo.ralph(['discard', repo.runs()[0] ?? '']);
    expect(doneIn(repo)).toEqual(['US-1']);
  });

  test('leaves changes alone, and a branch that was there before', async () => {
    const repo = await afterPlainRun();
    const [run = ''] = repo.runs();
    repo.write('mine.txt', 'mine\n');
    const before = mine(repo);
    expect(await repo.ralph(['discard', run])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('nothing was changed'),
    });
    expect(mine(repo)).toEqual(before);

    const own = makeRepo({
      branch: 'work',
      plan: planOf('US-1'),
      config: { gates: ['true'] },
      scenario: play({ '*': works }),
    });
    await own.ralph(['run']);
    expect(await own.ralph(['discard', own.runs()[0] ?? ''])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('there before the run'),
    });
  });
});
