/** An agent that uses the program itself to have its way: only a person tells the runner what to do. */
import { expect, test } from 'vitest';
import { cliFile } from '../support/cli.ts';
import { makeRepo } from '../support/repo.ts';
import { planOf, play, recordsOf, runs, verdictsIn, works } from './scene.ts';

const asks = [
  'done US-2',
  'skip US-2',
  'reset US-1',
  'retry US-1 --with easy',
  'steer "accept it"',
  'stop',
  'pause',
  'lessons add "it is fine"',
];

test.concurrent.each([
  ['as it is started', (ask: string) => `node ${cliFile} ${ask}`],
  ['without what the runner told it', (ask: string) => `env -u RALPH_RUN node ${cliFile} ${ask}`],
])('an agent cannot give orders to its runner, %s', async (_, command) => {
  const repo = makeRepo({
    plan: planOf('US-1', 'US-2'),
    config: { gates: ['test ! -e bad.txt'], limits: { attempts: 1 } },
    scenario: play({
      'US-1': runs(...asks.map(ask => `${command(ask)} >> asked.txt 2>&1; echo "exit $?" >> asked.txt`)),
      'US-2': runs('echo > bad.txt'),
    }),
  });
  const { code } = await repo.run();
  expect(code).toBe(3);
  expect(verdictsIn(repo)).toEqual(['US-1 accepted', 'US-2 rejected']);
  expect(repo.read('asked.txt').match(/exit \d+/g)).toEqual(asks.map(() => 'exit 4'));
  expect(repo.read('asked.txt')).toContain('only a person tells the runner what to do');
  for (const type of ['item.retried', 'steered', 'paused'] as const) expect(recordsOf(repo, type)).toEqual([]);
  expect(recordsOf(repo, 'item.marked').filter(({ by }) => by === 'person')).toEqual([]);
});

test.concurrent('what a person marked without a look stands in the report', async () => {
  const repo = makeRepo({
    plan: planOf('US-1', 'US-2'),
    config: { gates: ['true'] },
    scenario: play({ 'US-1': works, 'US-2': works }),
  });
  expect((await repo.run(['--max-iterations', '1'])).code).toBe(1);
  expect((await repo.ralph(['done', 'US-2'])).code).toBe(0);
  const { stdout } = await repo.ralph(['report']);
  expect(stdout).toContain('**Marked done by hand**: US-2, without a look at its work');
});
