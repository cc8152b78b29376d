/** Orders to a live run from a place that an agent could have made as well: held, and obeyed with the code of its terminal. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { cleanEnv, cliFile } from '../support/cli.ts';
import { makeRepo, type Repo } from '../support/repo.ts';
import { until } from '../support/until.ts';
import { planOf, play, recordsOf, works } from './scene.ts';

const SCRIPT = '/usr/bin/script';

/** As from a terminal that was opened after the run began. */
async function fromElsewhere(repo: Repo, ...args: readonly string[]): Promise<{ code: unknown; said: string }> {
  const child = spawn(process.execPath, [cliFile, ...args], {
    cwd: repo.root,
    env: cleanEnv(repo.home),
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const [code] = (await once(child, 'close')) as unknown[];
  return { code, said };
}

test.skipIf(!existsSync(SCRIPT))(
  'an order from a later session is held until the code of the terminal confirms it',
  async () => {
    const repo = makeRepo({
      plan: planOf('US-1', 'US-2', 'US-3'),
      config: { gates: ['true'] },
      scenario: play({
        'US-1': {
          steps: [{ run: 'until test -e ../outside/go; do sleep 0.05; done' }, { write: { path: 'a', text: 'x' } }],
        },
        '*': works,
      }),
    });
    const run = spawn(SCRIPT, ['-qfec', `${process.execPath} ${cliFile} run`, '/dev/null'], {
      cwd: repo.root,
      env: cleanEnv(repo.home, { TERM: 'dumb' }),
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    let shown = '';
    run.stdout.on('data', (chunk: Buffer) => (shown += chunk.toString()));
    const ended = once(run, 'close');
    await until(() => repo.runs().length > 0 && recordsOf(repo, 'agent.started').length > 0);

    const first = await fromElsewhere(repo, 'skip', 'US-2');
    expect(first).toMatchObject({ code: 4, said: expect.stringContaining('--confirm') });
    await until(() => /--confirm \d{4}/.test(shown));
    const [, code = ''] = /--confirm (\d{4})/.exec(shown) ?? [];
    const wrong = String((Number(code) % 9000) + 1000);
    expect((await fromElsewhere(repo, 'skip', 'US-2', '--confirm', wrong)).code).toBe(4);
    expect(await fromElsewhere(repo, 'skip', 'US-2', '--confirm', code)).toMatchObject({ code: 0 });
    expect((await fromElsewhere(repo, 'done', 'US-3')).code).toBe(4);
    // Whoever was there before the agent needs no code.
    expect((await repo.ralph(['steer', 'Prefer short names.'])).code).toBe(0);
    repo.write('../outside/go', '');
    await ended;
    expect(recordsOf(repo, 'item.marked')).toMatchObject([{ item: 'US-2', to: 'skipped', by: 'person' }]);
    expect(recordsOf(repo, 'steered')).toHaveLength(1);
    expect(repo.plan().userStories.map(({ id, passes }) => [id, passes])).toContainEqual(['US-3', true]);
    expect((await repo.ralph(['report'])).stdout).toContain('mark US-3 done');
  },
);
