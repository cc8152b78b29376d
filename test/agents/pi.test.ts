import { describe, expect, it } from 'vitest';
import { pi } from '../../src/agents/pi.ts';
import { play } from './play.ts';
import { recordedText, replay } from './recorded.ts';

describe('pi', () => {
  it('success: message, tokens, cost, model, the tool and its answer', () => {
    const { message, usage, costUsd, model, failure, signals } = replay('pi');
    expect(failure).toBeUndefined();
    expect(message).toBe('All done.\n<promise>COMPLETE</promise>');
    expect(usage).toEqual({ inputTokens: 1800, outputTokens: 90, cachedTokens: 600 });
    expect(costUsd).toBeCloseTo(0.00204);
    expect(model).toBe('fake-model');
    expect(signals).toContainEqual({
      type: 'tool',
      name: 'bash',
      detail: 'echo hello > made-by-agent.txt',
      id: 'call_fake000163',
    });
    expect(signals).toContainEqual({ type: 'result', text: '(no output)', lines: 1, id: 'call_fake000163' });
    expect(signals.at(-1)).toEqual({ type: 'finished' });
  });

  it.each([
    ['pi-401', 'auth', '401 invalid x-api-key'],
    ['pi-429', 'rate-limit', "429 This request would exceed your account's rate limit. Please try again later."],
    ['pi-529', 'overload', '529 Overloaded'],
  ])('%s is %s although its exit code is 0', (name, kind, message) => {
    expect(replay(name).failure).toEqual({ class: kind, message });
  });

  it('the limit of a subscription is waited for until its end', () => {
    const { failure } = replay('pi-usage-limit');
    expect(failure).toMatchObject({
      class: 'rate-limit',
      message: 'You have hit your ChatGPT usage limit (plus plan). Try again in ~60 min.',
    });
    expect((failure?.resetAt ?? 0) - Date.now()).toBeGreaterThan(59 * 60_000);
  });

  it('tells its retries, and that a refused key is hopeless', () => {
    expect(replay('pi-429').signals.filter(({ type }) => type === 'retrying')).toHaveLength(3);
    const record = { type: 'auto_retry_start', attempt: 1, maxAttempts: 3, errorMessage: '401 bad key' };
    expect(play(pi, [record]).signals[0]).toMatchObject({ type: 'retrying', hopeless: true });
  });

  it('an end in the middle of its work is a cut', () => {
    expect(replay('pi-sigterm', { code: 143 }).failure?.class).toBe('logic');
    expect(replay('pi-sigterm').failure?.class).toBe('network');
    expect(replay('pi-sigterm', { reason: 'idle', code: null }).failure?.class).toBe('timeout');
  });

  it('an error that a later answer mended is none', () => {
    const lines = recordedText('pi-429').split('\n').slice(0, 10);
    const answer = { role: 'assistant', stopReason: 'stop', content: [{ type: 'text', text: 'fine' }] };
    const { failure, message } = play(pi, [...lines, { type: 'message_end', message: answer }, { type: 'agent_end' }]);
    expect([failure, message]).toEqual([undefined, 'fine']);
  });
});
