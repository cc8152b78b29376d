/** A run in a worktree has a plan of its own, and so has each worker: what is added to one of them reaches the others. */
import { expect, test } from 'vitest';
import { makeRepo } from '../support/repo.ts';
import { type Entry, planOf, play, runs, story, verdictsIn } from './scene.ts';

/** A shell command that adds an item to a plan. */
const adds = (id: string, file: string, more: Entry = {}): string =>
  `node -e 'const fs=require("fs"),f=process.argv[1],p=JSON.parse(fs.readFileSync(f));p.userStories.push(${JSON.stringify(story(id, more))});fs.writeFileSync(f,JSON.stringify(p,null,2)+"\\n")' ${file}`;

test('an item that an agent added stays when the person edits their copy', async () => {
  const repo = makeRepo({
    plan: planOf('US-1', 'US-2'),
    config: { gates: ['true'] },
    scenario: play({
      'US-1': runs('echo x > US-1.txt', adds('US-3', 'prd.json')),
      'US-2': runs('echo x > US-2.txt', adds('US-4', '../../../prd.json')),
      '*': runs('echo x > {{item}}.txt'),
    }),
  });
  const { code, stdout } = await repo.run(['--no-sandbox', '--worktree']);
  expect(code, stdout).toBe(0);
  expect(verdictsIn(repo).toSorted(), stdout).toEqual(['US-1', 'US-2', 'US-3', 'US-4'].map(id => `${id} accepted`));
});

test('items that a person and an agent added between two runs are done, and what the person took out is not', async () => {
  const repo = makeRepo({
    plan: planOf('US-1', 'US-2', 'US-5'),
    config: { gates: ['true'] },
    scenario: play({
      'US-1': runs('echo x > US-1.txt', adds('US-3', 'prd.json')),
      '*': runs('echo x > {{item}}.txt'),
    }),
  });
  expect((await repo.run(['--no-sandbox', '--worktree', '--max-iterations', '1'])).code).not.toBe(0);
  repo.write('prd.json', `${JSON.stringify(planOf('US-1', 'US-2', 'US-4'), undefined, 2)}\n`);
  const { code, stdout } = await repo.run(['--no-sandbox']);
  expect(code, stdout).toBe(0);
  expect(verdictsIn(repo).toSorted(), stdout).toEqual(['US-1', 'US-2', 'US-3', 'US-4'].map(id => `${id} accepted`));
});

test('what an agent adds in the checkout of a worker keeps its checks and what it waits for', async () => {
  const more = { dependsOn: ['US-2'], verify: ['test -e US-3.txt'] };
  const repo = makeRepo({
    plan: planOf('US-1', 'US-2'),
    config: { gates: ['true'], parallel: 2 },
    scenario: play({
      'US-1': runs('echo x > US-1.txt', adds('US-3', 'prd.json', more)),
      '*': runs('echo x > {{item}}.txt'),
    }),
  });
  const { code, stdout } = await repo.run(['--no-sandbox']);
  expect(code, stdout).toBe(0);
  const plan = JSON.parse(repo.git('show', 'ralph/shop:prd.json'));
  expect(plan.userStories[2]).toMatchObject({ id: 'US-3', passes: true, ...more });
});

test('what the person takes out is out, also after their copy could not be read for a while', async () => {
  const repo = makeRepo({
    plan: planOf('US-1', 'US-2', 'US-3', 'US-4'),
    config: { gates: ['true'] },
    scenario: play({
      'US-1': runs('echo x > US-1.txt', 'echo "{" > ../../../prd.json'),
      'US-2': runs('echo x > US-2.txt', `echo '${JSON.stringify(planOf('US-1', 'US-2', 'US-3'))}' > ../../../prd.json`),
      '*': runs('echo x > {{item}}.txt'),
    }),
  });
  const { code, stdout } = await repo.run(['--no-sandbox', '--worktree']);
  expect(code, stdout).toBe(0);
  expect(stdout).toContain('your copy of the plan does not parse');
  expect(verdictsIn(repo), stdout).toEqual(['US-1', 'US-2', 'US-3'].map(id => `${id} accepted`));
});
