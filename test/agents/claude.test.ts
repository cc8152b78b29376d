import { describe, expect, it } from 'vitest';
import { claude, claudeCommand } from '../../src/agents/claude.ts';
import { claudeReader } from '../../src/agents/claude-stream.ts';
import { processEnd } from '../support/process-end.ts';
import { apiError, play } from './play.ts';

const options = { args: [], env: {} };
const init = { type: 'system', subtype: 'init', session_id: 's' };
const say = (text: string, more: object = {}) => ({
  type: 'assistant',
  message: { id: `m-${text}`, model: 'claude-x', content: [{ type: 'text', text }], usage: { output_tokens: 1 } },
  parent_tool_use_id: null,
  ...more,
});
const bash = (command: string) => ({
  type: 'assistant',
  message: { id: `t-${command}`, model: 'claude-x', content: [{ type: 'tool_use', name: 'Bash', input: { command } }] },
  parent_tool_use_id: null,
});
const done = (text: string, more: object = {}) => ({
  type: 'result',
  subtype: 'success',
  is_error: false,
  result: text,
  total_cost_usd: 0.01,
  usage: { input_tokens: 100, cache_creation_input_tokens: 20, cache_read_input_tokens: 300, output_tokens: 40 },
  ...more,
});
const failed = (text: string, more: object = {}) => done(text, { is_error: true, total_cost_usd: 0, ...more });

describe('the command line of claude', () => {
  it('asks for the event stream and carries no brief', () => {
    const { argv, env } = claudeCommand(
      { ...options, model: 'sonnet', effort: 'high', args: ['--max-turns', '9'] },
      1000,
    );
    expect(argv.join(' ')).toBe(
      'claude -p --output-format stream-json --verbose --disallowedTools=AskUserQuestion --dangerously-skip-permissions --model sonnet --effort high --max-turns 9',
    );
    expect(env).toEqual({});
  });

  it('declares a sandbox only for root, and lets the user say otherwise', () => {
    expect(claudeCommand(options, 0).env).toEqual({ IS_SANDBOX: '1' });
    expect(claudeCommand({ args: [], env: { IS_SANDBOX: '0', A: 'b' } }, 0).env).toEqual({ IS_SANDBOX: '0', A: 'b' });
    expect(claudeCommand(options, undefined).env).toEqual({});
  });

  it('is handed a server of tools beside the person’s own, and may use it in any mode', () => {
    const mcp = { command: '/bin/node', args: ['cli.cjs', 'mcp'], config: '/run/mcp.json' };
    expect(claudeCommand({ ...options, mcp }, 1000).argv).toContain('--mcp-config=/run/mcp.json');
    const asking = claudeCommand({ args: ['--permission-mode', 'acceptEdits'], env: {}, mcp }, 1000).argv;
    expect(asking).toEqual(expect.arrayContaining(['--mcp-config=/run/mcp.json', '--allowedTools=mcp__ralph']));
  });

  it('leaves a permission mode of the user alone', () => {
    const { argv, env } = claudeCommand({ args: ['--permission-mode', 'acceptEdits'], env: {} }, 0);
    expect(argv).not.toContain('--dangerously-skip-permissions');
    expect(env).toEqual({});
  });
});

