/** Errors in the log of an agent that retries silently: what it is waiting for, and when it has waited enough. */
import type { AgentFailure, AgentSignal } from '../protocol.ts';
import { oneLine } from '../util/show.ts';
import { classOfError } from './failures.ts';

export interface AcpComplaints {
  hear(line: string): readonly AgentSignal[];
  /** The agent did something: what it complained about is over. */
  over(): void;
  /** Why it was silent; undefined where its log does not say. */
  failure(): AgentFailure | undefined;
  /** It was ended for them. */
  enough(): boolean;
}

/** So many in a row: the runner waits better, for all runs of an account and with an end that is announced. */
const ENOUGH = 6;

export function acpComplaints(): AcpComplaints {
  let count = 0;
  let last: AgentFailure | undefined;
  return {
    hear: line => {
      const words = /\w*Error: [^"]*/.exec(line)?.[0] ?? line;
      const found = classOfError(words);
      if (found === undefined || !['rate-limit', 'overload', 'auth', 'network'].includes(found)) return [];
      count += 1;
      last = { class: found, message: oneLine(`the agent tried again without a word: ${words}`, 500) };
      return [
        { type: 'retrying', detail: oneLine(words, 200), ...(count >= ENOUGH ? { hopeless: true as const } : {}) },
      ];
    },
    over: () => {
      count = 0;
      last = undefined;
    },
    failure: () => last,
    enough: () => count >= ENOUGH,
  };
}
