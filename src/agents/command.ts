/** Any program: the brief on its standard input, its standard output is its message. */
import type { Agent, AgentFailure, ProcessEnd } from '../protocol.ts';
import { noUsage } from '../state.ts';
import { systemClock } from '../util/clock.ts';
import { parseDuration } from '../util/duration.ts';
import { oneLine, plain } from '../util/show.ts';
import { classOfErrors, failureOfEnd } from './failures.ts';
import { recordsOf, textAt } from './json-lines.ts';
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

/** EX_TEMPFAIL of sysexits: "not now". */
const TEMPORARY = 75;
/** EX_CONFIG of sysexits, and what shells answer for a program that cannot be run or is not there. */
const UNUSABLE: ReadonlySet<number> = new Set([78, 126, 127]);
/** The end of standard error; what a tool printed long before is not the reason. */
const LAST_CHARS = 2000;

interface CommandEnd {
  readonly end: ProcessEnd;
  /** What it printed on standard output. */
  readonly message: string;
  readonly now: number;
}

function commandFailure({ end, message, now }: CommandEnd): AgentFailure | undefined {
  const answered = message.trim() !== '';
  const failure = failureOfEnd(end, { started: true, finished: false, answered });
  if (!failure || end.signal !== null || (end.reason !== 'exited' && end.reason !== 'lingered')) return failure;
  const stderr = end.stderr ?? '';
  const said = saidIn(message, now, 'last') ?? saidIn(stderr, now, 'any');
  if (said) return said;
  const { message: words } = failure;
  if (end.code === TEMPORARY) return { class: 'overload', message: words };
  if (UNUSABLE.has(end.code ?? 0)) return { class: 'setup', message: words };
  const found = classOfErrors(stderr.slice(-LAST_CHARS));
  return found ? { class: found, message: words } : failure;
}

/** `{"ralph": "retry", "after": "30m", "why": "..."}` or `{"ralph": "unavailable", "why": "..."}` on a line of its own. */
function saidIn(text: string, now: number, where: 'last' | 'any'): AgentFailure | undefined {
  const lines = text.slice(-LAST_CHARS).trimEnd().split('\n');
  for (const line of where === 'last' ? lines.slice(-1) : lines.reverse()) {
    const [record] = recordsOf(line);
    const word = textAt(record, 'ralph');
    const message = oneLine(textAt(record, 'why'), 500);
    if (word === 'unavailable') return { class: 'setup', message: message || 'the agent says that it cannot be used' };
    if (word !== 'retry') continue;
    const after = parseDuration(textAt(record, 'after'));
    const resetAt = after ? { resetAt: now + after } : {};
    return { class: 'rate-limit', message: message || 'the agent asks to be tried again later', ...resetAt };
  }
  return undefined;
}
