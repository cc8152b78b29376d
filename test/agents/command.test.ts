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
    [126, 'validation'],
    [127, 'validation'],
  ])('exit %i is a failure of class %s', (code, expected) => {
    expect(play(command, ['x'], { code }).failure?.class).toBe(expected);
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
