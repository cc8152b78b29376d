/** What a person does about an item that is blocked: look at what was tried, and have it tried again. */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeRepo } from '../support/repo.ts';
import { briefOf, planOf, play, recordsOf, runs, verdictsIn, works, writes } from './scene.ts';

const blocked = () =>
  makeRepo({
    plan: planOf('US-1', 'US-2'),
    config: { gates: ['! grep -s BROKEN code.txt'], limits: { attempts: 2 } },
    scenario: play({
      'US-1': [writes('code.txt', 'BROKEN one\n'), writes('code.txt', 'BROKEN two\n'), writes('code.txt', 'fine\n')],
      'US-2': works,
    }),
  });

describe.concurrent('ralph retry', () => {
  test('starts the item again from its first attempt, and its brief carries the hint and the last failure', async () => {
    const repo = blocked();
    expect((await repo.run()).code).toBe(3);
    const { code, stdout } = await repo.ralph(['retry', 'US-1', '--with', 'Say fine, not BROKEN']);
    expect(code).toBe(0);
    expect(stdout).toContain('ralph run');
    expect((await repo.ralph(['brief', 'US-1'])).stdout).toContain('Say fine, not BROKEN');
    const again = await repo.run();
    expect(again.code, again.stdout).toBe(0);
    expect(verdictsIn(repo)).toEqual(['US-1 rejected', 'US-1 rejected', 'US-2 accepted', 'US-1 accepted']);
    expect(briefOf(repo, 4)).toContain('Say fine, not BROKEN');
    expect(briefOf(repo, 4)).toContain('BROKEN two');
    expect(recordsOf(repo, 'iteration.started').at(-1)).toMatchObject({ attempt: 1, try: 3 });
  });

  test('of an item of a run that is over reaches the next one', async () => {
    const repo = makeRepo({
      plan: planOf('US-1'),
      config: { gates: ['true'] },
      scenario: play({ 'US-1': [writes('a.txt'), writes('b.txt')] }),
    });
    expect((await repo.run()).code).toBe(0);
    await repo.ralph(['retry', 'US-1', '--with', 'Once more, with feeling']);
    expect(repo.plan().userStories[0]?.passes).toBe(false);
    await repo.run(['--max-iterations', '1']);
    expect(briefOf(repo, 1)).toContain('Once more, with feeling');
  });

  test('reaches a live run, which takes it after the current iteration', async () => {
    const repo = makeRepo({
      plan: planOf('US-1', 'US-2'),
      config: { gates: ['true'] },
      scenario: play({
        'US-1': [{ steps: [], claim: { blocked: 'which key?' } }, works],
        'US-2': runs('touch ../outside/here; while [ ! -e ../outside/go ]; do sleep 0.05; done', 'echo 2 > two.txt'),
      }),
    });
    const running = repo.start(['run']);
    while (!existsSync(join(repo.outside, 'here'))) await new Promise(resolve => setTimeout(resolve, 20));
    const { code, stdout } = await repo.ralph(['retry', 'US-1', '--with', 'The key is under the mat']);
    writeFileSync(join(repo.outside, 'go'), '');
    expect([code, stdout]).toEqual([0, expect.stringContaining(`pid ${running.pid}`)]);
    expect((await running.ended).code).toBe(0);
    expect(verdictsIn(repo)).toEqual(['US-1 blocked', 'US-2 accepted', 'US-1 accepted']);
    expect(briefOf(repo, 3)).toContain('The key is under the mat');
  });

  test('and unblock take all that are blocked at once', async () => {
    const says = (why: string) => ({ steps: [], claim: { blocked: why } });
    const repo = makeRepo({
      plan: planOf('US-1', 'US-2', 'US-3'),
      config: { gates: ['true'] },
      scenario: play({ 'US-1': [says('a'), says('b'), works], 'US-2': works, 'US-3': [says('c'), works] }),
    });
    expect((await repo.run()).code).toBe(3);
    expect((await repo.ralph(['unblock'])).stderr).toContain('ralph unblock needs <item> or --all');
    expect((await repo.ralph(['retry', 'US-1', '--all'])).code).toBe(2);
    expect((await repo.ralph(['unblock', '--all'])).stdout).toBe('US-1 is pending.\nUS-3 is pending.\n');
    expect((await repo.run()).code).toBe(3);
    const { code, stdout } = await repo.ralph(['retry', '--all', '--with', 'Use the other key']);
    expect([code, stdout]).toEqual([0, expect.stringContaining('US-1 will be tried again')]);
    expect((await repo.run()).code).toBe(0);
    expect(briefOf(repo, 6)).toContain('Use the other key');
    expect((await repo.ralph(['unblock', '--all'])).stdout).toBe('No item is blocked.\n');
  });

  test('says when there is no such item, and nothing changes', async () => {
    const repo = blocked();
    const { code, stderr } = await repo.ralph(['retry', 'US-11', '--with', 'x']);
    expect(code).toBe(2);
    expect(stderr).toContain('US-1');
    expect(repo.runs()).toEqual([]);
  });

  test('is what the report ends a blocked item with, after each attempt’s reasons, diff and ref', async () => {
    const repo = blocked();
    await repo.run();
    const { stdout } = await repo.ralph(['report']);
    const run = repo.runs()[0] ?? '';
    const section = stdout.slice(stdout.indexOf('### US-1'), stdout.indexOf('### US-2'));
    for (const words of [
      'ralph retry US-1 --with',
      `refs/ralph/${run}/US-1/1`,
      `refs/ralph/${run}/US-1/2`,
      '+BROKEN one',
      '+BROKEN two',
      'gate-red',
    ]) {
      expect(section).toContain(words);
    }
    expect(repo.git('show', `refs/ralph/${run}/US-1/2`)).toContain('+BROKEN two');
  });
});

describe.concurrent('an item on which nothing moves', () => {
  test('is ended although every failure reads differently, and the rest goes on', async () => {
    const breaks = (message: string) => ({ steps: [{ fail: { class: 'logic', message } }] });
    const repo = makeRepo({
      plan: planOf('US-1', 'US-2'),
      config: { gates: ['true'], limits: { attempts: 20, stuck: 3 } },
      scenario: play({ 'US-1': ['one', 'other', 'third', 'last'].map(breaks), 'US-2': works }),
    });
    const { code, stdout } = await repo.run();
    expect(code, stdout).toBe(3);
    expect(verdictsIn(repo)).toEqual(['US-1 rejected', 'US-1 rejected', 'US-1 rejected', 'US-2 accepted']);
    expect(stdout).toContain('3 iterations in a row changed neither the tree nor what the checks say');
  });

  test('is never one whose work was committed by the agent, or whose tree changed', async () => {
    const commit = 'git add -A && git -c user.name=a -c user.email=a@example.org commit -qm "by itself"';
    const step = { steps: [{ append: { path: 'log.txt', text: '{{try}}\n' } }, { run: commit }], claim: 'none' };
    const repo = makeRepo({
      plan: planOf('US-1'),
      config: {
        gates: ['test ! -f log.txt || { cat log.txt; test "$(wc -l < log.txt)" -ge 5; }'],
        limits: { attempts: 20, stuck: 3 },
      },
      scenario: play({ 'US-1': [step, step, step, step, { ...step, claim: 'done' }] }),
    });
    const { code, stdout } = await repo.run();
    expect(code, stdout).toBe(0);
    expect(verdictsIn(repo)).toHaveLength(5);
  });
});
