/** What is shown of a run whose branch is not checked out, or whose plan a later run went on with. */
import { describe, expect, test } from 'vitest';
import { planOf, play, works } from '../loop/scene.ts';
import { makeRepo, type Repo } from '../support/repo.ts';

/** A plan is run, gets one more item on main, and is run again; nothing is merged. */
async function twoRuns(): Promise<Repo> {
  const repo = makeRepo({
    plan: planOf('A-1', 'A-2'),
    config: { plan: 'prd.json', gates: ['true'] },
    scenario: play({ '*': works }),
  });
  await repo.run();
  repo.git('switch', '-q', 'main');
  repo.write('prd.json', `${JSON.stringify(planOf('A-1', 'A-2', 'A-3'))}\n`);
  return repo;
}

const standing = async (repo: Repo, ...args: readonly string[]) => {
  const { stdout } = await repo.ralph(['items', '--json', ...args]);
  const { items } = JSON.parse(stdout) as { items: { id: string; status: string }[] };
  return items.map(({ id, status }) => `${id} ${status}`);
};

const allDone = ['A-1 done', 'A-2 done', 'A-3 done'];

describe.concurrent('after two runs of one plan that are not merged', () => {
  test('main shows what its branch has', async () => {
    const repo = await twoRuns();
    // With a new item in the plan the next step is not a report.
    expect((await repo.ralph(['status'])).stdout).toMatch(/2 of 3 done · 1 left[^]*\nnext {6}ralph run\n/);
    expect((await repo.run()).code).toBe(0);
    repo.git('switch', '-q', 'main');
    expect(await standing(repo)).toEqual(allDone);
    expect((await repo.ralph(['report'])).stdout).toContain('| Items | 3 of 3 done |');
    expect((await repo.run()).stdout).toContain('  items     3 of 3 done\n');
    const { stdout } = await repo.ralph(['review']);
    expect(stdout).toContain('2 runs, 3 items done, ');
    expect(stdout).toContain('  3 of 3 done · ');
  });

  test('the first one is not open again because of what the second one did', async () => {
    const repo = await twoRuns();
    expect((await repo.run()).code).toBe(0);
    const [, first = ''] = JSON.parse((await repo.ralph(['runs', '--json'])).stdout).runs.map(
      ({ run, state, done, total }: Record<string, unknown>) => [run, state, done, total].join(' '),
    );
    expect(first).toMatch(/ continued 2 2$/);
    const { stdout } = await repo.ralph(['review']);
    expect(stdout).not.toContain('open now');
    expect(stdout).toContain('2 runs, 3 items done, ');
    expect(await standing(repo, '--run', first.split(' ')[0])).toEqual(allDone.slice(0, 2));
  });
});

test('next steps of a run that is not the newest name it', async () => {
  const repo = makeRepo({ plan: planOf('A-1'), config: { gates: ['true'] }, scenario: play({ '*': works }) });
  repo.write('b.json', `${JSON.stringify({ ...planOf('B-1'), project: 'Other' })}\n`);
  repo.git('add', '-A');
  repo.git('commit', '-qm', 'Another plan');
  await repo.run(['prd.json']);
  const [older = ''] = repo.runs();
  repo.git('switch', '-q', 'main');
  expect((await repo.run(['b.json'])).stdout).toMatch(/\n {2}ralph report +#/);
  repo.git('switch', '-q', 'main');
  expect((await repo.run(['prd.json'])).stdout).toMatch(new RegExp(`\n {2}ralph report --run ${older} +#`));
  expect((await repo.ralph(['status', '--plan', 'prd.json'])).stdout).toContain(
    `\nnext      ralph report --run ${older}  # then: ralph merge ${older}\n`,
  );
  expect((await repo.ralph(['status'])).stdout).toMatch(/\nnext {6}ralph report {2}# then: ralph merge /);
});

test('odd characters in a title do not make it another plan, and are shown as they are', async () => {
  const odd = 'Show a < b & "c:\\d" **e**\u001b[31m in\tred ';
  const plan = planOf('A-1', 'A-2');
  const repo = makeRepo({
    plan: { ...plan, userStories: plan.userStories.map(story => ({ ...story, title: `${odd}${'x'.repeat(200)}` })) },
    config: { gates: ['true'] },
    scenario: play({ '*': { ...works, claim: { blocked: 'no key' } } }),
  });
  expect((await repo.run()).code).toBe(3);
  expect((await repo.ralph(['review'])).stdout).toContain('Blocked A-1 Show a < b & "c:\\d" **e** in red xx');
  expect((await repo.ralph(['unblock', '--all'])).stdout).toContain('A-2');
  expect((await repo.run(['--once'])).stdout).toContain('[1/2] A-1');
  expect(repo.runs()).toHaveLength(1);
});
