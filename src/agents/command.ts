/** Any program: the brief on its standard input, its standard output is its message. */
import type { Agent, AgentFailure, ProcessEnd } from '../protocol.ts';
import { noUsage } from '../state.ts';
import { plain } from '../util/show.ts';
import { failureOfEnd } from './failures.ts';
import { messageTail } from './message.ts';

/** EX_TEMPFAIL of sysexits: the program's own way to say "not now". */
const TEMPORARY = 75;
/** What shells answer for a program that cannot be run or is not there. */
const NOT_RUNNABLE: ReadonlySet<number> = new Set([126, 127]);
const SHOWN = 2000;

export const command: Agent = {
  name: 'command',
  command: ({ command: words = [], args, env }) => {
    const [program = '', ...rest] = words;
    return { argv: [program, ...rest, ...args], env };
  },
  read: () => {
    const message = messageTail();
    return {
      line: line => {
        const clean = plain(line);
        message.add(clean);
        return clean.trim() === '' ? [] : [{ type: 'text', text: clean.slice(0, SHOWN) }];
      },
      end: end => {
        const failure = failureOf(end);
        return { message: message.text(), usage: noUsage, costUsd: 0, ...(failure ? { failure } : {}) };
      },
    };
  },
};

function failureOf(end: ProcessEnd): AgentFailure | undefined {
  // A program of the user's has no format to be silent in: an error exit without output is still its own failure.
  const failure = failureOfEnd(end, { started: true, finished: false });
  if (!failure || end.signal !== null || (end.reason !== 'exited' && end.reason !== 'lingered')) return failure;
  if (end.code === TEMPORARY) return { ...failure, class: 'overload' };
  return NOT_RUNNABLE.has(end.code ?? 0) ? { ...failure, class: 'validation' } : failure;
}