describe('a healthy claude run', () => {
  it('has its message, tokens and cost from the result, not from assistant events', () => {
    const outcome = play(claude, [init, bash('npm test'), say('All done.'), done('All done.')]);
    expect(outcome.failure).toBeUndefined();
    expect(outcome.message).toBe('All done.');
    expect(outcome.usage).toEqual({ inputTokens: 120, outputTokens: 40, cachedTokens: 300 });
    expect(outcome.costUsd).toBe(0.01);
    expect(outcome.signals).toEqual([
      { type: 'tool', name: 'Bash', detail: 'npm test' },
      { type: 'usage', usage: { inputTokens: 0, outputTokens: 2, cachedTokens: 0 } },
      { type: 'text', text: 'All done.' },
      { type: 'usage', usage: { inputTokens: 120, outputTokens: 40, cachedTokens: 300 }, costUsd: 0.01 },
      { type: 'finished' },
    ]);
  });

  it('counts the tokens of every model', () => {
    const modelUsage = {
      big: { inputTokens: 10, outputTokens: 2, cacheReadInputTokens: 5, cacheCreationInputTokens: 1 },
      small: { inputTokens: 7, outputTokens: 3, cacheReadInputTokens: 0, cacheCreationInputTokens: 0 },
    };
    const { usage } = play(claude, [done('x', { modelUsage })]);
    expect(usage).toEqual({ inputTokens: 18, outputTokens: 5, cachedTokens: 5 });
  });

  it('may have two results: the last one counts, its cost includes the first', () => {
    const model = (tokens: number) => ({ modelUsage: { m: { inputTokens: tokens, outputTokens: 1 } } });
    const outcome = play(claude, [
      done('started it', { ...model(10), total_cost_usd: 0.02 }),
      say('now done'),
      done('now done', { ...model(30), total_cost_usd: 0.05 }),
    ]);
    expect(outcome.message).toBe('now done');
    expect(outcome.costUsd).toBe(0.05);
    expect(outcome.usage.inputTokens).toBe(30);
  });

  it('is read the same with its keys in any order', () => {
    const line = `{"usage":{"output_tokens":4},"total_cost_usd":2,"is_error":false,"result":"ok","subtype":"success","type":"result"}`;
    const outcome = play(claude, [line]);
    expect([outcome.message, outcome.costUsd, outcome.usage.outputTokens]).toEqual(['ok', 2, 4]);
  });

  it('may talk about limits as much as it likes', () => {
    const words = "You've hit your 5-hour limit · resets 9:06pm (UTC)";
    expect(play(claude, [say(words), done(words)]).failure).toBeUndefined();
    expect(play(claude, [say(words), done('Claude AI usage limit reached|1794776908')]).failure).toBeUndefined();
  });

  it('shows what it was not permitted to do', () => {
    const denial = { tool_name: 'Bash', tool_input: { command: 'rm -rf x' } };
    const { failure, signals, denied } = play(claude, [done('ok', { permission_denials: [denial] })]);
    expect(failure).toBeUndefined();
    expect(denied).toEqual(['Bash rm -rf x']);
    expect(signals[0]).toEqual({ type: 'text', text: 'permission denied: Bash rm -rf x' });
  });

  it('still has a message when Stop hooks left the result empty', () => {
    expect(play(claude, [say('My words.'), done('')]).message).toBe('My words.');
  });

  it('does not speak through its subagents', () => {
    const inner = say('<promise>COMPLETE</promise>', { parent_tool_use_id: 'toolu_1' });
    expect(play(claude, [say('outer'), inner]).message).toBe('outer');
  });

  it('is healthy although a limit was reported and then lifted', () => {
    const event = (status: string) => ({ type: 'rate_limit_event', rate_limit_info: { status, resetsAt: 1794776813 } });
    expect(play(claude, [event('rejected'), event('allowed'), done('ok')]).failure).toBeUndefined();
  });
});

describe('what claude tells while it works', () => {
  const message = (id: string, content: object, more: object = {}) => ({
    type: 'assistant',
    message: { id, content: [content], usage: { input_tokens: 900, cache_read_input_tokens: 300, output_tokens: 1 } },
    parent_tool_use_id: null,
    ...more,
  });
  const task = { type: 'tool_use', id: 't1', name: 'Task', input: { description: 'Find callers' } };
  const answer = (id: string, content: unknown, more: object = {}) => ({
    type: 'user',
    message: { content: [{ type: 'tool_result', tool_use_id: id, content, ...more }] },
  });

  it('names sub-agents by the call that started them, and has what tools answered', () => {
    const inner = { parent_tool_use_id: 't1' };
    const { signals, message: last } = play(claude, [
      message('m1', task),
      message('m2', { type: 'text', text: 'Looking.' }, inner),
      { ...answer('t2', [{ type: 'text', text: 'a\n'.repeat(100) }]), ...inner },
      answer('t1', 'Exit code 1\n' + 'b\n'.repeat(50), { is_error: true }),
    ]);
    expect(signals.filter(({ type }) => type !== 'usage')).toEqual([
      { type: 'tool', name: 'Task', detail: 'Find callers', id: 't1' },
      { type: 'text', text: 'Looking.', from: 't1' },
      { type: 'result', text: 'a\n'.repeat(12).trimEnd(), lines: 100, id: 't2', from: 't1' },
      { type: 'result', text: `Exit code 1\n${'b\n'.repeat(50).trimEnd()}`, lines: 51, failed: true, id: 't1' },
    ]);
    expect(last).toBe('');
  });

  it('counts each message once, and what it wrote by its length until the result says', () => {
    const text = 'x'.repeat(400);
    const { signals } = play(claude, [
      message('m1', { type: 'text', text }),
      message('m1', { type: 'text', text }),
      message('m2', { type: 'text', text }),
      done('ok'),
      message('m3', { type: 'text', text }),
    ]);
    expect(signals.flatMap(signal => (signal.type === 'usage' ? [Object.values(signal.usage)] : []))).toEqual([
      [900, 100, 300],
      [900, 200, 300],
      [1800, 300, 600],
      [120, 40, 300],
      [1020, 140, 600],
    ]);
  });

  it('says what went wrong in its own words', () => {
    expect(play(claude, [failed('API Error: 529 Overloaded')]).signals[0]).toEqual({
      type: 'error',
      text: 'API Error: 529 Overloaded',
    });
  });
});

