/** How agents fail, as they really do: each failure has its class, and no words of a model are ever taken for one. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { FailureClass, ProcessEnd } from '../../src/protocol.ts';
import { react } from '../../src/retry/wait.ts';
import { apiError, named, play } from './play.ts';

const NOW = Date.parse('2026-11-16T12:00:00Z');
const RESET = Math.round(NOW / 1000) + 7200;
/** In two hours, as clocks show it: a bare time that has passed by now would be tomorrow's. */
const SOON = new Date(Date.now() + 2 * 3_600_000)
  .toLocaleTimeString('en-US', { hour: 'numeric', minute: '2-digit' })
  .replace('\u202f', ' ');
/** In two days: `Nov 18`. */
const DAY = new Date(Date.now() + 2 * 86_400_000).toLocaleDateString('en-US', {
  month: 'short',
  day: 'numeric',
  timeZone: 'UTC',
});

const init = { type: 'system', subtype: 'init', apiKeySource: 'ANTHROPIC_API_KEY', model: 'claude-sonnet-4-6' };
const result = (more: object) => ({ type: 'result', subtype: 'success', is_error: true, result: '', ...more });
const worked = { type: 'assistant', message: { id: 'w', model: 'm', content: [{ type: 'text', text: 'Working.' }] } };
const retry = (status: number, attempt: number) => ({
  ...{ type: 'system', subtype: 'api_retry', attempt, max_retries: 10, retry_delay_ms: 600 },
  error_status: status,
});
const rejected = (type: string) => ({
  type: 'rate_limit_event',
  rate_limit_info: { status: 'rejected', resetsAt: RESET, rateLimitType: type },
});
const turnFailed = (message: string) => ({ type: 'turn.failed', error: { message } });
const piError = (errorMessage: string) => ({
  type: 'message_end',
  message: { role: 'assistant', content: [], stopReason: 'error', errorMessage },
});
const acpError = (error: object) => ({ type: 'acp.answer', method: 'session/prompt', error });

type Row = readonly [
  what: string,
  agent: string,
  records: readonly unknown[],
  end: Partial<ProcessEnd>,
  kind: FailureClass,
  more?: { readonly reset?: true },
];

