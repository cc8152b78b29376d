/** When a run ends, and with which code. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeRepo } from '../support/repo.ts';
import { withinSeconds } from '../support/until.ts';
import { agentsIn, briefOf, doneIn, planOf, play, recordsOf, story, verdictsIn, works, writes } from './scene.ts';

const RED = '! test -f red.txt';
/** A failure that looks different each time, so that only the attempts are counted. */
const failsAnew = writes('red.txt', '{{attempt}}\n');

describe.concurrent('a run', () => {
  test('blocks an item whose attempts are used up, goes on with the others, and exits 3', async () => {
    const repo = makeRepo({
      plan: planOf('US-1', 'US-2', story('US-3', { dependsOn: ['US-1'] })),
      config: { gates: ['! cat red.txt'], limits: { attempts: 2 } },
      scenario: play({
        'US-1': [writes('red.txt', 'one\n'), writes('red.txt', 'two\n')],
        '*': works,
      }),
    });
    const { code, stdout } = await repo.run();
    expect(code).toBe(3);
    expect(verdictsIn(repo)).toEqual(['US-1 rejected', 'US-1 rejected', 'US-2 accepted']);
    expect(stdout).toContain('2 attempts were rejected');
    expect(repo.git('for-each-ref', '--format=%(refname:lstrip=3)', 'refs/ralph')).toBe('US-1/1\nUS-1/2');
    expect(repo.git('ls-tree', '--name-only', 'HEAD')).not.toContain('red.txt');
  });

  test('blocks an item that fails the same way three times in a row, however many attempts are left', async () => {
    const repo = makeRepo({
      plan: planOf('US-1'),
      config: { gates: [RED], limits: { attempts: 10, stuck: 3 } },
      scenario: play({ 'US-1': failsAnew }),
    });
    const { code, stdout } = await repo.run();
    expect(code).toBe(3);
    expect(agentsIn(repo)).toBe(3);
    expect(stdout).toContain('the same failure 3 times in a row');
  });

  test.for([
    { name: 'iterations', config: {}, flags: ['--max-iterations', '2'] },
    { name: 'iterations', config: { limits: { iterations: 2 } }, flags: [] },
    { name: 'cost', config: {}, flags: ['--max-cost', '1.5'] },
  ] as const)('stops at the limit of $name with exit 1 and goes on from there', async ({ name, config, flags }) => {
    const repo = makeRepo({
      plan: planOf('US-1', 'US-2', 'US-3'),
      config: { gates: ['true'], ...config },
      scenario: play({ '*': { steps: [{ write: { path: '{{item}}.txt', text: 'x' } }, { usage: { cost: 1 } }] } }),
    });
    const { code } = await repo.run([...flags]);
    expect(code).toBe(1);
    expect(recordsOf(repo, 'run.finished').at(-1)?.reason).toBe(name);
    expect(doneIn(repo)).toEqual(['US-1', 'US-2']);
    const again = await repo.run(['--max-cost', '20']);
    expect(again.code).toBe(0);
    expect(repo.runs()).toHaveLength(1);
    expect(agentsIn(repo)).toBe(3);
  });

  test('stops at the limit of time, ending the agent that works', async () => {
    const repo = await withinSeconds(async seconds => {
      const made = makeRepo({
        plan: planOf('US-1'),
        config: { gates: ['true'] },
        scenario: play({ '*': { steps: [{ say: 'thinking' }, { sleep: '600s' }] } }),
      });
      const { code } = await made.run(['--timeout', `${seconds}s`]);
      expect(code).toBe(1);
      return agentsIn(made) > 0 ? made : undefined;
    });
    expect(recordsOf(repo, 'run.finished')[0]?.reason).toBe('time');
    expect(recordsOf(repo, 'agent.finished')[0]?.end.reason).toBe('timeout');
  });

  test('waits for an announced reset and charges no attempt', async () => {
    const repo = makeRepo({
      plan: planOf('US-1'),
      config: { gates: ['true'], limits: { attempts: 1, wait: '30ms' } },
      scenario: play({
        'US-1': [
          { steps: [{ 'rate-limit': { for: '700ms' } }] },
          { steps: [{ 'rate-limit': { for: '300ms' } }] },
          works,
        ],
      }),
    });
    const { code, stdout } = await repo.run();
    expect(code).toBe(0);
    expect(verdictsIn(repo)).toEqual(['US-1 retry', 'US-1 retry', 'US-1 accepted']);
    expect(stdout).toContain('not charged');
    expect(recordsOf(repo, 'iteration.started').map(({ attempt }) => attempt)).toEqual([1, 1, 1]);
    const [failed] = recordsOf(repo, 'agent.finished');
    const [wait] = recordsOf(repo, 'wait.started');
    const [ended] = recordsOf(repo, 'wait.ended');
    expect(wait?.until).toBeGreaterThanOrEqual(failed?.failure?.resetAt ?? Number.POSITIVE_INFINITY);
    expect(ended?.at).toBeGreaterThanOrEqual(wait?.until ?? Number.POSITIVE_INFINITY);
  });

  test('ends a silent agent, keeps what it made, and tries again without charging', async () => {
    const repo = await withinSeconds(async seconds => {
      const made = makeRepo({
        plan: planOf('US-1'),
        config: { gates: ['true'], limits: { attempts: 1, idle: `${seconds}s`, wait: '30ms' } },
        scenario: play({
          'US-1': [
            {
              steps: [
                { write: { path: 'half.txt', text: 'half\n' } },
                { run: 'touch ../outside/wrote' },
                { hang: true },
              ],
            },
            { steps: [{ append: { path: 'half.txt', text: 'whole\n' } }] },
          ],
        }),
      });
      const { code } = await made.run();
      return code === 0 && agentsIn(made) === 2 && existsSync(join(made.outside, 'wrote')) ? made : undefined;
    });
    expect(recordsOf(repo, 'agent.finished')[0]?.end.reason).toBe('idle');
    expect(verdictsIn(repo)).toEqual(['US-1 retry', 'US-1 accepted']);
    expect(repo.git('show', 'HEAD:half.txt')).toBe('half\nwhole');
  });

  test('stops at once when the agent is not logged in: no second call', async () => {
    const repo = makeRepo({
      plan: planOf('US-1', 'US-2'),
      config: { gates: ['true'] },
      scenario: play({ '*': { steps: [{ fail: { class: 'auth', message: 'invalid key' } }] } }),
    });
    const { code, stdout } = await repo.run();
    expect(code).toBe(3);
    expect(agentsIn(repo)).toBe(1);
    expect(stdout).toContain('invalid key');
  });

  test('charges an attempt when the agent breaks down by itself', async () => {
    const repo = makeRepo({
      plan: planOf('US-1'),
      config: { gates: ['true'] },
      scenario: play({ 'US-1': [{ steps: [{ say: 'Hm' }, { exit: 7 }] }, works] }),
    });
    expect((await repo.run()).code).toBe(0);
    expect(verdictsIn(repo)).toEqual(['US-1 rejected', 'US-1 accepted']);
  });

  test.for([
    { on: 'block', status: 'blocked', exit: 3 },
    { on: 'skip', status: 'skipped', exit: 0 },
  ] as const)('on a refused input can $on the item', async ({ on, status, exit }) => {
    const repo = makeRepo({
      plan: planOf('US-1', 'US-2'),
      config: { gates: ['true'], 'on-validation': on },
      scenario: play({ 'US-1': works, 'US-2': { steps: [{ fail: { class: 'validation', message: 'too long' } }] } }),
    });
    const { code, stdout } = await repo.run();
    expect(code, stdout).toBe(exit);
    expect(agentsIn(repo)).toBe(2);
    expect(stdout).toContain(`1 ${status}`);
  });

  test('adds a fix item when a final gate is red, and is complete once that is done', async () => {
    const repo = makeRepo({
      plan: planOf('US-1'),
      config: {
        gates: ['true'],
        final: [{ name: 'e2e', run: 'test -f fixed.txt || { echo the shop is shut; exit 1; }' }],
      },
      scenario: play({ 'US-1': works, 'FIX-1': writes('fixed.txt') }),
    });
    const { code, stdout } = await repo.run();
    expect(code, stdout).toBe(0);
    expect(verdictsIn(repo)).toEqual(['US-1 accepted', 'FIX-1 accepted']);
    expect(briefOf(repo, 2)).toContain('the shop is shut');
    expect(doneIn(repo)).toEqual(['US-1', 'FIX-1']);
    expect(repo.git('log', '-1', '--format=%s')).toBe('fix(FIX-1): Make the final gate pass: e2e');
    expect(repo.git('status', '--porcelain')).toBe('');
  });

  test('needs a person when fix after fix does not make the final gate green', async () => {
    const repo = makeRepo({
      plan: planOf('US-1'),
      config: { gates: ['true'], final: ['false'] },
      scenario: play({ '*': works }),
    });
    const { code } = await repo.run();
    expect(code).toBe(3);
    expect(agentsIn(repo)).toBe(4);
  });

  test('names the final gate, and no blocked items, when accepted fixes did not help', async () => {
    const repo = makeRepo({
      plan: planOf('US-1'),
      // Red when the plan is finished, green when a fix item is judged.
      config: { gates: ['true'], final: [{ name: 'e2e', run: 'rm ~/ran 2>/dev/null || { touch ~/ran; false; }' }] },
      scenario: play({ '*': works }),
    });
    const { code, stdout } = await repo.ralph(['run']);
    expect([code, agentsIn(repo)]).toEqual([3, 4]);
    expect(stdout).toContain('the run cannot go on (the final gate e2e is not green after 3 fix items)');
    expect(stdout).not.toContain('blocked');
  });

  test('says how it ended once, and counts the commits that its range lists', async () => {
    const repo = makeRepo({
      plan: planOf('US-1'),
      // The fix item of a red final gate is a commit of the runner's own.
      config: { gates: ['true'], final: [{ name: 'e2e', run: 'test -e FIX-1.txt' }] },
      scenario: play({ '*': works }),
    });
    const { code, stdout } = await repo.ralph(['run']);
    expect(code, stdout).toBe(0);
    expect(stdout.split('Complete:')).toHaveLength(2);
    const listed = /(git log --oneline \S+) /.exec(stdout)?.[1]?.replace('git log', '').trim() ?? '';
    const commits = repo.git('log', ...listed.split(' ')).split('\n');
    expect(commits).toHaveLength(3);
    expect(stdout).toContain(`commits   3 (${repo.git('rev-parse', '--short=7', 'main')}..${commits[0]?.slice(0, 7)})`);
    expect((await repo.ralph(['report'])).stdout).toContain('| Commits | 3 (');
    expect((await repo.ralph(['review'])).stdout).toContain(' · 3 commits · ');
    const quiet = await repo.ralph(['run', '--quiet']);
    expect(quiet.stdout.split('Complete:')).toHaveLength(2);
  });

  test('of a plan that is done starts no agent and leaves everything as it is', async () => {
    const repo = makeRepo({
      plan: planOf(story('US-1', { passes: true }), story('US-2', { passes: true })),
      config: { gates: ['true'] },
      scenario: play({ '*': works }),
    });
    const head = repo.git('rev-parse', 'HEAD');
    const { code, stdout } = await repo.run();
    expect(code).toBe(0);
    expect(stdout).toMatch(/done already/);
    expect(agentsIn(repo)).toBe(0);
    expect(repo.git('rev-parse', 'HEAD')).toBe(head);
    expect(repo.git('branch', '--format=%(refname:short)')).toBe('main');
  });

  test('of a plan that is done proves it by the final gates when nobody has before', async () => {
    const repo = makeRepo({
      plan: planOf(story('US-1', { passes: true })),
      config: { gates: ['true'], final: ['test -f fixed.txt'] },
      scenario: play({ 'FIX-1': writes('fixed.txt') }),
    });
    expect((await repo.run()).code).toBe(0);
    expect(agentsIn(repo)).toBe(1);
    expect((await repo.run()).code).toBe(0);
    expect(agentsIn(repo)).toBe(1);
  });

  test('that was complete and is called again starts no agent', async () => {
    const repo = makeRepo({ plan: planOf('US-1'), config: { gates: ['true'] }, scenario: play({ '*': works }) });
    await repo.run();
    const records = repo.journal().length;
    expect((await repo.run()).code).toBe(0);
    expect(repo.journal()).toHaveLength(records);
  });
});
