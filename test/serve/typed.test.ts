/** Every command that the page shows, pasted where the page was started. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import type { CommandAnswer, ItemsView, IterationView, MorningView, RunView } from '../../src/view/index.ts';
import { planOf, play, works } from '../loop/scene.ts';
import { paste } from '../support/paste.ts';
import { makeRepo, type Repo } from '../support/repo.ts';
import { startServe } from './serving.ts';
import type { Browser } from './visitor.ts';

const IDS = ["it's one", '-dash', 'two words', '$(touch pwned)'];
const PLAN = "my plans/o'clock.json";

let repo: Repo;
let browser: Browser;
let run: string;

beforeAll(async () => {
  repo = makeRepo({
    files: {
      [PLAN]: JSON.stringify({
        branchName: 'odd',
        userStories: IDS.map(id => ({ id, title: `The item ${id}`, passes: false })),
      }),
      '.gitignore': '.ralph/\n',
    },
    config: { gates: ['test ! -e broken'], 'max-attempts': 1 },
    scenario: play({ '*': { steps: [{ write: { path: 'broken', text: 'x\n' } }] } }),
  });
  mkdirSync(join(repo.root, 'deep'));
  await repo.run([PLAN]);
  [run = ''] = repo.runs();
  ({ browser } = await startServe(repo, [], join(repo.root, 'deep')));
});

test('an item is tried again by the command beside it, whatever its id is', async () => {
  const { rows } = await browser.get<ItemsView>(`runs/${run}/items`);
  expect(rows.map(({ id }) => id)).toEqual(IDS);
  for (const { id, retryCommand } of rows) {
    const pasted = await paste(repo, retryCommand ?? '', 'deep');
    expect({ ...pasted, id }).toMatchObject({ code: 0, stdout: expect.stringContaining(id) as string });
  }
  expect(repo.git('status', '--porcelain')).not.toContain('pwned');
});

test('the rest of what is shown can be pasted, too', async () => {
  const view = await browser.get<RunView>(`runs/${run}`);
  const { branches } = await browser.get<MorningView>('morning');
  const iteration = await browser.get<IterationView>(`runs/${run}/iterations/1`);
  const commands = [
    `${view.nextCommand} --dry-run`,
    ...view.needs.map(({ command }) => command),
    ...(branches[0]?.next ?? []).filter(command => command.startsWith('ralph retry')),
    iteration.logsCommand,
    iteration.getBack ?? '',
  ];
  for (const command of commands) {
    expect({ command, ...(await paste(repo, command, 'deep')) }).toMatchObject({ code: 0 });
  }
});

test('what was done by a button can be repeated in the terminal', async () => {
  for (const item of IDS) {
    const reply = await browser.send(run, { type: 'block', item, why: "it's late" });
    const { command } = JSON.parse(reply.text) as CommandAnswer;
    expect(await paste(repo, command, 'deep'), command).toMatchObject({ code: 0 });
  }
});

test('a run of another worktree is named with its folder', async () => {
  const other = join(repo.outside, 'other tree');
  repo.git('worktree', 'add', '-q', '-b', 'beside', other);
  const { code } = await repo.ralph(['run', PLAN, '--max-iterations', '1', '--branch', 'aside'], { cwd: other });
  expect(code).not.toBe(0);
  const served = await startServe(repo);
  const { runs } = await served.browser.get<{ runs: RunView[] }>('runs');
  const there = runs.find(({ worktree }) => worktree !== null);
  const { nextCommand } = await served.browser.get<RunView>(`runs/${there?.id}`);
  expect(nextCommand).toContain(`cd '${other}' && ralph run`);
  expect(await paste(repo, `${nextCommand} --dry-run`)).toMatchObject({ code: 0 });
});

test('a run on the branch of the person has nothing to merge, and what did not happen is not said to have happened', async () => {
  const own = makeRepo({
    branch: 'feature',
    files: { 'prd.json': JSON.stringify({ userStories: ['A', 'B'].map(id => ({ id, title: `Do\u001b[31m ${id}` })) }) },
    config: { gates: ['true'] },
    scenario: play({ '*': { steps: [], claim: { blocked: 'no key' } } }),
  });
  await own.run();
  const [its = ''] = own.runs();
  const page = (await startServe(own)).browser;
  const { chain } = await page.get<IterationView>(`runs/${its}/iterations/1`);
  expect(chain.find(({ name }) => name === 'gates')?.text).toBe('not run: the agent says that it is blocked');
  const { rows } = await page.get<ItemsView>(`runs/${its}/items`);
  expect(rows.map(({ title }) => title)).toEqual(['Do A', 'Do B']);
  for (const id of ['A', 'B']) await own.ralph(['done', id]);
  await own.run();
  expect(await page.get<RunView>(`runs/${its}`)).toMatchObject({ status: 'complete', nextCommand: null });
});

test('a run is merged once: the page offers it no more', async () => {
  const own = makeRepo({ plan: planOf('US-1'), config: { gates: ['true'] }, scenario: play({ '*': works }) });
  expect((await own.run(['--worktree'])).code).toBe(0);
  const [its = ''] = own.runs();
  const page = (await startServe(own)).browser;
  expect(await page.get<RunView>(`runs/${its}`)).toMatchObject({ nextCommand: `ralph merge ${its}` });
  expect((await own.ralph(['merge'])).code).toBe(0);
  expect(await page.get<RunView>(`runs/${its}`)).toMatchObject({ status: 'complete', nextCommand: null });
});
