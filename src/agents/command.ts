/** Any program: the brief on its standard input, its standard output is its message. */
import type { Agent } from '../protocol.ts';
import { noUsage } from '../state.ts';
import { systemClock } from '../util/clock.ts';
import { plain } from '../util/show.ts';
import { commandFailure } from './command-failure.ts';
import { messageTail } from './message.ts';

const SHOWN = 2000;

export const command: Agent = {
  name: 'command',
  command: ({ command: words = [], args, env }) => {
    const [program = '', ...rest] = words;
    return { argv: [program, ...rest, ...args], env };
  },
  read: () => {
    const tail = messageTail();
    return {
      line: line => {
        const clean = plain(line);
        tail.add(clean);
        return clean.trim() === '' ? [] : [{ type: 'text', text: clean.slice(0, SHOWN) }];
      },
      end: end => {
        const message = tail.text();
        const failure = commandFailure({ end, message, now: systemClock.now() });
        return { message, usage: noUsage, costUsd: 0, ...(failure ? { failure } : {}) };
      },
    };
  },
};
