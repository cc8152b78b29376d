import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { permissionAnswer, sessionCalls } from '../../src/agents/acp-session-options.ts';
import { agentNamed } from '../../src/agents/known.ts';
import { play } from './play.ts';
import { agentOf, recordedText, replay } from './recorded.ts';

const SAID = 'All done.\nRALPH_TASK_COMPLETE: US-001';
const COMMAND = 'echo hello > made-by-agent.txt; echo RALPH_TASK_COMPLETE: X-1';

describe('a turn over the agent client protocol', () => {
  it.each([
    ['acp-gemini-ok', { inputTokens: 2400, outputTokens: 90, cachedTokens: 0 }],
    ['acp-copilot-ok', { inputTokens: 1800, outputTokens: 90, cachedTokens: 600 }],
    ['acp-opencode-ok', { inputTokens: 900, outputTokens: 45, cachedTokens: 300 }],
    ['acp-qwen-ok', { inputTokens: 1800, outputTokens: 90, cachedTokens: 600 }],
    ['acp-codex-acp-ok', { inputTokens: 1800, outputTokens: 90, cachedTokens: 600 }],
    ['acp-claude-agent-acp-ok', { inputTokens: 1800, outputTokens: 90, cachedTokens: 600 }],
    ['acp-zed-codex-acp-ok', { inputTokens: 0, outputTokens: 0, cachedTokens: 0 }],
  ])('%s: message, tokens and tools, and nothing failed', (name, usage) => {
    const { message, failure, usage: counted, signals } = replay(name);
    expect(failure).toBeUndefined();
    expect(message).toBe(SAID);
    expect(counted).toEqual(usage);
    const tools = signals.filter(signal => signal.type === 'tool');
    expect(tools).toHaveLength(1);
    if (!name.includes('zed')) expect(tools[0]).toMatchObject({ detail: expect.stringContaining(COMMAND) });
    const results = signals.filter(signal => signal.type === 'result');
    expect(results).toHaveLength(1);
    expect(signals.filter(signal => signal.type === 'text').map(({ text }) => text)).toContain('All done.');
    expect(signals.at(-1)).toEqual({ type: 'finished' });
  });

  it('names the model where the session does, and the cost where it is told', () => {
    expect(replay('acp-gemini-ok').model).toBe('gemini-2.5-pro');
    expect(replay('acp-claude-agent-acp-ok').costUsd).toBeGreaterThan(0);
  });

  it.each([
    ['acp-gemini-401', 'auth', 'invalid x-api-key'],
    ['acp-gemini-429', 'rate-limit', "This request would exceed your account's rate limit. Please try again later."],
    ['acp-copilot-401', 'auth', 'Error: Authentication failed with provider'],
    ['acp-copilot-429', 'rate-limit', 'Error: Failed to get response from the AI model'],
    ['acp-opencode-401', 'auth', 'Internal error: invalid x-api-key'],
    ['acp-claude-agent-acp-401', 'auth', ''],
    ['acp-claude-agent-acp-429', 'rate-limit', 'Internal error: API Error: Request rejected (429)'],
    ['acp-codex-acp-401', 'auth', 'Authentication required'],
    ['acp-codex-acp-429', 'rate-limit', 'exceeded retry limit, last status: 429 Too Many Requests'],
  ])('%s is %s', (name, kind, words) => {
    const { failure } = replay(name);
    expect(failure?.class).toBe(kind);
    expect(failure?.message.startsWith(words)).toBe(true);
    expect(failure?.message.length).toBeLessThanOrEqual(500);
  });

  it('a turn that was cancelled is no success', () => {
    for (const name of ['gemini', 'copilot', 'opencode', 'codex-acp', 'claude-agent-acp']) {
      expect(replay(`acp-${name}-cancel`).failure).toEqual({ class: 'logic', message: 'the turn was cancelled' });
    }
  });

  it('qwen gets defaults with which it does not try again by itself, unless told otherwise', () => {
    const name = 'QWEN_CODE_SYSTEM_DEFAULTS_PATH';
    const options = { prompt: '', args: [], env: {} };
    const { env = {} } = agentNamed('qwen')?.command(options) ?? {};
    const defaults: unknown = JSON.parse(readFileSync(env[name] ?? '', 'utf8'));
    expect(defaults).toEqual({ model: { generationConfig: { maxRetries: 0 } } });
    const own = { ...options, env: { [name]: '/etc/own.json' } };
    expect(agentNamed('qwen')?.command(own).env).toMatchObject(own.env);
  });

  it('a silent wait is a timeout, a cut stream is the network, an early exit is the set-up', () => {
    expect(replay('acp-opencode-429', { reason: 'idle', code: null }).failure?.class).toBe('timeout');
    expect(replay('acp-opencode-429').failure?.class).toBe('network');
    const gemini = agentNamed('gemini');
    if (!gemini) throw new Error('gemini');
    const refused = play(gemini, [], { code: 1, stderr: 'Unknown argument: acp' });
    expect(refused.failure?.class).toBe('setup');
    expect(refused.failure?.message).toContain('Unknown argument: acp');
    // Nothing but its help on standard error, a line of which looks like a complaint.
    const level = '      --log-level  log level  [choices: "DEBUG", "INFO", "WARN", "ERROR"]';
    const stderr = `opencode acp\n\nOptions:\n${level}\n      --cwd  working directory\n`;
    const helped = play(gemini, [{ type: 'acp.complaint', text: level }], { code: 1, stderr });
    expect(helped.failure).toEqual({
      class: 'setup',
      message: 'the agent ended with exit code 1: it printed its help, as programs do for a flag that they do not know',
    });
  });

  it('silence is what the log said last, unless the agent did something after it', () => {
    const name = 'acp-opencode-log-429';
    expect(replay(name, { reason: 'idle', code: null }).failure).toEqual({
      class: 'rate-limit',
      message:
        'the agent tried again without a word: AI_RetryError: Failed after 3 attempts. Last error: Too many requests',
    });
    const agent = agentOf(name);
    const lines = recordedText(name).trim().split('\n');
    const after = { sessionUpdate: 'agent_thought_chunk', content: { type: 'text', text: 'Hm.' } };
    const resumed = play(agent, [...lines, { type: 'acp.update', update: after }], { reason: 'idle', code: null });
    expect(resumed.failure?.class).toBe('timeout');
    const strange = { type: 'acp.complaint', text: 'level=ERROR message="no such file"' };
    expect(play(agent, [strange], { reason: 'idle', code: null }).failure?.class).toBe('timeout');
    // It would go on for ever: it is ended, and the runner waits.
    const ended = play(agent, [...lines, ...lines], { reason: 'lingered', code: 143 });
    expect(ended.signals.filter(({ type }) => type === 'retrying').at(-1)).toMatchObject({ hopeless: true });
    expect(ended.failure?.class).toBe('rate-limit');
  });

  it('what it was denied is told, where a field of its own says so', () => {
    expect(replay('acp-copilot-denied').denied).toEqual(['execute echo made > made.txt']);
  });

  it('stop reasons of its own are not charged to a provider', () => {
    const copilot = agentOf('acp-copilot-ok');
    const turn = (stopReason: string) => [
      {
        type: 'acp.update',
        update: { sessionUpdate: 'tool_call', toolCallId: '1', title: 'ls', status: 'in_progress' },
      },
      { type: 'acp.answer', method: 'session/prompt', result: { stopReason } },
    ];
    expect(play(copilot, turn('max_turn_requests')).failure?.message).toBe('the agent reached its own limit of turns');
    expect(play(copilot, turn('refusal')).failure?.class).toBe('logic');
    expect(play(copilot, turn('end_turn')).failure).toBeUndefined();
  });

  it('words are taken for its own only where no model can have written them', () => {
    const words = 'Error: 429 rate limit reached';
    const turn = (usage: object | undefined) => [
      { type: 'acp.update', update: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: words } } },
      { type: 'acp.answer', method: 'session/prompt', result: { stopReason: 'end_turn', ...(usage ? { usage } : {}) } },
    ];
    const copilot = agentOf('acp-copilot-ok');
    expect(play(copilot, turn(undefined)).failure?.class).toBe('rate-limit');
    expect(play(copilot, turn({ inputTokens: 9, outputTokens: 4 })).failure).toBeUndefined();
    // Of a program that never counts tokens nothing can be concluded from their absence.
    const other = agentNamed('acp');
    if (!other) throw new Error('acp');
    expect(play(other, turn(undefined)).failure).toBeUndefined();
  });
});

