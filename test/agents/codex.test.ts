import { describe, expect, it } from 'vitest';
import { codex } from '../../src/agents/codex.ts';
import { codexReader } from '../../src/agents/codex-stream.ts';
import { processEnd } from '../support/process-end.ts';
import { play } from './play.ts';

const start = [{ type: 'thread.started', thread_id: 't' }, { type: 'turn.started' }];
const item = (type: string, more: object, when = 'item.completed') => ({
  type: when,
  item: { id: 'i', type, ...more },
});
const message = (text: string) => item('agent_message', { text });
const completed = {
  type: 'turn.completed',
  usage: { input_tokens: 2400, cached_input_tokens: 600, output_tokens: 90 },
};
const turnFailed = (text: string) => ({ type: 'turn.failed', error: { message: text } });

describe('the command line of codex', () => {
  it('reads the brief from standard input', () => {
    const { argv } = codex.command({ model: 'gpt-x', effort: 'high', args: ['--disable', 'apps'], env: {} });
    expect(argv).toEqual([
      'codex',
      'exec',
      '--json',
      '--skip-git-repo-check',
      '--dangerously-bypass-approvals-and-sandbox',
      '-m',
      'gpt-x',
      '-c',
      'model_reasoning_effort="high"',
      '--disable',
      'apps',
      '-',
    ]);
  });

  it('leaves a sandbox of the user alone', () => {
    for (const args of [['--sandbox', 'workspace-write'], ['--full-auto'], ['-c', 'sandbox_mode="read-only"']]) {
      expect(codex.command({ args, env: {} }).argv).not.toContain('--dangerously-bypass-approvals-and-sandbox');
    }
  });
});

describe('a healthy codex run', () => {
  it('has the last message, the tokens and the tools', () => {
    const outcome = play(codex, [
      ...start,
      item('error', { message: 'Model metadata not found.' }),
      message('I will look.'),
      item('command_execution', { command: 'ls', status: 'in_progress' }, 'item.started'),
      item('command_execution', { command: 'ls', exit_code: 0 }),
      item('file_change', { changes: [{ path: 'a.js', kind: 'add' }] }),
      message('All done.'),
      item('todo_list', { items: [] }),
      completed,
    ]);
    expect(outcome.failure).toBeUndefined();
    expect(outcome.message).toBe('All done.');
    expect(outcome.usage).toEqual({ inputTokens: 1800, outputTokens: 90, cachedTokens: 600 });
    expect(outcome.signals.filter(signal => signal.type === 'tool')).toEqual([
      { type: 'tool', name: 'Bash', detail: 'ls', id: 'i' },
      { type: 'tool', name: 'Edit', detail: 'a.js', id: 'i' },
      { type: 'tool', name: 'todo_list', detail: '', id: 'i' },
    ]);
    expect(outcome.signals.at(-1)).toEqual({ type: 'finished' });
  });

  it('has what its commands printed, and which of them failed', () => {
    const ran = (exit: number, output: string) =>
      item('command_execution', { command: "/bin/zsh -lc 'npm test'", exit_code: exit, aggregated_output: output });
    const { signals } = play(codex, [...start, ran(0, 'ok\n'), ran(1, 'red\n'), ran(0, '')]);
    expect(signals).toEqual([
      { type: 'result', text: 'ok', lines: 1, id: 'i' },
      { type: 'result', text: 'exit code 1\nred', lines: 2, failed: true, id: 'i' },
    ]);
  });

  it('may reconnect and may talk about limits', () => {
    const words = 'You’ve hit your usage limit. try again at 8:55 PM.';
    const retry = { type: 'error', message: 'Reconnecting... 1/5 (unexpected status 401 Unauthorized)' };
    const outcome = play(codex, [...start, retry, message(words), completed]);
    expect(outcome.failure).toBeUndefined();
    expect(outcome.signals[0]).toMatchObject({ type: 'retrying' });
  });
});

describe('a codex run that failed', () => {
  it.each([
    ['unexpected status 401 Unauthorized: invalid x-api-key, url: http://x/v1', 'auth'],
    ['exceeded retry limit, last status: 429 Too Many Requests', 'rate-limit'],
    ['unexpected status 529 <unknown status code>: Overloaded, url: http://x', 'overload'],
    ['Quota exceeded. Check your plan and billing details.', 'auth'],
    ['stream disconnected before completion: error sending request', 'network'],
    ['unexpected status 404 Not Found: no such model', 'validation'],
    ['something else', 'logic'],
  ])('knows the class of "%s"', (text, expected) => {
    const outcome = play(codex, [...start, { type: 'error', message: text }, turnFailed(text)], { code: 1 });
    expect(outcome.failure).toMatchObject({ class: expected, message: text });
  });

  it('knows when its usage limit ends', () => {
    const now = new Date(2026, 5, 1, 18, 0).getTime();
    const at = (text: string) => {
      const reader = codexReader({ now: () => now });
      reader.line(
        JSON.stringify(turnFailed(`You’ve hit your usage limit. Upgrade to Pro (https://x/pro) or ${text}.`)),
      );
      return reader.end(processEnd({ code: 1 })).failure;
    };
    expect(at('try again at 8:55 PM')).toMatchObject({
      class: 'rate-limit',
      resetAt: new Date(2026, 5, 1, 20, 56).getTime(),
    });
    expect(at('try again at Jun 3rd, 2026 9:05 AM')?.resetAt).toBe(new Date(2026, 5, 3, 9, 6).getTime());
    expect(at('try again later')).toMatchObject({ class: 'rate-limit' });
    expect(at('try again later')?.resetAt).toBeUndefined();
  });

  it('by exit state: refused flags, a signal, a hang while reconnecting', () => {
    const refused = play(codex, [], { code: 2, tail: "error: unexpected argument '--x'\n\nFor more, try '--help'.\n" });
    expect(refused.failure).toMatchObject({ class: 'setup', message: expect.stringContaining("argument '--x'") });
    expect(play(codex, start, { code: null, signal: 'SIGTERM' }).failure?.class).toBe('logic');
    const retry = { type: 'error', message: 'Reconnecting... 5/5 (unexpected status 503 Service Unavailable)' };
    expect(play(codex, [...start, retry], { reason: 'idle', code: null }).failure?.class).toBe('overload');
    expect(play(codex, start, { reason: 'idle', code: null }).failure?.class).toBe('timeout');
  });

  it('before its first answer is told from one after it', () => {
    const text = 'Missing environment variable: `FAKE_KEY`.';
    const failing = [{ type: 'error', message: text }, turnFailed(text)];
    expect(play(codex, [...start, ...failing], { code: 1 }).failure).toEqual({
      class: 'logic',
      message: text,
      unanswered: true,
    });
    expect(play(codex, [...start, message('x'), ...failing], { code: 1 }).failure).toEqual({
      class: 'logic',
      message: text,
    });
  });

  it('was cut off before the end of its turn: trouble on the way, not a silent agent', () => {
    expect(play(codex, [...start, message('x')]).failure?.class).toBe('network');
    expect(play(codex, [...start, message('x'), completed]).failure).toBeUndefined();
  });

  it('said nothing final when it was killed during a command', () => {
    const running = item('command_execution', { command: 'sleep 9' }, 'item.started');
    expect(play(codex, [...start, message('RALPH_TASK_COMPLETE: A'), running], { code: 1 }).message).toBe('');
  });
});
