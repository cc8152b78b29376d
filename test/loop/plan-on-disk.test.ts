/** The plan is the person's: it is read again before each item, and the path is not the plan. */
import { existsSync, lstatSync, renameSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Event } from '../../src/events.ts';
import { run } from '../../src/run.ts';
import { cleanEnv } from '../support/cli.ts';
import { makeRepo, type Repo } from '../support/repo.ts';
import { doneIn, type Entry, planOf, play, recordsOf, runs, story, verdictsIn, works } from './scene.ts';

const shop = (...stories: readonly (string | Entry)[]) =>
  makeRepo({ plan: planOf(...stories), config: { gates: ['true'] }, scenario: play({ '*': works }) });

/** The plan becomes a link to a file beside it. */
function linkPlan(repo: Repo): void {
  renameSync(join(repo.root, 'prd.json'), join(repo.root, 'real.json'));
  symlinkSync('real.json', join(repo.root, 'prd.json'));
  repo.git('add', '-A');
  repo.git('commit', '-qm', 'A link');
}

/** As a library call, so that a person's hand can be put exactly between two iterations. */
async function runWith(repo: Repo, hand: (event: Event) => void) {
  return await run({ cwd: repo.root, env: cleanEnv(repo.home), sinks: [hand] });
}

/** Called once, right after the first iteration. */
function afterFirst(act: () => void): (event: Event) => void {
  let acted = false;
  return event => {
    if (event.type !== 'iteration.finished' || acted) return;
    acted = true;
    act();
  };
}