describe('what is asked of a session', () => {
  const session = {
    modes: { currentModeId: 'default', availableModes: [{ id: 'default' }, { id: 'yolo' }] },
    models: { availableModels: [{ modelId: 'big-1', name: 'Big' }] },
    configOptions: [
      { id: 'm', category: 'model', options: [{ value: 'p/small', name: 'Small' }] },
      { id: 't', category: 'thought_level', options: [{ value: 'low' }, { value: 'high' }] },
    ],
  };

  it('a mode that asks nobody, the model by its id or its name, the nearest effort', () => {
    expect(sessionCalls(session, { model: 'Big', effort: 'max' })).toEqual({
      calls: [
        { method: 'session/set_mode', params: { modeId: 'yolo' } },
        { method: 'session/set_model', params: { modelId: 'big-1' }, needed: true },
        { method: 'session/set_config_option', params: { configId: 't', value: 'high' } },
      ],
    });
    expect(sessionCalls(session, { model: 'p/small', effort: '' })).toMatchObject({
      calls: [{}, { method: 'session/set_config_option', params: { configId: 'm', value: 'p/small' } }],
    });
    expect(sessionCalls({}, { model: '', effort: 'high' })).toEqual({ calls: [] });
  });

  it('an unknown model is said with those that are known', () => {
    const refused = sessionCalls(session, { model: 'huge', effort: '' });
    expect(refused).toEqual({
      error: { code: -32602, message: 'the agent has no model named "huge"; it knows big-1, p/small' },
    });
  });

  it('permission is given once, and refused where it cannot be', () => {
    const ask = (kinds: readonly string[]) => ({
      method: 'session/request_permission',
      params: { options: kinds.map(kind => ({ optionId: `o-${kind}`, kind })) },
    });
    expect(permissionAnswer(ask(['allow_always', 'allow_once']))).toEqual({
      outcome: { outcome: 'selected', optionId: 'o-allow_once' },
    });
    expect(permissionAnswer(ask(['reject_once']))).toEqual({ outcome: { outcome: 'cancelled' } });
    expect(permissionAnswer({ method: 'fs/read_text_file' })).toBeUndefined();
  });
});

