/** Runs side by side on one account: a limit that one of them meets parks the others too. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { planText, play, runs } from '../loop/scene.ts';
import { makeRepo } from '../support/repo.ts';
import { until } from '../support/until.ts';

test('of three runs one meets a limit: nobody starts an agent until it is over, then all finish', async () => {
  // The first of each has begun when the limit comes.
  const waits = runs(
    'touch $OUTSIDE/{{item}}',
    'while ! test -e $OUTSIDE/limit; do sleep 0.05; done',
    'touch {{item}}.txt',
  );
  const repo = makeRepo({
    files: {
      'a.json': planText('Alpha', 'A-1'),
      'b.json': planText('Beta', 'B-1', 'B-2'),
      'c.json': planText('Gamma', 'C-1', 'C-2'),
    },
    config: { gates: ['true'], agent: { use: 'script', scenario: '../outside/scenario.json', account: 'work' } },
    scenario: play({
      'A-1': [
        {
          steps: [
            { run: 'touch $OUTSIDE/A-1' },
            { run: 'while ! test -e $OUTSIDE/go; do sleep 0.05; done' },
            { 'rate-limit': { for: '6s' } },
          ],
        },
        runs('touch A-1.txt'),
      ],
      'B-1': waits,
      'C-1': waits,
      '*': runs('touch {{item}}.txt'),
    }),
  });
  const all = repo.start(['run', 'a.json', 'b.json', 'c.json'], { env: { OUTSIDE: repo.outside } });
  await until(() => ['A-1', 'B-1', 'C-1'].every(item => existsSync(join(repo.outside, item))));
  repo.write('../outside/go', '');
  const journal = (name: string) => repo.journal(repo.runs().find(run => run.includes(name)));
  await until(() => journal('alpha').some(({ type }) => type === 'wait.started'));
  repo.write('../outside/limit', '');
  const { code, stdout } = await all.ended;
  expect(code, stdout).toBe(0);
  const [limit] = journal('alpha').filter(({ type }) => type === 'wait.started');
  const over = limit?.type === 'wait.started' ? limit.until : Number.NaN;
  for (const name of ['beta', 'gamma']) {
    const waited = journal(name).find(({ type }) => type === 'wait.started');
    expect(waited, name).toMatchObject({ why: expect.stringContaining('a limit of the same account') });
    const later = journal(name).filter(record => record.type === 'agent.started' && record.at > (limit?.at ?? 0));
    expect(
      later.map(({ at }) => at >= over),
      name,
    ).toEqual([true]);
  }
});
