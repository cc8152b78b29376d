import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { agentEnvironment, findOnPath } from '../../src/agents/index.ts';
import { agentNamed, agentNames } from '../../src/agents/known.ts';

describe('the environment of an agent', () => {
  it('has no trace of an outer agent, and every credential', () => {
    const base = {
      PATH: '/bin',
      CLAUDECODE: '1',
      CLAUDE_CODE_ENTRYPOINT: 'cli',
      CODEX_SANDBOX: 'seatbelt',
      CLAUDE_CODE_OAUTH_TOKEN: 'kept',
      ANTHROPIC_API_KEY: 'kept',
      OPENAI_API_KEY: 'kept',
      CODEX_HOME: '/c',
      GONE: undefined,
    };
    expect(agentEnvironment(base, { RALPH_ITEM: 'A' })).toEqual({
      PATH: '/bin',
      CLAUDE_CODE_OAUTH_TOKEN: 'kept',
      ANTHROPIC_API_KEY: 'kept',
      OPENAI_API_KEY: 'kept',
      CODEX_HOME: '/c',
      RALPH_ITEM: 'A',
    });
  });

  it('is what the user says where the user says it', () => {
    expect(agentEnvironment({ CLAUDECODE: '1' }, { CLAUDECODE: '2' })).toEqual({ CLAUDECODE: '2' });
  });
});

describe('finding a program', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ralph-path-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, 'one/tool'), { recursive: true });
  mkdirSync(join(folder, 'two'));
  mkdirSync(join(folder, 'three'));
  for (const place of ['two', 'three']) writeFileSync(join(folder, place, 'tool'), '#!/bin/sh\n');
  chmodSync(join(folder, 'three/tool'), 0o755);
  const env = {
    PATH: ['', join(folder, 'none'), join(folder, 'one'), join(folder, 'two'), join(folder, 'three')].join(':'),
  };

  it('takes the first executable file, not a folder and not a plain file', () => {
    expect(findOnPath('tool', env)).toBe(join(folder, 'three/tool'));
    expect(findOnPath('no-such-tool', env)).toBeUndefined();
    expect(findOnPath('', env)).toBeUndefined();
    expect(findOnPath('tool', {})).toBeUndefined();
  });

  it('takes a path as it is', () => {
    expect(findOnPath(join(folder, 'three/tool'), {})).toBe(join(folder, 'three/tool'));
    expect(findOnPath(join(folder, 'two/tool'), env)).toBeUndefined();
  });
});

it('agents are found by name', () => {
  expect(agentNames.slice(0, 3)).toEqual(['claude', 'codex', 'pi']);
  expect(new Set(agentNames).size).toBe(agentNames.length);
  for (const name of agentNames) expect(agentNamed(name)?.name).toBe(name);
  expect(agentNamed('toString')).toBeUndefined();
});
