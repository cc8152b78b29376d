/** A runner that dies again and again in the same item charges it; one that a person ended does not. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeRepo, type Repo } from '../support/repo.ts';

const plan = { project: 'two', userStories: ['a', 'b'].map(id => ({ id, title: `Write ${id}`, passes: false })) };
const work = { write: { path: '{{item}}.txt', text: '{{item}}\n' } };
/** Two attempts with the same work in the same second are one commit. */
const differs = { run: 'date +%N > a.txt' };
const killRunner = `kill -9 $(grep -o '"pid":[0-9]*' .ralph/lock | cut -d: -f2)`;

const aborted = (repo: Repo) =>
  repo.journal().flatMap(record => (record.type === 'iteration.aborted' ? [record.death] : []));

test('an item whose agent kills the runner is charged from the third time on, and blocked in the end', async () => {
  const repo = makeRepo({
    plan,
    config: { gates: ['true'], limits: { attempts: 2 } },
    scenario: { items: { a: [{ steps: [differs, { run: killRunner }, { sleep: '20s' }] }], b: [{ steps: [work] }] } },
  });
  const ends: (number | null)[] = [];
  let last = '';
  while (ends.length < 8 && (ends.length === 0 || ends.at(-1) === null)) {
    const { code, stdout } = await repo.ralph(['run']);
    ends.push(code);
    last = stdout;
  }
  expect(ends, last).toEqual([null, null, null, null, 3]);
  expect(aborted(repo)).toEqual([1, 2]);
  const rejected = repo
    .journal()
    .flatMap(record => (record.type === 'verdict' && record.verdict.type === 'rejected' ? [record.verdict.why] : []));
  expect(rejected).toEqual([3, 4].map(times => `the runner died ${times} times while this item was being worked on`));
  expect(repo.plan().userStories.map(({ passes }) => passes)).toEqual([false, true]);
  // Nothing that was made is lost, and nothing of it is left in the tree.
  expect(repo.git('for-each-ref', '--format=%(refname:lstrip=3)', 'refs/ralph').split('\n')).toHaveLength(4);
  expect(repo.git('status', '--porcelain')).toBe('');
  const { stdout: report } = await repo.ralph(['report']);
  expect(report).toContain('**Runner died** 4 times while a was being worked on');
});

test('a person who does not wait for the end of the agent is no death of the item', async () => {
  // Deaf to being asked to end, but only once.
  const deaf = "test -e ../outside/seen || { trap '' TERM; touch ../outside/seen; sleep 60; }";
  const repo = makeRepo({
    plan,
    config: { gates: ['true'] },
    scenario: { items: { '*': [{ steps: [work, { run: deaf }] }] } },
  });
  const running = repo.start(['run', '--json']);
  const until = async (isSo: () => boolean) => {
    while (!isSo()) await new Promise(done => setTimeout(done, 20));
  };
  await until(() => existsSync(join(repo.outside, 'seen')));
  running.child.kill('SIGINT');
  await until(() => repo.journal().some(record => record.type === 'stopping'));
  running.child.kill('SIGINT');
  expect((await running.ended).code).toBe(130);
  const again = await repo.ralph(['run']);
  expect(again.code, again.stdout + again.stderr).toBe(0);
  expect(aborted(repo)).toEqual([undefined]);
});
