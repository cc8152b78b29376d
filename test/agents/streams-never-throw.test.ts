import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readClaim, readLessons } from '../../src/agents/index.ts';
import { agentNamed, agentNames } from '../../src/agents/known.ts';
import type { ProcessEnd } from '../../src/protocol.ts';
import { processEnd } from '../support/process-end.ts';
import { agentOf, recordedNames, recordedText } from './recorded.ts';

const numRuns = Number(process.env.RALPH_PROPERTY_RUNS ?? 500);

const CLASSES = [undefined, 'network', 'rate-limit', 'overload', 'timeout', 'auth', 'setup', 'validation', 'logic'];

const transcript = [
  { type: 'system', subtype: 'api_retry', attempt: 1, max_retries: 2, retry_delay_ms: 1, error_status: 429 },
  { type: 'assistant', message: { id: 'a', content: [{ type: 'tool_use', name: 'Bash', input: { command: 'ls' } }] } },
  { type: 'assistant', message: { id: 'b', model: '<synthetic>', content: [{ type: 'text', text: 'x' }] }, error: 'y' },
  { type: 'rate_limit_event', rate_limit_info: { status: 'rejected', resetsAt: 1794776813 } },
  {
    type: 'result',
    subtype: 'success',
    is_error: true,
    result: 'API Error: 429',
    modelUsage: { m: { inputTokens: 1 } },
  },
  { type: 'item.started', item: { id: '1', type: 'command_execution', command: 'ls' } },
  { type: 'item.completed', item: { id: '1', type: 'file_change', changes: [{ path: 'a' }] } },
  { type: 'turn.completed', usage: { input_tokens: 1 } },
  { type: 'turn.failed', error: { message: 'You’ve hit your usage limit, try again at 8:55 PM' } },
  { type: 'error', class: 'network', message: 'Reconnecting... 1/5' },
  { type: 'limit', resetAt: 5, message: 'x' },
  { type: 'usage', input: 1, output: 2, cost: 3 },
  {
    type: 'message_end',
    message: { role: 'assistant', stopReason: 'error', errorMessage: '429 x', usage: { input: 1 } },
  },
  { type: 'auto_retry_start', attempt: 1, maxAttempts: 3, errorMessage: '401 x' },
  { type: 'acp.update', update: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'x' } } },
  { type: 'acp.update', update: { sessionUpdate: 'tool_call', toolCallId: '1', rawInput: { command: 'ls' } } },
  { type: 'acp.answer', method: 'session/prompt', result: { stopReason: 'end_turn', usage: { inputTokens: 1 } } },
  { type: 'acp.answer', method: 'session/prompt', error: { code: 429, message: 'x', data: { errorKind: 'y' } } },
];

const anyEnd: fc.Arbitrary<ProcessEnd> = fc
  .record({
    reason: fc.constantFrom<ProcessEnd['reason']>('exited', 'lingered', 'idle', 'timeout', 'stopped', 'not-started'),
    code: fc.option(fc.integer({ min: 0, max: 255 })),
    signal: fc.option(fc.constantFrom('SIGTERM', 'SIGKILL')),
    tail: fc.string(),
  })
  .map(change => processEnd(change));

/** A record with some of its values, at any depth, replaced by something else. */
function mutated(value: unknown): fc.Arbitrary<unknown> {
  if (Array.isArray(value)) return fc.oneof({ weight: 4, arbitrary: fc.tuple(...value.map(mutated)) }, fc.jsonValue());
  if (typeof value !== 'object' || value === null)
    return fc.oneof(
      { weight: 4, arbitrary: fc.constant(value) },
      fc.constantFrom('constructor', '__proto__'),
      fc.jsonValue(),
    );
  const fields = Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, mutated(inner)]));
  return fc.oneof({ weight: 8, arbitrary: fc.record(fields, { requiredKeys: [] }) }, fc.jsonValue());
}

const line = fc.oneof(
  fc.string(),
  fc.json(),
  fc
    .constantFrom(...transcript)
    .chain(mutated)
    .map(value => JSON.stringify(value)),
  fc
    .tuple(fc.constantFrom(...transcript), fc.nat(200))
    .map(([record, length]) => JSON.stringify(record).slice(0, length)),
);

describe('whatever a process prints', () => {
  it.each(agentNames)('the reader of %s gives an outcome with sane numbers', name => {
    fc.assert(
      fc.property(fc.array(line, { maxLength: 30 }), anyEnd, (lines, end) => {
        const reader = agentNamed(name)?.read();
        if (!reader) throw new Error(name);
        for (const each of lines) for (const signal of reader.line(each)) expect(typeof signal.type).toBe('string');
        const outcome = reader.end(end);
        expect(typeof outcome.message).toBe('string');
        for (const amount of [...Object.values(outcome.usage), outcome.costUsd])
          expect(amount).toBeGreaterThanOrEqual(0);
        expect(CLASSES).toContain(outcome.failure?.class);
        if (outcome.failure?.resetAt !== undefined) expect(outcome.failure.resetAt).toBeGreaterThan(0);
      }),
      { numRuns },
    );
  });

  it.each(recordedNames)('%s may be cut at any byte', name => {
    const bytes = Buffer.from(recordedText(name));
    const agent = agentOf(name);
    for (let cut = 0; cut <= bytes.length; cut++) {
      const reader = agent.read();
      for (const line of bytes.subarray(0, cut).toString().split('\n')) reader.line(line);
      if (!CLASSES.includes(reader.end(processEnd({})).failure?.class)) expect.unreachable(`cut at byte ${cut}`);
    }
  });

  it('a process that was not started or hung never looks healthy', () => {
    fc.assert(
      fc.property(fc.constantFrom(...agentNames), fc.array(fc.string()), (name, lines) => {
        const reader = agentNamed(name)?.read();
        for (const each of lines) reader?.line(each);
        expect(reader?.end(processEnd({ reason: 'idle', code: null })).failure).toBeDefined();
        expect(reader?.end(processEnd({ reason: 'not-started', code: null })).failure).toBeDefined();
      }),
      { numRuns },
    );
  });

  it('claims and lessons are read from any text', () => {
    const pieces = fc.constantFrom(
      '```',
      '~~~',
      '`',
      '``',
      '"',
      '“',
      '”',
      '<!--',
      '-->',
      '\n',
      '\n\n',
      '    ',
      '>',
      '\\',
      '<lesson kind="fact">',
      '</lesson>',
      '<used>L-1</used>',
      '<promise>COMPLETE</promise>',
      'RALPH_TASK_COMPLETE: A',
      'RALPH_TASK_BLOCKED: A - why',
      ' ',
      'x',
      '\r\n',
      '\u2028',
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(pieces, fc.string()), { maxLength: 60 }), parts => {
        const message = parts.join('');
        expect(['done', 'blocked', 'none']).toContain(readClaim({ message, item: 'A', brief: message }).type);
        expect(readLessons(message).lessons.length).toBeLessThanOrEqual(20);
      }),
      { numRuns },
    );
  });
});
