/** `ralph agents`: what is said about agents without asking a model, and one tiny try. */
import { chmodSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeRepo } from '../support/repo.ts';

/** A program of this name on PATH. */
function program(folder: string, name: string, lines: readonly string[]): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, name), `#!/bin/sh\n${lines.join('\n')}\n`);
  chmodSync(join(folder, name), 0o755);
}

const PI_WORKS = [
  'if [ "$1" = --version ]; then echo 0.73.1; exit 0; fi',
  'cat > /dev/null',
  'echo hello > hello.txt',
  `printf '%s\\n' '{"type":"agent_start"}'`,
  `printf '%s\\n' '{"type":"tool_execution_start","toolCallId":"1","toolName":"bash","args":{"command":"echo hello"}}'`,
  `printf '%s\\n' '{"type":"message_end","message":{"role":"assistant","model":"m-1","stopReason":"stop","content":[{"type":"text","text":"Done.\\n\\nRALPH_TASK_COMPLETE: TRY-1"}],"usage":{"input":10,"output":5,"cost":{"total":0.01}}}}'`,
  `printf '%s\\n' '{"type":"agent_end"}'`,
];

test('lists, with version and login; says how to install what is missing', async () => {
  const repo = makeRepo();
  const bin = join(repo.outside, 'bin');
  program(bin, 'pi', PI_WORKS);
  program(bin, 'codex', ['echo codex-cli 0.166.0']);
  const env = { PATH: `${bin}:/usr/bin:/bin`, OPENAI_API_KEY: 'dummy' };
  const { code, stdout } = await repo.ralph(['agents'], { cwd: repo.outside, env });
  expect(code).toBe(0);
  expect(stdout).toMatch(/^codex +codex-cli 0\.166\.0 +\$OPENAI_API_KEY +events +from tokens +yes/m);
  expect(stdout).toMatch(/^claude +- +- +events +reported/m);
  expect(stdout).toContain('npm install -g @anthropic-ai/claude-code');
  const json = await repo.ralph(['agents', '--json'], { env });
  const { agents } = JSON.parse(json.stdout) as { agents: { name: string; version?: string; abilities: object }[] };
  expect(agents.find(({ name }) => name === 'pi')?.version).toBe('0.73.1');
  for (const { abilities } of agents) {
    expect(Object.keys(abilities).toSorted()).toEqual(
      expect.arrayContaining(['cost', 'efforts', 'install', 'model', 'needs', 'stream']),
    );
  }
});

test('tries one for real, and says what worked and what not; nothing is left behind', async () => {
  const repo = makeRepo();
  const bin = join(repo.outside, 'bin');
  program(bin, 'pi', PI_WORKS);
  program(bin, 'codex', [
    'cat > /dev/null',
    `printf '%s\\n' '{"type":"turn.failed","error":{"message":"unexpected status 401 Unauthorized: bad key"}}'`,
    'exit 1',
  ]);
  const env = { PATH: `${bin}:${process.env.PATH}`, TMPDIR: repo.outside };
  const good = await repo.ralph(['agents', 'try', 'pi'], { env });
  expect(good.stdout).toContain('pi works: the item was accepted');
  expect(good.stdout).toMatch(/✓ tools +1 used/);
  expect(good.stdout).toMatch(/✓ cost +\$0\.01/);
  expect(good.code).toBe(0);
  const bad = await repo.ralph(['agents', 'try', 'codex', '--json'], { env });
  expect(bad.code).toBe(1);
  expect(JSON.parse(bad.stdout)).toMatchObject({ works: false, agent: 'codex', started: true });
  expect(bad.stdout).toContain('bad key');
  expect(readdirSync(repo.outside).filter(name => name.startsWith('ralph-try-'))).toEqual([]);
  const scripted = await repo.ralph(['agents', 'try', 'script'], { env });
  expect([scripted.code, scripted.stdout]).toEqual([0, expect.stringContaining('script works')]);
  const none = await repo.ralph(['agents', 'try', 'claude'], { env: { PATH: '/usr/bin:/bin', TMPDIR: tmpdir() } });
  expect([none.code, none.stderr.includes('npm install -g @anthropic-ai/claude-code')]).toEqual([4, true]);
  expect((await repo.ralph(['agents', 'try', 'nobody'], { env })).code).toBe(2);
});
