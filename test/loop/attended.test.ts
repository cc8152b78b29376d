/** A run that asks after each verdict, in a terminal and without one. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { cleanEnv, cliFile } from '../support/cli.ts';
import { makeRepo, type Repo } from '../support/repo.ts';
import { briefOf, planOf, play, recordsOf, verdictsIn, works } from './scene.ts';

const ASKS = 's[t]op? ';
const HINT = 'next attempt: ';
const terminal = fileURLToPath(new URL('../support/terminal.py', import.meta.url));

async function attend(repo: Repo, answers: readonly (readonly [string, string])[]) {
  const program = [process.execPath, cliFile, 'run', '--attended'];
  const child = spawn('python3', [terminal, JSON.stringify(answers), ...program], {
    cwd: repo.root,
    env: cleanEnv(repo.home, { TERM: 'dumb' }),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString('utf8')));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, said };
}

const shop = (scenario: unknown = play({ '*': works })) =>
  makeRepo({ plan: planOf('US-1', 'US-2', 'US-3'), config: { gates: ['true'] }, scenario });

const isLocked = (repo: Repo): boolean => existsSync(join(repo.root, '.ralph/lock'));

describe.concurrent('an attended run', () => {
  test('without a terminal is refused before anything is written', async () => {
    const repo = shop();
    for (const args of [['--attended'], ['--attended', '--detach']]) {
      const { code, stderr } = await repo.ralph(['run', ...args]);
      expect(code).toBe(2);
      expect(stderr).toContain('no terminal');
    }
    expect(existsSync(join(repo.root, '.ralph'))).toBe(false);
  });

  test('tries that very item again with the hint in its brief, though it was accepted; then stops', async () => {
    const append = { steps: [{ run: 'echo more >> $RALPH_ITEM.txt' }] };
    const repo = shop(play({ '*': append }));
    const answers = [
      [ASKS, 'g\r'],
      [ASKS, 'r\r'],
      [HINT, 'use blue ink\r'],
      [ASKS, 't\r'],
    ] as const;
    const { code, said } = await attend(repo, answers);
    expect(code, said).toBe(1);
    expect(verdictsIn(repo)).toEqual(['US-1 accepted', 'US-2 accepted', 'US-2 accepted']);
    expect(recordsOf(repo, 'item.retried')).toMatchObject([{ item: 'US-2', hint: 'use blue ink' }]);
    expect(briefOf(repo, 3)).toContain('use blue ink');
    expect(isLocked(repo)).toBe(false);
    // The hint was for that item alone.
    expect((await repo.run()).code).toBe(0);
    expect(briefOf(repo, 4)).not.toContain('use blue ink');
  });

  test('skips what was rejected and what was accepted, and leaves with 130 at Ctrl-C, the state safe', async () => {
    const repo = shop(play({ '*': works, 'US-1': { steps: [] } }));
    const { code, said } = await attend(repo, [
      [ASKS, 's\r'],
      [ASKS, 's\r'],
      [ASKS, '\u0003'],
    ]);
    expect(code, said).toBe(130);
    expect(verdictsIn(repo)).toEqual(['US-1 rejected', 'US-2 accepted', 'US-3 accepted']);
    expect(recordsOf(repo, 'item.marked').map(({ item, to }) => `${item} ${to}`)).toEqual([
      'US-1 skipped',
      'US-2 skipped',
    ]);
    expect(recordsOf(repo, 'run.finished').map(({ reason }) => reason)).toEqual(['interrupted']);
    expect(isLocked(repo)).toBe(false);
    const last = await repo.run();
    expect(last.code, last.stdout + last.stderr).toBe(0);
    expect(last.stdout).toContain('2 skipped');
  });
});

test('an order that was never taken up is not replayed over a later word of the person', async () => {
  const append = { steps: [{ run: 'echo more >> $RALPH_ITEM.txt' }] };
  const repo = makeRepo({ plan: planOf('US-1', 'US-2'), config: { gates: ['true'] }, scenario: play({ '*': append }) });
  expect((await repo.run()).code).toBe(0);
  expect((await repo.ralph(['retry', 'US-1', '--with', 'use blue ink'])).code).toBe(0);
  const done = await repo.ralph(['done', 'US-1']);
  expect(done.stderr).toContain('an older request about US-1 is dropped');
  expect((await repo.ralph(['reset', 'US-2'])).code).toBe(0);
  expect((await repo.run(['--once'])).code).toBe(0);
  expect(verdictsIn(repo)).toEqual(['US-2 accepted']);
  // The same where it lay in the inbox all the time.
  expect((await repo.ralph(['reset', 'US-1'])).code).toBe(0);
  expect((await repo.ralph(['reset', 'US-2'])).code).toBe(0);
  expect((await repo.run(['--once'])).code).toBe(1);
  expect((await repo.ralph(['block', 'US-2'])).code).toBe(0);
  const name = `${String(Date.now() - 3_600_000).padStart(15, '0')}-old.json`;
  repo.write(`.ralph/control/${name}`, JSON.stringify({ type: 'retry', item: 'US-2', hint: 'again' }));
  const last = await repo.run();
  expect([last.code, last.stdout]).toEqual([3, expect.stringContaining('an older retry of US-2 is dropped')]);
});
