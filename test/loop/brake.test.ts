/** The brake: a run in which nothing is accepted any more asks for a person before the money is gone. */
import { describe, expect, test } from 'vitest';
import { makeRepo } from '../support/repo.ts';
import { agentsIn, planOf, play, recordsOf, verdictsIn, works, writes } from './scene.ts';

const SIX = ['US-1', 'US-2', 'US-3', 'US-4', 'US-5', 'US-6'];
const lastEnd = (repo: ReturnType<typeof makeRepo>) => recordsOf(repo, 'run.finished').at(-1);

describe.concurrent('a run in which nothing is accepted', () => {
  test('stops when one gate has blocked two items in a row; called again it goes on', async () => {
    const repo = makeRepo({
      plan: planOf(...SIX),
      config: { gates: [{ name: 'lint', run: 'test ! -f broken || cat broken; test ! -f broken' }] },
      scenario: play({ '*': writes('broken', '{{item}} {{try}}\n') }),
    });
    const { code, stdout } = await repo.run();
    expect(code, stdout).toBe(3);
    expect(agentsIn(repo)).toBe(6);
    expect(lastEnd(repo)?.reason).toBe('fruitless');
    const why = 'A person is needed: nothing is accepted any more (the gate lint blocked US-1 and US-2';
    for (const words of [why, 'ralph logs 6', 'ralph retry US-1; ralph retry US-2; ralph run'])
      expect(stdout).toContain(words);
    // Whoever calls it again has had a look: it counts from the beginning.
    const again = await repo.run(['--max-attempts', '1']);
    expect(again.code).toBe(3);
    expect(agentsIn(repo)).toBe(8);
  });

  test('stops after six iterations, whatever refuses them; retries are not counted', async () => {
    const refused = (n: number) => ({ steps: [{ fail: { class: 'logic', message: `trouble ${n}` } }] });
    const overloaded = { steps: [{ fail: { class: 'overload', message: '529' } }] };
    const repo = makeRepo({
      plan: planOf(...SIX),
      config: { gates: ['true'], limits: { attempts: 2, wait: '6ms' } },
      scenario: play({ 'US-1': works, '*': [refused(1), overloaded, refused(2)] }),
    });
    const { code, stdout } = await repo.run();
    expect(code, stdout).toBe(3);
    expect(lastEnd(repo)).toMatchObject({ reason: 'fruitless', why: expect.stringContaining('6 iterations in a row') });
    expect(verdictsIn(repo).filter(verdict => !verdict.endsWith('retry'))).toHaveLength(7);
  });

  test('counts from the beginning after each accepted item', async () => {
    const repo = makeRepo({
      plan: planOf('US-1', 'US-2', 'US-3'),
      config: { gates: ['! grep -s BROKEN work.txt'], limits: { attempts: 5, fruitless: 2 } },
      scenario: play({ '*': [writes('work.txt', 'BROKEN {{item}}\n'), writes('work.txt', 'fine {{item}}\n')] }),
    });
    const { code, stdout } = await repo.run();
    expect(code, stdout).toBe(0);
    expect(agentsIn(repo)).toBe(6);
  });

  test('lets an item that is allowed more attempts have them, and obeys --max-fruitless', async () => {
    const repo = makeRepo({
      plan: planOf('US-1', 'US-2'),
      config: { gates: ['! grep -hs BROKEN work.txt'], limits: { attempts: 20, stuck: 20 } },
      scenario: play({
        'US-1': [...Array.from({ length: 7 }, (_, n) => writes('work.txt', `BROKEN ${n}\n`)), writes('work.txt')],
        '*': works,
      }),
    });
    const { code } = await repo.run(['--max-fruitless', '3']);
    expect([code, agentsIn(repo), lastEnd(repo)?.reason]).toEqual([3, 3, 'fruitless']);
    expect((await repo.run()).code).toBe(0);
  });

  test('is not one whose prompt changes the tree each time, red as it may be', async () => {
    const step = { steps: [{ append: { path: 'log.txt', text: '{{try}}\n' } }], claim: 'none' };
    const repo = makeRepo({
      config: { limits: { fruitless: 2 } },
      scenario: play({ prompt: [...Array.from({ length: 6 }, () => step), { ...step, claim: 'promise' }] }),
    });
    const until = 'test "$(wc -l < log.txt)" -ge 7';
    const { code, stdout } = await repo.run(['Write seven lines', '--until', until]);
    expect(code, stdout).toBe(0);
    expect(agentsIn(repo)).toBe(7);
  });
});
