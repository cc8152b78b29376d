/** A person in the same checkout while a run goes on: nothing of theirs is lost or taken for an agent's. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Event } from '../../src/events.ts';
import { Stopper } from '../../src/process/stopper.ts';
import { run } from '../../src/run.ts';
import { cleanEnv } from '../support/cli.ts';
import { makeRepo, type Repo } from '../support/repo.ts';
import { night, runOn } from './night.ts';
import { doneIn, GIT, planOf, play, recordsOf, runs, story, verdictsIn, works, writes } from './scene.ts';

const limited = [{ steps: [{ 'rate-limit': { for: '300ms' } }] }, works];

const shop = (config: Readonly<Record<string, unknown>> = {}) =>
  makeRepo({
    plan: planOf('US-1', 'US-2', 'US-3'),
    config: { gates: ['true'], limits: { wait: '30ms' }, ...config },
    scenario: play({ 'US-2': limited, '*': works }),
  });

interface Hand {
  readonly on: Event['type'];
  readonly act: (stopper: Stopper) => void;
}

/** A run with a person's hand in it, at the first event of a kind. */
async function runWith(repo: Repo, { on, act }: Hand): Promise<{ exit: number; notices: string }> {
  const stopper = new Stopper();
  const notices: string[] = [];
  let acted = false;
  const sink = (event: Event) => {
    if (event.type === 'notice') notices.push(event.message);
    if (event.type !== on || acted) return;
    acted = true;
    act(stopper);
  };
  const result = await run({ cwd: repo.root, env: cleanEnv(repo.home), stopper, sinks: [sink] });
  return { exit: result.exit, notices: notices.join('\n') };
}

const foundRef = (repo: Repo): string =>
  repo.git('for-each-ref', '--format=%(refname)', `refs/ralph/${repo.runs()[0]}/found`);

describe.concurrent('a person who', () => {
  test('leaves a file in the tree and stops the run finds it there', async () => {
    const repo = shop();
    const { exit, notices } = await runWith(repo, {
      on: 'iteration.finished',
      act: stopper => {
        repo.write('mine.txt', 'mine\n');
        stopper.stop({ reason: 'stop-requested', now: false });
      },
    });
    expect(exit).toBe(1);
    expect(repo.read('mine.txt')).toBe('mine\n');
    expect(repo.git('status', '--porcelain')).toBe('?? mine.txt');
    expect(notices).toContain('mine.txt: not made by any iteration, and left as it is');
  });

  test('edits the plan and a file during a wait has the file kept under a ref', async () => {
    const repo = shop();
    const { exit, notices } = await runWith(repo, {
      on: 'wait.started',
      act: () => {
        repo.write('mine.txt', 'mine\n');
        repo.write('prd.json', repo.read('prd.json').replace('Story US-3', 'Another'));
      },
    });
    expect(exit).toBe(0);
    expect(notices).toContain('mine.txt');
    expect(repo.git('show', `${foundRef(repo)}:mine.txt`)).toBe('mine');
    expect(repo.git('log', '-1', '--format=%s')).toBe('feat(US-3): Another');
    expect(repo.git('log', '--format=', '--name-only', 'main..HEAD')).not.toContain('mine.txt');
  });

  test('marks the next story done during a wait saves an agent', async () => {
    const repo = makeRepo({
      plan: planOf('US-1', 'US-2'),
      config: { gates: ['true'] },
      scenario: play({ 'US-1': [{ steps: [{ 'rate-limit': { for: '4h' } }] }, works], 'US-2': works }),
    });
    const tick = () => repo.write('prd.json', repo.read('prd.json').replace('"passes": false', '"passes": true'));
    const time = night();
    // Later than the look at the plan that comes before the wait.
    const sleep = (ms: number) => {
      if (time.slept.length === 0) tick();
      return time.sleep(ms);
    };
    expect((await runOn(repo, { clock: { ...time, sleep } })).exit).toBe(0);
    expect(verdictsIn(repo)).toEqual(['US-1 retry', 'US-2 accepted']);
  });

  test('is told once, not before every try, why an item comes before another', async () => {
    const repo = makeRepo({
      plan: planOf(story('US-1', { dependsOn: ['US-2'] }), 'US-2'),
      config: { gates: ['true'] },
      scenario: play({ 'US-2': [{ steps: [{ 'rate-limit': { for: '1ms' } }] }, works], 'US-1': works }),
    });
    const told: string[] = [];
    const sink = (event: Event) => void (event.type === 'notice' && told.push(event.message));
    expect((await runOn(repo, { clock: night(), sinks: [sink] })).exit).toBe(0);
    expect(told.filter(text => text.includes('comes before'))).toEqual([
      'US-2 comes before US-1, which waits for US-2',
    ]);
  });

  test('commits on the branch during a wait has the work built upon', async () => {
    const repo = shop();
    const { exit } = await runWith(repo, {
      on: 'wait.started',
      act: () => {
        repo.write('mine.txt', 'mine\n');
        repo.git('add', 'mine.txt');
        repo.git('commit', '-qm', 'Mine');
      },
    });
    expect(exit).toBe(0);
    expect(repo.git('log', '--format=%s', 'main..HEAD').split('\n')).toEqual([
      'feat(US-3): Story US-3',
      'feat(US-2): Story US-2',
      'Mine',
      'feat(US-1): Story US-1',
    ]);
  });

  test('switches the branch ends the run, keeps the other branch as it is, and can go on later', async () => {
    const repo = shop();
    const { exit } = await runWith(repo, { on: 'wait.started', act: () => repo.git('checkout', '-q', 'main') });
    expect(exit).toBe(1);
    expect(recordsOf(repo, 'run.finished')[0]?.why).toContain('switched the checkout away from ralph/shop');
    expect(repo.git('status', '--porcelain', '-b')).toBe('## main');
    const again = await repo.run();
    expect(again.code, again.stderr).toBe(0);
    expect(repo.git('symbolic-ref', '--short', 'HEAD')).toBe('ralph/shop');
    expect(doneIn(repo)).toEqual(['US-1', 'US-2', 'US-3']);
    expect(verdictsIn(repo).filter(verdict => verdict.endsWith('accepted'))).toHaveLength(3);
  });
});

