/** The whole loop with a real program that speaks the Agent Client Protocol. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { doneIn, planOf, recordsOf, verdictsIn } from '../loop/scene.ts';
import { makeRepo, type Repo } from '../support/repo.ts';

const program = fileURLToPath(new URL('../support/acp-agent.mjs', import.meta.url));

const repoWith = (does: string, more: object = {}, limits: object = {}): Repo =>
  makeRepo({
    plan: planOf('US-1'),
    config: {
      gates: ['true'],
      agent: { acp: [process.execPath, program], env: { ACP_DOES: does }, ...more },
      limits: { attempts: 1, wait: '1s', ...limits },
    },
  });

describe.concurrent('an agent that speaks the protocol', () => {
  test('does an item: permission is given, tokens are counted, the model is known', async () => {
    const repo = repoWith('work', { model: 'Small' });
    const { code, stdout } = await repo.run();
    expect(code, stdout).toBe(0);
    expect(doneIn(repo)).toEqual(['US-1']);
    const [ended] = recordsOf(repo, 'agent.finished');
    expect(ended?.usage).toEqual({ inputTokens: 100, outputTokens: 20, cachedTokens: 10 });
    expect(ended?.claim).toEqual({ type: 'done', how: 'signal' });
    expect(ended?.model).toBe('small-1');
    expect(ended?.end.leftovers).toEqual([]);
  });

  test('that does not leave is ended, and its work counts', async () => {
    const repo = repoWith('stays');
    expect((await repo.run()).code).toBe(0);
    expect(doneIn(repo)).toEqual(['US-1']);
  });

  test('with a model it does not have, or gone before it answers: nothing is charged', async () => {
    const unknown = repoWith('work', { model: 'huge' });
    const said = await unknown.ralph(['run']);
    expect(said.code, said.stdout + said.stderr).toBe(4);
    expect(said.stdout).toContain('the agent has no model named "huge"; it knows small-1');
    const early = repoWith('early');
    const { code, stdout } = await early.ralph(['run']);
    expect(code).toBe(4);
    expect(stdout).toContain('no such thing as --acp here');
    expect([...verdictsIn(unknown), ...verdictsIn(early)]).toEqual(['US-1 retry', 'US-1 retry']);
  });

  test('is told by the protocol to end its turn, and need not be killed', async () => {
    const repo = repoWith('stubborn', {}, { idle: '2s', iteration: '20s' });
    await repo.run();
    const [ended] = recordsOf(repo, 'agent.finished');
    expect(ended?.end).toMatchObject({ reason: 'idle', code: 0 });
    expect(verdictsIn(repo)).toEqual(['US-1 retry', 'US-1 accepted']);
  });

  test('that only its log says to try again is ended, and the runner waits', async () => {
    const repo = repoWith('grumbles', { acp: undefined, use: 'opencode' });
    const stub = `#!/bin/sh\nexec '${process.execPath}' '${program}'\n`;
    writeFileSync(join(repo.outside, 'opencode'), stub, { mode: 0o755 });
    await repo.ralph(['run'], { env: { PATH: `${repo.outside}:${process.env.PATH ?? ''}`, RALPH_SANDBOX: 'none' } });
    expect(recordsOf(repo, 'agent.finished')[0]?.failure?.class).toBe('rate-limit');
    expect(recordsOf(repo, 'wait.started')[0]?.why).toContain('Too many requests');
    expect(verdictsIn(repo)).toEqual(['US-1 retry', 'US-1 accepted']);
  });

  test('an error of its own is a wait, silence a timeout', async () => {
    const limited = repoWith('error');
    await limited.ralph(['run']);
    expect(recordsOf(limited, 'agent.finished')[0]?.failure).toEqual({
      class: 'rate-limit',
      message: 'Too many requests',
    });
    expect(recordsOf(limited, 'wait.started')[0]?.why).toContain('Too many requests');
    const silent = repoWith('silent', {}, { idle: '2s', iteration: '20s' });
    await silent.ralph(['run']);
    expect(recordsOf(silent, 'agent.finished')[0]?.failure?.class).toBe('timeout');
    for (const repo of [limited, silent]) expect(verdictsIn(repo)).toEqual(['US-1 retry', 'US-1 accepted']);
  });
});