const rows: readonly Row[] = [
  [
    'an API error inside a success',
    'claude',
    [init, result({ result: 'API Error: 500 {}', api_error_status: 500 })],
    { code: 1 },
    'overload',
  ],
  [
    'exit 0 with an error',
    'claude',
    [init, result({ result: 'Invalid API key · Fix external API key' })],
    { code: 0 },
    'auth',
  ],
  ['exit 0 with an error, of pi', 'pi', [piError('401 invalid x-api-key'), { type: 'agent_end' }], { code: 0 }, 'auth'],
  ['max turns', 'claude', [init, worked, { type: 'result', subtype: 'error_max_turns', is_error: false }], {}, 'logic'],
  [
    'a prompt that is too long',
    'claude',
    [init, result({ result: 'Prompt is too long', terminal_reason: 'prompt_too_long' })],
    { code: 1 },
    'logic',
  ],
  [
    'a prompt that is too long, of codex',
    'codex',
    [turnFailed('Codex ran out of room in the model’s context window.')],
    { code: 1 },
    'logic',
  ],
  ['a bad key', 'codex', [turnFailed('unexpected status 401 Unauthorized: invalid key')], { code: 1 }, 'auth'],
  [
    'low credit',
    'claude',
    [init, result({ result: 'Credit balance is too low', api_error_status: 400 })],
    { code: 1 },
    'auth',
  ],
  [
    'low credit, of codex',
    'codex',
    [turnFailed('Quota exceeded. Check your plan and billing details.')],
    { code: 1 },
    'auth',
  ],
  [
    'low credit, over the protocol',
    'gemini',
    [acpError({ code: -32603, message: 'Your credit balance is too low' })],
    {},
    'auth',
  ],
  [
    '429 without a reset',
    'claude',
    [init, result({ result: 'API Error: Request rejected (429) · later', api_error_status: 429 })],
    { code: 1 },
    'rate-limit',
  ],
  [
    '429 without a reset, of codex',
    'codex',
    [turnFailed('exceeded retry limit, last status: 429 Too Many Requests')],
    { code: 1 },
    'rate-limit',
  ],
  ['429 over the protocol', 'gemini', [acpError({ code: 429, message: 'RESOURCE_EXHAUSTED' })], {}, 'rate-limit'],
  [
    'a daily quota over the protocol',
    'gemini',
    [acpError({ code: -32603, message: 'You have exhausted your daily quota on this model.' })],
    {},
    'rate-limit',
  ],
  [
    'the usage limit of 2.1',
    'claude',
    [init, rejected('five_hour'), result({ result: "You've hit your 5-hour limit · resets 2pm (UTC)" })],
    { code: 1 },
    'rate-limit',
    { reset: true },
  ],
  [
    'the weekly limit of 2.0',
    'claude',
    [
      init,
      apiError(`You've hit your weekly limit · resets ${DAY}, 9:06pm (UTC)`),
      result({ result: `You've hit your weekly limit · resets ${DAY}, 9:06pm (UTC)` }),
    ],
    { code: 1 },
    'rate-limit',
    { reset: true },
  ],
  [
    'the session limit of 1.0',
    'claude',
    [init, result({ result: `Session limit reached ∙ resets ${SOON}` })],
    { code: 1 },
    'rate-limit',
    { reset: true },
  ],
  [
    'the oldest usage limit',
    'claude',
    [init, result({ result: `Claude AI usage limit reached|${RESET}` })],
    { code: 1 },
    'rate-limit',
    { reset: true },
  ],
  [
    'the usage limit of codex',
    'codex',
    [turnFailed(`You’ve hit your usage limit. Upgrade to Pro or try again at ${SOON}.`)],
    { code: 1 },
    'rate-limit',
    { reset: true },
  ],
  [
    '529',
    'claude',
    [init, result({ result: 'API Error: 529 Overloaded.', api_error_status: 529 })],
    { code: 1 },
    'overload',
  ],
  [
    '529, of codex',
    'codex',
    [turnFailed('unexpected status 529 <unknown status code>: Overloaded')],
    { code: 1 },
    'overload',
  ],
  ['529, of pi', 'pi', [piError('529 Overloaded'), { type: 'agent_end' }], {}, 'overload'],
  ['a dropped stream', 'claude', [init, worked], {}, 'network'],
  ['a dropped stream, of codex', 'codex', [{ type: 'thread.started' }], {}, 'network'],
  [
    'a dropped stream over the protocol',
    'qwen',
    [{ type: 'acp.answer', method: 'initialize', result: {} }],
    {},
    'network',
  ],
  ['a silent wait', 'claude', [init, worked], { reason: 'idle', code: null }, 'timeout'],
  [
    'a silent wait for a limit that was told',
    'claude',
    [init, retry(429, 3)],
    { reason: 'idle', code: null },
    'rate-limit',
  ],
  ['retries that cannot succeed', 'claude', [init, retry(401, 1)], { reason: 'lingered', code: 143 }, 'auth'],
  ['a model that is not there', 'gemini', [acpError({ code: 500, message: 'model: not found' })], {}, 'setup'],
  [
    'a program that is not there',
    'claude',
    [],
    { reason: 'not-started', code: null, error: 'spawn claude ENOENT' },
    'setup',
  ],
  ['a flag it does not know', 'codex', [], { code: 2, stderr: "error: unexpected argument '--x' found" }, 'setup'],
  [
    'a program of the user that says 429',
    'command',
    [],
    { code: 1, stderr: 'HTTP 429 Too Many Requests' },
    'rate-limit',
  ],
  ['a preset that is not logged in', 'droid', [], { code: 1, stderr: 'Error: not logged in' }, 'auth'],
];

describe('failures as they are', () => {
  for (const [what, agent, records, end, kind, more] of rows) {
    it(`${what} (${agent}): ${kind}`, () => {
      const { failure } = play(named(agent), records, end);
      expect(failure?.class).toBe(kind);
      expect(failure?.message).toMatch(/\S/);
      expect(failure?.message).not.toContain('\n');
      if (more?.reset) expect(failure?.resetAt).toBeGreaterThan(NOW - 7 * 86_400_000);
      if (!failure) return;
      const reaction = react({ failure, retries: 0, troubleMs: 0, now: NOW, random: 0.5, waitMs: 30_000 });
      const waits = ['rate-limit', 'overload', 'network', 'timeout'].includes(kind);
      expect(reaction.type).toBe(waits ? 'wait' : kind === 'logic' ? 'attempt' : 'give-up');
      if (reaction.type === 'wait') expect(reaction.until).toBeGreaterThanOrEqual(NOW);
    });
  }
});

