/** An agent that cannot be used ends the run: nothing is marked, nothing is charged, and the same item comes next. */
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeRepo, type Repo } from '../support/repo.ts';
import { agentsIn, doneIn, planOf, recordsOf, verdictsIn } from './scene.ts';

const WORKS = 'cat > /dev/null; echo work > "$RALPH_ITEM.txt"';

/** Puts a program in the place of `claude`, and gives the environment that finds it. */
function claudeIs(repo: Repo, script: string): { readonly env: Record<string, string> } {
  const bin = join(repo.outside, 'bin');
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(bin, 'claude'), `#!/bin/sh\n${script}\n`);
  chmodSync(join(bin, 'claude'), 0o755);
  return { env: { PATH: `${bin}:${process.env.PATH ?? ''}`, ANTHROPIC_API_KEY: 'x' } };
}

const says = (...events: readonly object[]): string =>
  events.map(event => `cat <<'END'\n${JSON.stringify(event)}\nEND`).join('\n');

const result = (text: string) => ({ type: 'result', subtype: 'success', is_error: false, result: text });
const claims = `printf '{"type":"result","subtype":"success","is_error":false,"result":"RALPH_TASK_COMPLETE: %s"}\\n' "$RALPH_ITEM"`;

const claudeRepo = () =>
  makeRepo({ plan: planOf('US-1', 'US-2'), config: { agent: { use: 'claude', args: ['--foo'] }, gates: ['true'] } });

const isUntouched = (repo: Repo) => {
  expect(recordsOf(repo, 'item.marked')).toEqual([]);
  expect(doneIn(repo)).toEqual([]);
};

describe.concurrent('an agent that cannot be used', () => {
  test('for a flag it does not know: its own words, the fix, and the same item after it', async () => {
    const repo = claudeRepo();
    const first = await repo.ralph(['run'], claudeIs(repo, `echo "error: unknown option '--foo'" >&2; exit 1`));
    expect(first.code, first.stdout).toBe(4);
    expect(first.stdout).toContain(
      "the agent cannot be used as it is set up (the agent ended with exit code 1: error: unknown option '--foo'",
    );
    expect(first.stdout).toContain('correct');
    expect([agentsIn(repo), verdictsIn(repo)]).toEqual([1, ['US-1 retry']]);
    isUntouched(repo);
    const again = await repo.ralph(['run'], claudeIs(repo, `${WORKS}; ${claims}`));
    expect(again.code, again.stdout).toBe(0);
    expect(recordsOf(repo, 'iteration.started').map(({ item, attempt }) => `${item} ${attempt}`)).toEqual([
      'US-1 1',
      'US-1 1',
      'US-2 1',
    ]);
  });

  test('for a key that is refused: it is not waited for while it retries', async () => {
    const repo = claudeRepo();
    const retry = { type: 'system', subtype: 'api_retry', attempt: 1, max_retries: 10, error_status: 401 };
    const init = { type: 'system', subtype: 'init', apiKeySource: 'ANTHROPIC_API_KEY' };
    const { code, stdout } = await repo.ralph(['run'], claudeIs(repo, `${says(init, retry)}\nexec sleep 300`));
    expect(code, stdout).toBe(3);
    expect(stdout).toContain('401');
    expect(agentsIn(repo)).toBe(1);
    isUntouched(repo);
  });

  test('for a model it does not know: its own words and exit 4, with others to fall back on or not', async () => {
    const words = 'There is an issue with the selected model (nope). It may not exist.';
    const unknown = { ...result(words), is_error: true, api_error_status: 404 };
    const repo = claudeRepo();
    const { code, stdout } = await repo.ralph(['run', '--model', 'nope'], claudeIs(repo, `${says(unknown)}; exit 1`));
    expect([code, stdout]).toEqual([4, expect.stringContaining(words)]);
    expect(stdout).toContain('nothing was charged: correct');
    expect(recordsOf(repo, 'run.finished')).toMatchObject([{ reason: 'agent-unusable' }]);
    isUntouched(repo);

    const both = makeRepo({
      plan: planOf('US-1'),
      config: { agent: ['claude', { command: ['sh', '-c', 'exit 78'] }], gates: ['true'] },
    });
    const second = await both.ralph(['run'], claudeIs(both, `${says(unknown)}; exit 1`));
    expect(second.code, second.stdout).toBe(4);
    expect(recordsOf(both, 'agent.parked')).toMatchObject([{ unusable: true }, { unusable: true }]);
  });

  test('in the middle of a run: a person is needed, because work was done', async () => {
    const repo = claudeRepo();
    const once = `if [ "$RALPH_ITEM" = US-2 ]; then echo "error: unknown option" >&2; exit 1; fi; ${WORKS}; ${claims}`;
    const { code, stdout } = await repo.ralph(['run'], claudeIs(repo, once));
    expect(code, stdout).toBe(3);
    expect(verdictsIn(repo).slice(0, 2)).toEqual(['US-1 accepted', 'US-2 retry']);
  });

  test('for want of a permission to write', async () => {
    const repo = claudeRepo();
    const denials = [{ tool_name: 'Write', tool_input: { file_path: 'a.txt' } }];
    const said = { ...result('RALPH_TASK_COMPLETE: US-1'), permission_denials: denials };
    const { code, stdout } = await repo.ralph(['run'], claudeIs(repo, says(said)));
    expect([code, stdout]).toEqual([3, expect.stringContaining('no permission to write here (Write a.txt)')]);
    isUntouched(repo);
  });

  test.each([
    ['exit 78', 'echo "no licence" >&2; exit 78'],
    ['a line of JSON', `echo '{"ralph":"unavailable","why":"no licence"}'; exit 1`],
    ['a first call without a word', 'echo "usage: agent FILE (no licence)" >&2; exit 2'],
  ])('of the user’s own says so by %s', async (_, script) => {
    const repo = makeRepo({
      plan: planOf('US-1', 'US-2'),
      config: { agent: { command: ['sh', '-c', script] }, gates: ['true'] },
    });
    const { code, stdout } = await repo.run();
    expect([code, stdout]).toEqual([4, expect.stringContaining('no licence')]);
    expect(agentsIn(repo)).toBe(1);
    isUntouched(repo);
  });
});

test('an agent of the user’s own is tried again later where it says so, and a later crash is charged', async () => {
  const script = [
    'cat > /dev/null; n=$(cat ../outside/n 2>/dev/null || echo 0); echo $((n + 1)) > ../outside/n',
    `case $n in 0) echo '{"ralph":"retry","after":"1s","why":"the queue is full"}' >&2; exit 75;; esac`,
    'case $n in 2) echo boom >&2; exit 1;; esac',
    'echo work > "$RALPH_ITEM.txt"; echo "RALPH_TASK_COMPLETE: $RALPH_ITEM"',
  ].join('\n');
  const repo = makeRepo({
    plan: planOf('US-1', 'US-2'),
    config: { agent: { command: ['sh', '-c', script] }, gates: ['true'] },
  });
  const { code, stdout } = await repo.run();
  expect(code, stdout).toBe(0);
  expect(stdout).toContain('the queue is full');
  expect(verdictsIn(repo)).toEqual(['US-1 retry', 'US-1 accepted', 'US-2 rejected', 'US-2 accepted']);
});