describe.concurrent('what gates write', () => {
  test('into the plan is put back: the code under test is the agent’s', async () => {
    const repo = makeRepo({
      plan: planOf('US-1', 'US-2'),
      config: { gates: ['! test -f cheat.sh || sh cheat.sh'] },
      scenario: play({
        'US-1': writes('cheat.sh', `sed -i.bak 's/"passes": false/"passes": true/' prd.json; rm -f prd.json.bak\n`),
        'US-2': runs('rm cheat.sh'),
      }),
    });
    const { code, stdout } = await repo.run();
    expect(code).toBe(0);
    expect(stdout).toContain('the plan was edited while the gates ran');
    expect(verdictsIn(repo)).toEqual(['US-1 accepted', 'US-2 accepted']);
  });

  test('as final gates does not stay in the tree, nor count as anybody’s work', async () => {
    const repo = shop({ final: ['echo coverage > coverage.txt'] });
    const { code, stdout } = await repo.run();
    expect(code).toBe(0);
    expect(repo.git('status', '--porcelain')).toBe('');
    expect(stdout).not.toContain('not made by any iteration');
  });

  test('final gates look at what was accepted, not at an attempt that was left', async () => {
    const repo = makeRepo({
      plan: planOf('US-1', story('US-2')),
      config: {
        gates: ['! test -f bad.txt'],
        limits: { attempts: 1 },
        final: ['! test -f bad.txt'],
        'on-validation': 'skip',
      },
      scenario: play({
        'US-1': works,
        'US-2': [runs('touch bad.txt'), { steps: [{ fail: { class: 'validation' } }] }],
      }),
    });
    expect((await repo.run(['--max-attempts', '2'])).code).toBe(0);
    expect(verdictsIn(repo)).toEqual(['US-1 accepted', 'US-2 rejected', 'US-2 blocked']);
  });
});

describe.concurrent('what an attempt leaves', () => {
  test('as a repository of its own is moved out of the way, not deleted', async () => {
    const repo = makeRepo({
      plan: planOf('US-1'),
      config: { gates: ['true'] },
      scenario: play({
        'US-1': [runs(`git init -q sub && cd sub && echo a > a.txt && git add -A && ${GIT} commit -qm a`), works],
      }),
    });
    const { code, stdout } = await repo.run();
    expect(code, stdout).toBe(0);
    expect(verdictsIn(repo)).toEqual(['US-1 rejected', 'US-1 accepted']);
    expect(existsSync(join(repo.root, 'sub'))).toBe(false);
    const aside = join(repo.root, '.ralph/runs', repo.runs()[0] ?? '', 'repositories');
    expect(readdirSync(aside).map(name => existsSync(join(aside, name, 'a.txt')))).toEqual([true]);
  });

  test('under an id that is no name for a ref is kept all the same', async () => {
    const ids = ['Ä/../x y*~^:?.lock', '-rf', 'a'.repeat(300), '..', 'x/'];
    const repo = makeRepo({
      plan: planOf(...ids),
      config: { gates: ['! test -f bad.txt'] },
      scenario: play({ '*': [runs('touch bad.txt'), runs('rm bad.txt; echo {{iteration}} > x')] }),
    });
    const { code, stdout } = await repo.run();
    expect(code, stdout).toBe(0);
    expect(doneIn(repo)).toEqual(ids);
    expect(repo.git('for-each-ref', 'refs/ralph').split('\n')).toHaveLength(ids.length);
  });
});
