/** A worktree has what is committed: words of the plan that are not would be missing there without a word. */
import { describe, expect, test } from 'vitest';
import { planOf, play, works } from '../loop/scene.ts';
import { paste } from '../support/paste.ts';
import { makeRepo, type Repo } from '../support/repo.ts';

const PLAN = '# Shop\n\n- [ ] T-1: Sell\n';

const shop = (files: Readonly<Record<string, string>> = {}) =>
  makeRepo({
    files: { 'PROGRESS.md': PLAN, ...files },
    config: { gates: ['true'], context: ['docs/style.md'] },
    scenario: play({ '*': works }),
  });

const briefOf = (repo: Repo): string => repo.read(`.ralph/runs/${repo.runs()[0]}/iterations/001/brief.md`);

describe.concurrent('a run in a worktree', () => {
  test.each<[string, Readonly<Record<string, string>>, string]>([
    ['the prompt beside the plan', {}, 'PROMPT.md'],
    ['an edit of it', { 'PROMPT.md': 'Be quick.\n' }, 'PROMPT.md'],
    ['a specification', { 'specs/a b.md': '# Old\n' }, 'specs/a b.md'],
    ['what every brief carries', {}, 'docs/style.md'],
  ])('refuses to begin without %s, and the printed command helps', async (_, files, path) => {
    const repo = shop({ 'docs/style.md': 'Short lines.\n', ...files });
    repo.write(path, 'T-1: be KIND.\n');
    repo.write('notes.txt', 'A note of mine\n');
    const { code, stderr } = await repo.run(['--worktree']);
    expect(code, stderr).toBe(4);
    expect(stderr).toContain(
      `a worktree would have ${path} in another version, or not at all: what is here is not committed`,
    );
    const hint = /Run: (git add .+)$/m.exec(stderr)?.[1] ?? '';
    for (const [key, value] of [
      ['user.name', 'Ada'],
      ['user.email', 'ada@example.org'],
    ] as const)
      repo.git('config', key, value);
    const pasted = await paste(repo, hint);
    expect(pasted.code, pasted.stderr).toBe(0);
    expect(repo.git('status', '--porcelain', 'notes.txt')).toContain('?? notes.txt');
    const again = await repo.run(['--worktree']);
    expect(again.code, again.stderr).toBe(0);
    expect(briefOf(repo)).toContain('KIND');
  });

  test('that goes on with a branch names what brings them there', async () => {
    const repo = shop({ 'docs/style.md': 'Short lines.\n' });
    repo.git('config', 'user.name', 'Ada');
    repo.git('config', 'user.email', 'ada@example.org');
    repo.git('switch', '-q', '-c', 'ralph/shop');
    repo.git('commit', '-q', '--allow-empty', '-m', 'Begun');
    repo.git('switch', '-q', 'main');
    repo.write('PROMPT.md', 'Be KIND.\n');
    const { code, stderr } = await repo.run(['--worktree']);
    expect(code, stderr).toBe(4);
    const hint = /^ {2}To have it there, too: (git .+)$/m.exec(stderr)?.[1] ?? '';
    const pasted = await paste(repo, hint);
    expect(pasted.code, stderr + pasted.stderr).toBe(0);
    expect(repo.git('symbolic-ref', '--short', 'HEAD')).toBe('main');
    const again = await repo.run(['--worktree']);
    expect(again.code, again.stderr).toBe(0);
    expect(briefOf(repo)).toContain('KIND');
    expect(repo.journal()[0]).toMatchObject({ branch: 'ralph/shop' });
  });

  test.each([[['--worktree']], [['--parallel', '2']], [['--worktree', '--parallel', '2']]])(
    'copies those that git ignores, with %j',
    async flags => {
      const repo = shop({ '.gitignore': 'PROMPT.md\ndocs/\nspecs/\n' });
      repo.write('PROMPT.md', 'Be KIND.\n');
      repo.write('docs/style.md', 'Be QUICK.\n');
      repo.write('specs/sell.md', 'T-1: be LOUD.\n');
      const { code, stderr } = await repo.run(flags);
      expect(code, stderr).toBe(0);
      for (const word of ['KIND', 'QUICK', 'LOUD']) expect(briefOf(repo)).toContain(word);
    },
  );

  test('takes no offence at what is not of the plan', async () => {
    const repo = shop({ 'docs/style.md': 'Short lines.\n', 'AGENTS.md': 'Rules\n' });
    for (const path of ['AGENTS.md', 'docs/other.md', 'src.txt']) repo.write(path, 'Mine\n');
    expect((await repo.run(['--worktree'])).code).toBe(0);
  });
});

test('a worktree is not offered for uncommitted words of the plan, which it would lack', async () => {
  const repo = shop({ 'docs/style.md': 'Short lines.\n' });
  repo.write('note.txt', 'Mine\n');
  expect((await repo.run()).stderr).toContain('ralph run --worktree');
  repo.write('PROMPT.md', 'Be KIND.\n');
  const { code, stderr } = await repo.run();
  expect(code).toBe(4);
  expect(stderr).not.toContain('ralph run --worktree');
});

test('words that were changed in the checkout between two runs are named, with the file that the run reads', async () => {
  const repo = makeRepo({
    plan: planOf('US-1', 'US-2', 'US-3'),
    config: { gates: ['true'] },
    scenario: play({ '*': works }),
  });
  expect((await repo.run(['--worktree', '--once'])).code).toBe(1);
  const [run = ''] = repo.runs();
  const own = `.ralph/worktrees/${run}/prd.json`;
  repo.write('prd.json', repo.read('prd.json').replace('Story US-3', 'Other US-3'));
  const named = `other words for US-3; the run keeps those of its own copy. To change them, edit ${own}`;
  const { stdout } = await repo.run(['--once']);
  expect(stdout).toContain(named);
  repo.write(own, repo.read(own).replace('Story US-3', 'Other US-3'));
  const { code, stdout: last } = await repo.run();
  expect([code, last]).toEqual([0, expect.stringContaining('[3/3] US-3 Other US-3')]);
  expect(last).not.toContain('other words');
});
