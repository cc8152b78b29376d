/** Two checkouts of one repository, each with runs of its own: neither takes a branch that a worktree of the other is on. */
import { execFileSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { planOf, play, works } from '../loop/scene.ts';
import { ralph } from '../support/cli.ts';
import { makeRepo } from '../support/repo.ts';

test.each([[[]], [['--worktree']]])(
  'a run in the first with %j, after one in a worktree of the second',
  async flags => {
    const repo = makeRepo({ plan: planOf('US-1'), config: { gates: ['true'] }, scenario: play({ '*': works }) });
    const side = join(dirname(repo.root), 'side');
    repo.git('worktree', 'add', '-q', '-b', 'side', side);
    const other = await ralph(['run', '--worktree'], { cwd: side, home: repo.home });
    expect(other.code, other.stderr).toBe(0);
    const { code, stdout, stderr } = await repo.ralph(['run', ...flags]);
    expect(code, stderr).toBe(0);
    expect(stdout).toContain('branch ralph/shop-2');
    const branches = execFileSync('git', ['worktree', 'list', '--porcelain'], { cwd: repo.root, encoding: 'utf8' });
    expect(branches.match(/refs\/heads\/ralph\/shop$/gm)).toHaveLength(1);
    expect(repo.git('ls-tree', '--name-only', 'ralph/shop-2')).toContain('US-1.txt');
  },
);