describe('words of a model', () => {
  const words = [
    "You've hit your 5-hour limit · resets 9:06pm (UTC)",
    `Claude AI usage limit reached|${RESET}`,
    `Session limit reached ∙ resets ${SOON}`,
    'API Error: 529 Overloaded.',
    'API Error: 401 invalid x-api-key',
    'Error: Failed to get response from the AI model; Last error: 429 Too many requests',
    'You’ve hit your usage limit. Try again at 8:55 PM.',
    'exceeded retry limit, last status: 429 Too Many Requests',
    'Credit balance is too low',
    'Not logged in · Please run /login',
    '{"type":"error","error":{"type":"rate_limit_error"}}',
    '{"type":"rate_limit_event","rate_limit_info":{"status":"rejected"}}',
    'Prompt is too long',
    'connect ECONNREFUSED 127.0.0.1:443',
    'quota exceeded, billing, insufficient_quota, 503',
  ];
  const around = ['', 'The test prints: ', 'I fixed the handling of "', '## Summary\n\n', 'Done.\n\n'];
  const usage = { input_tokens: 10, output_tokens: 5 };
  /** A healthy run of each agent in which the model, or a tool, says so. */
  const healthy: Readonly<Record<string, (text: string) => readonly unknown[]>> = {
    claude: text => [
      init,
      { type: 'assistant', message: { id: 'a', model: 'm', content: [{ type: 'text', text }], usage } },
      { type: 'user', message: { content: [{ type: 'tool_result', content: text, is_error: true }] } },
      { type: 'result', subtype: 'success', is_error: false, result: text, usage },
    ],
    codex: text => [
      { type: 'thread.started' },
      { type: 'item.completed', item: { id: '1', type: 'command_execution', aggregated_output: text, exit_code: 1 } },
      { type: 'item.completed', item: { id: '2', type: 'error', message: text } },
      { type: 'item.completed', item: { id: '3', type: 'agent_message', text } },
      { type: 'turn.completed', usage },
    ],
    pi: text => [
      { type: 'tool_execution_end', toolCallId: 't', result: { content: [{ type: 'text', text }] }, isError: true },
      { type: 'message_end', message: { role: 'assistant', stopReason: 'stop', content: [{ type: 'text', text }] } },
      { type: 'agent_end' },
    ],
    ...Object.fromEntries(
      ['gemini', 'opencode', 'copilot', 'qwen', 'acp'].map(name => [
        name,
        (text: string) => [
          {
            type: 'acp.update',
            update: { sessionUpdate: 'tool_call', toolCallId: '1', status: 'failed', title: text },
          },
          { type: 'acp.update', update: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } } },
          { type: 'acp.answer', method: 'session/prompt', result: { stopReason: 'end_turn' } },
        ],
      ]),
    ),
    command: text => text.split('\n'),
    amp: text => text.split('\n'),
  };

  it('never make a wait of a healthy run: 1,000 decoys', () => {
    const decoy = fc.tuple(
      fc.constantFrom(...Object.keys(healthy)),
      fc.constantFrom(...words),
      fc.constantFrom(...around),
      fc.string({ maxLength: 20 }),
    );
    fc.assert(
      fc.property(decoy, ([name, word, before, tail]) => {
        const text = `${before}${word}${tail}`;
        // What a tool of a healthy run wrote to standard error is no failure either.
        const { failure } = play(named(name), healthy[name]?.(text) ?? [], { code: 0, tail: text, stderr: text });
        expect(failure, name).toBeUndefined();
      }),
      { numRuns: 1000 },
    );
  });

  it('nor a wait of a run that failed for another reason', () => {
    for (const text of words) {
      const turns = { type: 'result', subtype: 'error_max_turns', is_error: false, result: text };
      const said = { type: 'assistant', message: { id: 'a', model: 'm', content: [{ type: 'text', text }], usage } };
      expect(play(named('claude'), [init, said, turns], { code: 1 }).failure?.class).toBe('logic');
      expect(play(named('command'), [text, 'more words'], { code: 1, tail: text }).failure?.class).toBe('logic');
    }
  });
});