describe('command lines', () => {
  const options = { args: ['--x'], env: { A: 'b' }, model: 'm-1', effort: 'max' };
  it('start the bridge with the wishes and the program', () => {
    const gemini = agentNamed('gemini')?.command(options);
    expect(gemini?.argv.slice(2)).toEqual([
      '{"effort":"max"}',
      ...['gemini', '--acp', '--yolo', '--skip-trust', '-m', 'm-1', '--x'],
    ]);
    expect(gemini?.program).toBe('gemini');
    expect(gemini?.env).toMatchObject({ A: 'b', GEMINI_CLI_NO_RELAUNCH: 'true' });
    const opencode = agentNamed('opencode')?.command({ args: [], env: {}, model: 'p/m' });
    expect(opencode?.argv.slice(2)).toEqual([
      '{"model":"p/m","log":true}',
      ...['opencode', 'acp', '--print-logs', '--log-level', 'ERROR'],
    ]);
    const own = agentNamed('acp')?.command({ args: [], env: {}, acp: ['./mine', 'serve'] });
    expect(own?.argv.slice(2)).toEqual(['{}', './mine', 'serve']);
  });

  it('of presets have the flags under which they work alone', () => {
    const line = (name: string, more = {}) =>
      agentNamed(name)
        ?.command({ args: [], env: {}, ...more })
        .argv.join(' ');
    expect(line('amp')).toBe('amp -x --dangerously-allow-all');
    expect(line('cursor-agent', { model: 'gpt' })).toBe('cursor-agent -p --force --output-format text --model gpt');
    expect(line('droid', { model: 'm', effort: 'xhigh' })).toBe('droid exec --skip-permissions-unsafe -m m -r high');
    expect(line('pi', { model: 'p/m', effort: 'max' })).toBe('pi --mode json --model p/m --thinking xhigh -p');
    expect(line('codex', { effort: 'max' })).toContain('model_reasoning_effort="xhigh"');
    expect(line('claude', { effort: 'minimal' })).toContain('--effort low');
    expect(line('claude', { effort: 'ultra' })).toContain('--effort ultra');
  });
});
