/** What an iteration left is shown the same whether it is packed or not. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packOldIterations } from '../../src/journal/pack-iterations.ts';
import { planOf, play, works, writes } from '../loop/scene.ts';
import { makeRepo } from '../support/repo.ts';

const COMMANDS = [
  ['logs', '1'],
  ['logs', '2', '--json'],
  ['logs', '1', '--raw'],
  ['logs', '2', '--diff'],
  ['logs'],
  ['report'],
  ['status'],
];

test('logs, their raw form, their diff and the report', async () => {
  const repo = makeRepo({
    plan: planOf('US-1', 'US-2'),
    config: { gates: ['test ! -e bad.txt'], limits: { attempts: 1 } },
    scenario: play({ 'US-1': works, 'US-2': writes('bad.txt') }),
  });
  await repo.ralph(['run']);
  const shown = async () => {
    const all: string[] = [];
    for (const command of COMMANDS) {
      const { code, stdout, stderr } = await repo.ralph(command);
      all.push(`${command.join(' ')}: ${code}\n${stdout}${stderr}`);
    }
    return all;
  };
  const before = await shown();
  const runFolder = join(repo.root, '.ralph/runs', repo.runs()[0] ?? '');
  expect(await packOldIterations({ base: join(repo.root, '.ralph'), runFolder, finished: 100 })).toBe(2);
  expect(existsSync(join(runFolder, 'iterations/001'))).toBe(false);
  // How long ago it was is the one thing that changes.
  const timeless = (text: string) => text.replaceAll(/\d+(?:\.\d+)?m?s ago|\d+ seconds? ago/g, 'ago');
  expect((await shown()).map(timeless)).toEqual(before.map(timeless));
});