describe('a claude run that failed', () => {
  const cases: readonly (readonly [string, object[], string])[] = [
    ['401', [failed('Invalid API key · Fix external API key', { api_error_status: 401 })], 'auth'],
    ['401 in words only', [failed('Invalid API key · Fix external API key')], 'auth'],
    ['no key', [failed('Not logged in · Please run /login')], 'auth'],
    ['credit', [failed('Credit balance is too low', { api_error_status: 400 })], 'auth'],
    ['429', [failed('API Error: Request rejected (429) · Later', { api_error_status: 429 })], 'rate-limit'],
    ['429 in words only', [failed('API Error: 429 {"type":"error"}')], 'rate-limit'],
    [
      '529',
      [apiError('x', { error: 'server_error' }), failed('API Error: 529 Overloaded', { api_error_status: 529 })],
      'overload',
    ],
    ['529 in words only', [failed('API Error: 529 {"type":"error","error":{"type":"overloaded_error"}}')], 'overload'],
    ['500 by event', [apiError('x', { error: 'overloaded' }), failed('Something')], 'overload'],
    ['network', [failed('API Error: Connection error.')], 'network'],
    ['unknown model', [apiError('x'), failed('no such model', { api_error_status: 404 })], 'validation'],
    ['a bad request mid-run', [say('hello'), failed('bad image', { api_error_status: 400 })], 'logic'],
    ['prompt too long', [failed('Prompt is too long', { terminal_reason: 'prompt_too_long' })], 'logic'],
    ['max turns', [bash('ls'), { type: 'result', subtype: 'error_max_turns', is_error: true }], 'logic'],
    ['an error nobody knows', [failed('Everything is odd')], 'logic'],
  ];
  it.each(cases)('knows the class of %s', (_, records, expected) => {
    expect(play(claude, records, { code: 1 }).failure?.class).toBe(expected);
  });

  it('ran out of turns even where the exit code says 0 and is_error is false', () => {
    const result = { type: 'result', subtype: 'error_max_turns', is_error: false, total_cost_usd: 0.3 };
    const outcome = play(claude, [say('Working'), bash('ls'), result]);
    expect(outcome.failure?.class).toBe('logic');
    expect(outcome.message).toBe('');
    expect(outcome.costUsd).toBe(0.3);
  });

  it('waits until the announced reset', () => {
    const info = { status: 'rejected', resetsAt: 1794776813, rateLimitType: 'five_hour' };
    const words = "You've hit your 5-hour limit · resets 9:06pm (UTC)";
    const outcome = play(
      claude,
      [{ type: 'rate_limit_event', rate_limit_info: info }, apiError(words, { error: 'rate_limit' }), failed(words)],
      { code: 1 },
    );
    expect(outcome.failure).toMatchObject({ class: 'rate-limit', resetAt: 1_794_776_813_000 });
  });

  it('knows the reset time of versions that only print text', () => {
    const stamped = play(claude, [failed('Claude AI usage limit reached|1794776908')], { code: 1 });
    expect(stamped.failure).toMatchObject({ class: 'rate-limit', resetAt: 1_794_776_908_000 });
    const reader = claudeReader({ now: () => Date.UTC(2026, 10, 15, 19, 30) });
    reader.line(JSON.stringify(failed("You've hit your session limit · resets 9:07pm (UTC)")));
    expect(reader.end(processEnd({ code: 1 })).failure?.resetAt).toBe(Date.UTC(2026, 10, 15, 21, 8));
  });

  it('tells its retries, and what it was stuck in when time ran out', () => {
    const retry = {
      type: 'system',
      subtype: 'api_retry',
      attempt: 2,
      max_retries: 10,
      retry_delay_ms: 600,
      error_status: 429,
      error: 'rate_limit',
    };
    const outcome = play(claude, [init, retry], { reason: 'idle', code: null, signal: 'SIGKILL' });
    expect(outcome.signals).toEqual([{ type: 'retrying', detail: '429 rate_limit, try 2 of 10, waiting 600ms' }]);
    expect(outcome.failure?.class).toBe('rate-limit');
    expect(play(claude, [init, retry, say('on')], { reason: 'idle' }).failure?.class).toBe('timeout');
  });

  it('is never classified by a model’s words, even when it crashed', () => {
    const words = "You've hit your 5-hour limit. API Error: 429. Invalid API key.";
    expect(play(claude, [say(words)], { code: 1 }).failure?.class).toBe('logic');
    expect(play(claude, [say(words), done(words)], { code: 1, tail: words }).failure?.class).toBe('logic');
  });

  it('is known without a result by its own last error', () => {
    const records = [init, apiError('API Error: 529 Overloaded', { error: 'overloaded', api_error_status: 529 })];
    expect(play(claude, records, { code: 1 }).failure?.class).toBe('overload');
  });

  it('refused its flags: it printed no event at all', () => {
    const { failure } = play(claude, [], { code: 1, tail: "error: unknown option '--foo'\n" });
    expect(failure).toEqual({
      class: 'setup',
      message: "the agent ended with exit code 1: error: unknown option '--foo'",
    });
  });

  it('failed after its first event and before its first answer', () => {
    expect(play(claude, [init], { code: 1, tail: 'Error: no space left' }).failure).toMatchObject({
      class: 'logic',
      unanswered: true,
    });
    expect(play(claude, [init, say('x')], { code: 1 }).failure).toEqual({
      class: 'logic',
      message: 'the agent ended with exit code 1',
    });
  });

  it('was cut off before its result: trouble on the way, not a silent agent', () => {
    const cut = play(claude, [init, say('x'), bash('ls')]);
    expect(cut.failure).toEqual({ class: 'network', message: 'the output of the agent ended before its result' });
    expect(play(claude, [], {}).failure).toMatchObject({ class: 'logic', unanswered: true });
  });

  it('is not waited for while it retries with a key that was refused', () => {
    const retry = (attempt: number, status = 401) => ({
      type: 'system',
      subtype: 'api_retry',
      attempt,
      max_retries: 10,
      retry_delay_ms: 500,
      error_status: status,
      error: 'authentication_failed',
    });
    const hopeless = (records: readonly object[]) =>
      play(claude, records).signals.map(signal => signal.type === 'retrying' && signal.hopeless === true);
    const from = (apiKeySource: string) => ({ type: 'system', subtype: 'init', apiKeySource });
    expect(hopeless([from('ANTHROPIC_API_KEY'), retry(1)])).toEqual([true]);
    // A login is renewed on the first refusal.
    expect(hopeless([from('none'), retry(1), retry(2)])).toEqual([false, true]);
    expect(hopeless([from('ANTHROPIC_API_KEY'), retry(1, 529), retry(2, 429)])).toEqual([false, false]);
    const end = { reason: 'lingered', code: 143, signal: null } as const;
    expect(play(claude, [from('ANTHROPIC_API_KEY'), retry(1)], end).failure).toEqual({
      class: 'auth',
      message: 'the agent was ended while it was retrying (401 authentication_failed)',
    });
  });

  it('was cut off: the last words stand, unless a tool call followed them', () => {
    expect(play(claude, [say('Last words')], { code: null, signal: 'SIGKILL' }).message).toBe('Last words');
    expect(play(claude, [say('RALPH_TASK_COMPLETE: A'), bash('ls')]).message).toBe('');
  });

  it('is what the exit state says when it was stopped or never started', () => {
    expect(play(claude, [], { reason: 'not-started', code: null, error: 'spawn claude ENOENT' }).failure?.class).toBe(
      'setup',
    );
    expect(play(claude, [], { reason: 'not-started', code: null, error: 'spawn EAGAIN' }).failure?.class).toBe(
      'overload',
    );
    expect(play(claude, [say('x')], { reason: 'timeout', code: null, signal: 'SIGKILL' }).failure?.class).toBe(
      'timeout',
    );
  });

  it('did not fail when it only lingered after its result', () => {
    const end = { reason: 'lingered', code: null, signal: 'SIGKILL' } as const;
    expect(play(claude, [done('ok')], end).failure).toBeUndefined();
    expect(play(claude, [done('ok')], { reason: 'timeout', code: null }).failure).toBeUndefined();
    expect(play(claude, [done('ok'), bash('sleep 9')], { reason: 'timeout', code: null }).failure?.class).toBe(
      'timeout',
    );
  });
});