describe.concurrent('a plan', () => {
  test('that a person edits between two items is read again', async () => {
    const repo = shop('US-1', 'US-2', 'US-3');
    const result = await runWith(
      repo,
      afterFirst(() => {
        const plan = JSON.parse(repo.read('prd.json'));
        plan.userStories = plan.userStories.filter(({ id }: Entry) => id !== 'US-2');
        repo.write('prd.json', JSON.stringify(plan).replace('Story US-3', 'Another story'));
      }),
    );
    expect(result.type === 'finished' && result.exit).toBe(0);
    expect(verdictsIn(repo)).toEqual(['US-1 accepted', 'US-3 accepted']);
    expect(repo.git('log', '-1', '--format=%s')).toBe('feat(US-3): Another story');
    expect(repo.git('status', '--porcelain')).toBe('');
  });

  test('that a person marks between two items counts, unless an agent may be alive', async () => {
    const repo = shop('US-1', 'US-2');
    await runWith(
      repo,
      afterFirst(() => {
        const marked = repo.read('prd.json').replace('"passes": false', '"passes": true');
        const now = Date.now();
        // The clock that stamps files may be some milliseconds behind, and the stamp says who can have written it.
        do repo.write('prd.json', marked);
        while (lstatSync(join(repo.root, 'prd.json')).ctimeMs <= now);
      }),
    );
    // A process of unknown origin on this machine may be the agent's: then the mark is not believed.
    const isQuiet = recordsOf(repo, 'agent.finished').every(({ end }) => !end.strangers);
    expect(verdictsIn(repo)).toEqual(isQuiet ? ['US-1 accepted'] : ['US-1 accepted', 'US-2 accepted']);
    expect(doneIn(repo)).toEqual(['US-1', 'US-2']);
  });

  test('and a config that a person changes between two runs are theirs: nobody is blamed, nothing set aside', async () => {
    const repo = makeRepo({
      plan: planOf('US-1', 'US-2', 'US-3'),
      config: { gates: ['true'] },
      scenario: play({ '*': works }),
    });
    expect((await repo.run(['--once'])).code).toBe(1);
    expect((await repo.ralph(['done', 'US-2'])).code).toBe(0);
    repo.write('ralph.json', repo.read('ralph.json').replace('"true"', '"true", "echo more"'));
    const { code, stdout } = await repo.run();
    expect(code, stdout).toBe(0);
    expect(stdout).toContain('echo more');
    expect(stdout).not.toMatch(/no iteration made|restored/);
    expect(repo.git('for-each-ref', 'refs/ralph')).toBe('');
    // What they changed is a commit of its own, not a part of an item's.
    const names = (commit: string) => repo.git('show', '--name-only', '--format=', commit).split('\n');
    expect([names('HEAD'), names('HEAD~1')]).toEqual([
      ['US-3.txt', 'prd.json'],
      ['prd.json', 'ralph.json'],
    ]);
  });

  test('that a person adds a story to is worked on with it', async () => {
    const repo = shop('US-1');
    const result = await runWith(
      repo,
      afterFirst(() =>
        repo.write('prd.json', `${JSON.stringify(planOf(story('US-1', { passes: true }), 'US-2'), undefined, 2)}\n`),
      ),
    );
    expect(result.type === 'finished' && result.exit).toBe(0);
    expect(doneIn(repo)).toEqual(['US-1', 'US-2']);
  });

  test('that a person breaks between two items ends the run with exit 2 and stays as they left it', async () => {
    const repo = shop('US-1', 'US-2');
    const result = await runWith(
      repo,
      afterFirst(() => repo.write('prd.json', '{"userStories": [')),
    );
    expect(result.type === 'finished' && result.exit).toBe(2);
    expect(repo.read('prd.json')).toBe('{"userStories": [');
    expect(verdictsIn(repo)).toEqual(['US-1 accepted']);
  });

  test('under the same path with another name starts a new run, and nothing of the old one leaks', async () => {
    const repo = shop('US-1', 'US-2');
    expect((await repo.run(['--once'])).code).toBe(1);
    repo.write('prd.json', JSON.stringify({ ...planOf('US-1'), project: 'Another shop' }));
    const { code, stderr } = await repo.run();
    // On a branch of its own, where the file of the old one is not.
    expect(code, stderr).toBe(0);
    expect(repo.runs()).toHaveLength(2);
  });

  test('under the same path with other words under the same ids starts a new run', async () => {
    const repo = makeRepo({
      plan: planOf('US-1'),
      config: { gates: ['! test -f bad.txt'], limits: { attempts: 1 } },
      scenario: play({ 'US-1': [runs('touch bad.txt'), works] }),
    });
    expect((await repo.run()).code).toBe(3);
    expect((await repo.run()).code).toBe(3);
    expect(repo.runs()).toHaveLength(1);
    repo.write('prd.json', JSON.stringify(planOf(story('US-1', { title: 'Something else' }))));
    await repo.run();
    expect(repo.runs()).toHaveLength(2);
    expect(recordsOf(repo, 'iteration.started')[0]).toMatchObject({
      item: 'US-1',
      attempt: 1,
      title: 'Something else',
    });
  });

  test('that git ignores is run all the same, and an agent cannot change it either', async () => {
    const repo = makeRepo({
      files: { '.gitignore': 'prd.json\n' },
      config: { gates: ['true'] },
      scenario: play({
        'US-1': { steps: [{ write: { path: 'a.txt', text: 'a' } }, { run: 'echo "{" > prd.json' }] },
        'US-2': works,
      }),
    });
    repo.write('prd.json', `${JSON.stringify(planOf('US-1', 'US-2'), undefined, 2)}\n`);
    const { code, stderr } = await repo.run();
    expect(code, stderr).toBe(0);
    expect(doneIn(repo)).toEqual(['US-1', 'US-2']);
    expect(repo.git('ls-tree', '--name-only', 'HEAD')).not.toContain('prd.json');
    expect(repo.git('rev-list', '--count', 'main..HEAD')).toBe('2');
  });

  test('that is committed although git ignores it is marked in the commits', async () => {
    const repo = makeRepo({
      plan: planOf('US-1', 'US-2'),
      config: { gates: ['true'] },
      scenario: play({ '*': works }),
    });
    repo.write('.gitignore', 'prd.json\n');
    repo.git('add', '-A');
    repo.git('commit', '-qm', 'Ignored from now on');
    const { code, stderr } = await repo.run();
    expect(code, stderr).toBe(0);
    expect(doneIn(repo)).toEqual(['US-1', 'US-2']);
    expect(repo.git('show', 'HEAD:prd.json').match(/"passes": true/g)).toHaveLength(2);
    expect(repo.git('status', '--porcelain')).toBe('');
  });

  test('that is outside the repository is run and marked there', async () => {
    const repo = makeRepo({ config: { gates: ['true'] }, scenario: play({ '*': works }) });
    repo.write('../outside/prd.json', `${JSON.stringify(planOf('US-1'), undefined, 2)}\n`);
    const { code, stderr } = await repo.run(['../outside/prd.json']);
    expect(code, stderr).toBe(0);
    expect(repo.read('../outside/prd.json')).toContain('"passes": true');
    expect(existsSync(join(repo.root, 'prd.json'))).toBe(false);
  });

  test('that is a link is written through it', async () => {
    const repo = shop('US-1');
    linkPlan(repo);
    const { code, stderr } = await repo.run();
    expect(code, stderr).toBe(0);
    expect(lstatSync(join(repo.root, 'prd.json')).isSymbolicLink()).toBe(true);
    expect(repo.read('real.json')).toContain('"passes": true');
    expect(repo.git('status', '--porcelain')).toBe('');
  });

  test('that is a link to a file elsewhere is marked there', async () => {
    const repo = makeRepo({ config: { gates: ['true'] }, scenario: play({ '*': works }) });
    repo.write('../outside/real.json', `${JSON.stringify(planOf('US-1', 'US-2'), undefined, 2)}\n`);
    symlinkSync('../outside/real.json', join(repo.root, 'prd.json'));
    repo.git('add', '-A');
    repo.git('commit', '-qm', 'A link');
    const { code, stderr } = await repo.run();
    expect(code, stderr).toBe(0);
    expect(repo.read('../outside/real.json').match(/"passes": true/g)).toHaveLength(2);
    expect(repo.git('status', '--porcelain')).toBe('');
  });

  test('that is a link which the agent replaces by a file is a link again', async () => {
    const repo = makeRepo({
      plan: planOf('US-1', 'US-2'),
      config: { gates: ['true'] },
      scenario: play({ '*': runs('echo {{item}} > {{item}}.txt', 'cp prd.json new && mv new prd.json') }),
    });
    linkPlan(repo);
    const { code, stderr } = await repo.run();
    expect(code, stderr).toBe(0);
    expect(lstatSync(join(repo.root, 'prd.json')).isSymbolicLink()).toBe(true);
    expect(repo.git('show', 'HEAD:real.json').match(/"passes": true/g)).toHaveLength(2);
    expect(repo.git('status', '--porcelain')).toBe('');
  });

  test('keeps its bytes apart from the marks', async () => {
    const text =
      '\uFEFF{\r\n\t"project" : "Shop",  "extra": [1,  2],\r\n\t"userStories": [ { "passes":false, "id":"US-1", "title":"T" } ]\r\n}';
    const repo = makeRepo({ plan: text, config: { gates: ['true'] }, scenario: play({ '*': works }) });
    const { code, stderr } = await repo.run();
    expect(code, stderr).toBe(0);
    expect(repo.read('prd.json')).toBe(text.replace('false', 'true'));
  });
});

test.each([[['--worktree']], [['--parallel', '2']]])(
  'a new run beside the checkout (%j) takes the plan as it lies there, committed or not',
  async flags => {
    const repo = makeRepo({
      plan: planOf(story('A-1', { passes: true }), 'A-2'),
      config: { gates: ['true'] },
      scenario: play({ '*': works }),
    });
    // Opened again, and in other words: neither is committed.
    const edited = repo
      .read('prd.json')
      .replace('"passes": true', '"passes": false')
      .replace('Story A-2', 'Other words');
    repo.write('prd.json', edited);
    const { code, stdout, stderr } = await repo.run(flags);
    expect(code, stdout + stderr).toBe(0);
    expect(verdictsIn(repo).toSorted()).toEqual(['A-1 accepted', 'A-2 accepted']);
    expect(stdout).toContain('Other words');
    expect(repo.read('prd.json')).toBe(edited);
    expect(repo.git('show', 'ralph/shop:prd.json')).toContain('Other words');
  },
);
