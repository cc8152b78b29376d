/** A run in the background outlives the terminal it was started from; another terminal shows it, and stops it. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { planOf, play, runs } from '../loop/scene.ts';
import { cleanEnv, cliFile } from '../support/cli.ts';
import { makeRepo } from '../support/repo.ts';
import { until } from '../support/until.ts';

const terminal = fileURLToPath(new URL('../support/terminal.py', import.meta.url));

test('--detach survives its terminal, attach shows it live, stop ends it', async () => {
  const repo = makeRepo({
    plan: planOf('US-1', 'US-2'),
    config: { gates: ['true'] },
    scenario: play({
      '*': runs('touch $OUTSIDE/{{item}}', 'while ! test -e $OUTSIDE/go; do sleep 0.05; done', 'echo > {{item}}.txt'),
    }),
  });
  const env = cleanEnv(repo.home, { OUTSIDE: repo.outside, TERM: 'xterm' });
  // Every one of them in a terminal that is closed when the program in it ends.
  const inTerminal = (answers: readonly (readonly string[])[], ...args: string[]) =>
    spawnSync('python3', [terminal, JSON.stringify(answers), process.execPath, cliFile, ...args], {
      cwd: repo.root,
      env,
      encoding: 'utf8',
    });
  const started = inTerminal([], 'run', '--detach');
  expect([started.status, started.stdout]).toEqual([
    0,
    expect.stringMatching(/^Running in the background \(pid \d+\)\./),
  ]);
  const pid = Number(/pid (\d+)/.exec(started.stdout)?.[1]);
  await until(() => existsSync(join(repo.outside, 'US-1')));
  // Ctrl-C leaves the view, and not the run.
  const watched = inTerminal([['US-1 Story US-1', '\u0003']], 'attach');
  expect([watched.status, watched.stdout]).toEqual([0, expect.stringContaining('The run continues.')]);
  expect(() => process.kill(pid, 0)).not.toThrow();
  const stopped = inTerminal([], 'stop');
  expect(stopped.stdout).toContain(`It will end after the current iteration (${repo.runs()[0]}, pid ${pid})`);
  repo.write('../outside/go', '');
  await until(() => repo.journal().some(({ type }) => type === 'run.finished'));
  expect(repo.journal().findLast(({ type }) => type === 'run.finished')).toMatchObject({ reason: 'stop-requested' });
  await until(() => !existsSync(join(repo.root, '.ralph/lock')));
  expect(repo.git('ls-tree', '--name-only', 'ralph/shop')).toContain('US-1.txt');
});
