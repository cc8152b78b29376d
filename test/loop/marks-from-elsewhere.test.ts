/** A person's marks on the items of a run whose branch is not the one that is checked out. */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeRepo, type Repo } from '../support/repo.ts';
import { until } from '../support/until.ts';
import { planOf, play, verdictsIn, works } from './scene.ts';

const shop = () =>
  makeRepo({
    plan: planOf('A-1', 'A-2'),
    config: { plan: 'prd.json', gates: ['true'] },
    scenario: play({ '*': works }),
  });

const doneAt = (repo: Repo, commit: string): readonly string[] =>
  (JSON.parse(repo.git('show', `${commit}:prd.json`)) as ReturnType<typeof planOf>).userStories
    .filter(({ passes }) => passes === true)
    .map(({ id }) => String(id));

/** One item is done on the run's branch; the person looks at main. */
async function startedAndLeft(flags: readonly string[] = []): Promise<Repo> {
  const repo = shop();
  expect((await repo.run(['--once', ...flags])).code).toBe(1);
  repo.git('switch', '-q', 'main');
  return repo;
}

test.concurrent('the last thing that happens to a live run in a worktree is on its branch, and in what is merged', async () => {
  const repo = makeRepo({
    plan: planOf('A-1', 'A-2'),
    config: { gates: ['true'] },
    scenario: play({
      'A-1': works,
      'A-2': { steps: [{ run: 'touch $OUTSIDE/here; while ! test -e $OUTSIDE/go; do sleep 0.05; done' }, { exit: 1 }] },
    }),
  });
  const running = repo.start(['run', '--worktree'], { env: { OUTSIDE: repo.outside } });
  await until(() => existsSync(join(repo.outside, 'here')));
  expect((await repo.ralph(['done', 'A-2'])).code).toBe(0);
  writeFileSync(join(repo.outside, 'go'), '');
  const { code, stdout } = await running.ended;
  expect(code, stdout).toBe(0);
  expect(doneAt(repo, 'ralph/shop')).toEqual(['A-1', 'A-2']);
  const merged = await repo.ralph(['merge']);
  expect(merged.stdout).toContain('is removed');
  expect(doneAt(repo, 'main')).toEqual(['A-1', 'A-2']);
});

describe.concurrent.each([[[]], [['--worktree']]])('of an open run (%j)', flags => {
  test('the last item marked done ends the run, and its branch says so', async () => {
    const repo = await startedAndLeft(flags);
    expect((await repo.ralph(['done', 'A-2'])).code).toBe(0);
    // The plan of another branch is nobody's to change, and would be in the way of the merge.
    expect(repo.git('status', '--porcelain')).toBe('');
    const items = JSON.parse((await repo.ralph(['items', '--json'])).stdout) as { items: { status: string }[] };
    expect(items.items.map(({ status }) => status)).toEqual(['done', 'done']);
    const { code, stdout, stderr } = await repo.run();
    expect(code, stdout + stderr).toBe(0);
    expect(stdout).toContain('Complete');
    expect(doneAt(repo, 'ralph/shop')).toEqual(['A-1', 'A-2']);
    expect(verdictsIn(repo)).toEqual(['A-1 accepted']);
  });

  test('an item that is reset is done again, and nobody is said to have marked it', async () => {
    const repo = await startedAndLeft(flags);
    expect((await repo.ralph(['reset', 'A-1'])).code).toBe(0);
    const { stdout } = await repo.run(['--once']);
    // The scripted agent has nothing to add to what is there; that it worked on the item is what counts.
    expect(verdictsIn(repo)).toEqual(['A-1 accepted', 'A-1 rejected']);
    expect(doneAt(repo, 'ralph/shop')).toEqual([]);
    expect(stdout).not.toContain('marked in the plan between two runs');
  });

  test('an item that is done on the branch is not opened by unblocking it', async () => {
    const repo = await startedAndLeft(flags);
    const { code, stderr } = await repo.ralph(['unblock', 'A-1']);
    expect(code).toBe(2);
    expect(stderr).toContain('A-1 is done, not blocked');
    expect((await repo.run()).code).toBe(0);
    expect(verdictsIn(repo)).toEqual(['A-1 accepted', 'A-2 accepted']);
  });

  test('an item that is skipped is left out', async () => {
    const repo = await startedAndLeft(flags);
    expect((await repo.ralph(['skip', 'A-2'])).code).toBe(0);
    expect((await repo.run()).code).toBe(0);
    expect(verdictsIn(repo)).toEqual(['A-1 accepted']);
  });
});

test('a run whose last item a person marks done ends as complete, without final gates too', async () => {
  const repo = shop();
  expect((await repo.run(['--once'])).code).toBe(1);
  expect((await repo.ralph(['done', 'A-2'])).code).toBe(0);
  expect((await repo.ralph(['doctor'])).stdout).toContain('every item is done: the run only has to end');
  const { code, stdout } = await repo.run();
  expect({ code, said: stdout.includes('Stopped with work left') }).toEqual({ code: 0, said: false });
  expect(JSON.parse((await repo.ralph(['status', '--json'])).stdout)).toMatchObject({ state: 'complete' });
  expect(repo.git('status', '--porcelain')).toBe('');
  expect(doneAt(repo, 'ralph/shop')).toEqual(['A-1', 'A-2']);
});

test('doctor and run refuse alike where an edit of the plan on another branch is in the way', async () => {
  const repo = await startedAndLeft();
  repo.write('prd.json', repo.read('prd.json').replace('"A-2"', '"A-3"'));
  const doctor = await repo.ralph(['doctor']);
  const run = await repo.run();
  expect([doctor.code, run.code]).toEqual([4, 4]);
  const why = 'prd.json has changes on main that are not committed, and the run continues on ralph/shop';
  expect(doctor.stdout).toContain(why);
  expect(run.stderr).toContain(why);
});
