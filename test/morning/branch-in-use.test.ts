/** The branch of a run that something else works on: another run, or a person in a worktree of their own. Nothing is changed under them. */
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { planOf, play, story, works } from '../loop/scene.ts';
import { makeRepo } from '../support/repo.ts';
import { until } from '../support/until.ts';

const waits = { steps: [{ run: 'until test -e ../outside/go; do sleep 0.05; done' }, ...(works.steps as object[])] };
const gates = { gates: ['true'] };

describe.concurrent('the branch of a run', () => {
  test('a later run that is live works on it: the earlier one is neither merged, discarded nor reverted meanwhile', async () => {
    const scenario = play({ '*': works, 'US-2': waits });
    const repo = makeRepo({ plan: planOf('US-1'), config: gates, scenario });
    expect((await repo.run()).code).toBe(0);
    const [first = ''] = repo.runs();
    repo.write('prd.json', `${JSON.stringify(planOf(story('US-1', { passes: true }), 'US-2'))}\n`);
    repo.git('commit', '-qam', 'One more story');
    const live = repo.start(['run']);
    await until(() => repo.runs().length === 2 && repo.journal().some(({ type }) => type === 'agent.started'));
    const [second = ''] = repo.runs().filter(run => run !== first);
    for (const args of [
      ['discard', first],
      ['merge', first],
      ['pr', first, '--print'],
    ]) {
      const { code, stderr } = await repo.ralph(args);
      expect([args[0], code, stderr]).toEqual([
        args[0],
        1,
        expect.stringContaining(`the run ${second} is live and works on the same branch, ralph/shop`),
      ]);
    }
    repo.write('../outside/go', '');
    expect((await live.ended).code).toBe(0);
    expect(repo.git('log', '--format=%s', 'main..ralph/shop').split('\n')).toHaveLength(3);
    expect((await repo.ralph(['discard', first])).stderr).toContain(`${second} went on with ralph/shop`);
    expect((await repo.ralph(['discard', second])).code).toBe(0);
  });

  test('a worktree of a person has it checked out: not discarded, and the next step can be pasted', async () => {
    const repo = makeRepo({ plan: planOf('US-1'), config: gates, scenario: play({ '*': works }) });
    expect((await repo.run()).code).toBe(0);
    const [run = ''] = repo.runs();
    repo.git('switch', '-q', 'main');
    const mine = join(repo.outside, 'my look');
    repo.git('worktree', 'add', '-q', mine, 'ralph/shop');
    const { code, stderr } = await repo.ralph(['discard', run]);
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining(`ralph/shop is checked out at ${mine}; nothing was changed`),
    ]);
    expect(repo.git('-C', mine, 'status', '--porcelain')).toBe('');
    expect(stderr).toContain(`git -C '${mine}' switch --detach`);
    repo.git('-C', mine, 'switch', '-q', '--detach');
    expect((await repo.ralph(['discard', run])).code).toBe(0);
    expect(repo.git('-C', mine, 'status', '--porcelain')).toBe('');
  });

  test("the run's own worktree holds work that is not committed: it is kept, on the last commit of the branch", async () => {
    const repo = makeRepo({ plan: planOf('US-1'), config: gates, scenario: play({ '*': works }) });
    expect((await repo.run(['--worktree'])).code).toBe(0);
    const [run = ''] = repo.runs();
    const worktree = join(repo.root, '.ralph/worktrees', run);
    repo.write(`.ralph/worktrees/${run}/US-1.txt`, 'mine\n');
    const { code, stdout } = await repo.ralph(['discard', run]);
    expect([code, stdout]).toEqual([0, expect.stringContaining('is kept: 1 change in it is not committed')]);
    expect(repo.git('branch', '--list', 'ralph/*')).toBe('');
    expect(repo.git('-C', worktree, 'status', '--porcelain')).toMatch(/^ ?M US-1.txt$/);
  });
});
