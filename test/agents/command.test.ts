import { describe, expect, it } from 'vitest';
import { readClaim } from '../../src/agents/claims.ts';
import { command } from '../../src/agents/command.ts';
import { MESSAGE_LIMIT } from '../../src/agents/message.ts';
import { processEnd } from '../support/process-end.ts';
import { play } from './play.ts';

describe('a program of the user’s own', () => {
  it('is run with its own words and the extra arguments', () => {
    const { argv, env } = command.command({ command: ['./agent', '-x'], args: ['--y'], env: { A: '1' } });
    expect(argv).toEqual(['./agent', '-x', '--y']);
    expect(env).toEqual({ A: '1' });
  });

  it('has its standard output as its message, without control codes', () => {
    const outcome = play(command, ['Working', '', '\u001b[32mRALPH_TASK_COMPLETE: A\u001b[0m']);
    expect(outcome.message).toBe('Working\n\nRALPH_TASK_COMPLETE: A');
    expect(outcome.failure).toBeUndefined();
    expect(outcome.signals).toEqual([
      { type: 'text', text: 'Working' },
      { type: 'text', text: 'RALPH_TASK_COMPLETE: A' },
    ]);
  });

  it.each([
    [1, 'logic'],
    [75, 'overload'],
    [78, 'setup'],
    [126, 'setup'],
    [127, 'setup'],
  ])('exit %i is a failure of class %s', (code, expected) => {
    expect(play(command, ['x'], { code }).failure?.class).toBe(expected);
  });

  it.each([
    ['Error: 401 invalid x-api-key', 'auth'],
    ['{"status":"error","message":"401 invalid x-api-key"}', 'auth'],
    ['[API Error: {"error":{"code":401,"status":"UNAUTHENTICATED"}}]', 'auth'],
    ['GEMINI_API_KEY is not set: set your API key', 'auth'],
    ['[API Error: 429 Too Many Requests]', 'rate-limit'],
    ['You have exhausted your daily quota on this model.', 'rate-limit'],
    ['Last error: 529 Overloaded', 'overload'],
    ['TypeError: x is undefined at line 401', 'logic'],
  ])('is classified by the end of its standard error: %s', (stderr, expected) => {
    expect(play(command, ['x'], { code: 1, stderr }).failure?.class).toBe(expected);
    // Never by what a model wrote, and never when it did not fail.
    expect(play(command, [stderr], { code: 1, tail: stderr }).failure?.class).toBe('logic');
    expect(play(command, ['x'], { stderr }).failure).toBeUndefined();
  });

  it('may say in a line of JSON that it is to be tried later, or cannot be used', () => {
    const now = Date.now();
    const retry = '{"ralph":"retry","after":"30m","why":"the queue is full"}';
    const outcome = play(command, ['Working', retry, ''], { code: 1 }).failure;
    expect(outcome).toMatchObject({ class: 'rate-limit', message: 'the queue is full' });
    expect((outcome?.resetAt ?? 0) - now).toBeGreaterThanOrEqual(30 * 60_000);
    const unavailable = '{"ralph":"unavailable","why":"no licence"}';
    expect(play(command, [], { code: 3, stderr: `x\n${unavailable}\ny` }).failure).toMatchObject({
      class: 'setup',
      message: 'no licence',
    });
    expect(play(command, [unavailable, 'more'], { code: 1 }).failure?.class).toBe('logic');
    expect(play(command, [unavailable]).failure).toBeUndefined();
  });

  it('failed before its first word, or after it', () => {
    expect(play(command, [' '], { code: 2, stderr: 'usage: agent FILE' }).failure).toEqual({
      class: 'logic',
      message: 'the agent ended with exit code 2: usage: agent FILE',
      unanswered: true,
    });
    expect(play(command, ['x'], { code: 2 }).failure?.unanswered).toBeUndefined();
  });

  it('may hang or be ended by a signal', () => {
    expect(play(command, ['x'], { reason: 'idle', code: null }).failure?.class).toBe('timeout');
    expect(play(command, [], { code: null, signal: 'SIGSEGV' }).failure?.class).toBe('logic');
    expect(play(command, ['x'], { reason: 'lingered', code: 0 }).failure).toBeUndefined();
  });

  it('is held in bounded memory and keeps its end', () => {
    const reader = command.read();
    for (let line = 0; line < 50_000; line++) reader.line(`line ${line} of a long story`);
    const { message } = reader.end(processEnd());
    expect(message.length).toBeLessThanOrEqual(MESSAGE_LIMIT + 10);
    expect(message.endsWith('line 49999 of a long story')).toBe(true);
  });

  it('does not claim anything in a code block whose beginning was cut off', () => {
    const lines = [
      '```',
      ...Array.from({ length: 9000 }, () => 'some tool output'),
      'RALPH_TASK_COMPLETE: A',
      '```',
      'ok',
    ];
    const { message } = play(command, lines);
    expect(message).toContain('RALPH_TASK_COMPLETE: A');
    expect(readClaim({ message, item: 'A', brief: '' })).toEqual({ type: 'none' });
    const after = play(command, [...lines, 'RALPH_TASK_COMPLETE: A']);
    expect(readClaim({ message: after.message, item: 'A', brief: '' })).toMatchObject({ type: 'done' });
  });
});
