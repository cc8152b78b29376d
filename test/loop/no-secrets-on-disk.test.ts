/** What an agent or a gate prints of its environment's secrets is in no file that the runner writes. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeRepo } from '../support/repo.ts';
import { planOf, recordsOf } from './scene.ts';

const CANARY = 'c4nary-Value-77';
const AGENT = [
  'echo "out $SHOP_PASSWORD"',
  'echo "err $SHOP_PASSWORD" >&2',
  'printf \'{"tool":"env","output":"%s"}\\n\' "$SHOP_PASSWORD"',
  'echo "$RALPH_ITEM" >> "$RALPH_ITEM.txt"',
  'echo "Looked at $SHOP_PASSWORD."',
  'echo "RALPH_TASK_COMPLETE: $RALPH_ITEM"',
].join('\n');

const filesIn = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name));

test('not in logs, events, evidence, the next brief, the report or the archive', async () => {
  const repo = makeRepo({
    plan: planOf('US-1'),
    config: {
      agent: { use: 'command', command: ['sh', '-c', AGENT] },
      gates: [`echo "gate $SHOP_PASSWORD"; [ "$(cat US-1.txt 2>/dev/null | wc -l)" != 1 ]`],
    },
  });
  const { code, stdout, stderr } = await repo.run([], { env: { SHOP_PASSWORD: CANARY } });
  expect(code, stdout + stderr).toBe(0);
  expect(recordsOf(repo, 'verdict').map(({ verdict }) => verdict.type)).toEqual(['rejected', 'accepted']);
  const holding = filesIn(repo.root).filter(file => readFileSync(file).includes(CANARY));
  expect(holding).toEqual([]);
  const log = filesIn(join(repo.root, '.ralph')).find(file => file.endsWith('001/output.log')) ?? '';
  expect(readFileSync(log, 'utf8')).toContain('out [SHOP_PASSWORD hidden]\n');
  expect(stdout).not.toContain(CANARY);
  expect((await repo.ralph(['logs', '1', '--raw'])).stdout).toContain('err [SHOP_PASSWORD hidden]');
});
