/** Why a session of pi failed: the error of its last answer, what it was trying again for, then how the process ended. */
import type { AgentFailure, ProcessEnd } from '../protocol.ts';
import { oneLine } from '../util/show.ts';
import { classOfError, cutOff, failureOfEnd } from './failures.ts';
import { resetAfterIn } from './reset-time.ts';

export interface PiEnd {
  readonly end: ProcessEnd;
  readonly started: boolean;
  /** It said that it was finished. */
  readonly ended: boolean;
  /** An answer succeeded. */
  readonly worked: boolean;
  /** What the last answer failed with. */
  readonly error: string;
  /** What it was trying again for. */
  readonly retrying: string;
  readonly now: number;
}

export function piFailure({ end, started, ended, worked, error, retrying, now }: PiEnd): AgentFailure | undefined {
  const stream = { started, finished: ended && error === '', answered: worked };
  const exit = failureOfEnd(end, stream);
  const words = error || (exit?.class === 'timeout' ? retrying : '');
  if (end.reason === 'not-started' || end.reason === 'stopped' || words === '')
    return exit ?? (ended ? undefined : cutOff(stream));
  const found = classOfError(words) ?? (exit?.class === 'timeout' ? 'network' : 'logic');
  const resetAt = found === 'rate-limit' ? resetAfterIn(words, now) : undefined;
  return {
    class: found,
    message: oneLine(words, 500),
    ...(resetAt ? { resetAt } : {}),
    ...(found === 'logic' && !worked ? { unanswered: true } : {}),
  };
}
