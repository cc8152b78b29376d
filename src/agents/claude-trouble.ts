/** What the stream of a Claude Code run says about trouble while it runs. */
import { classOfStatus } from './failures.ts';
import { amountAt, type Json, recordAt, textAt } from './json-lines.ts';

export interface ClaudeTrouble {
  /** The model answered at least once. */
  readonly worked: boolean;
  /** The last assistant event that stands for an API error. */
  readonly event?: Json;
  /** The retry that was going on when the stream ended. */
  readonly retry?: Json;
  /** A retry that cannot help: the key was refused. */
  readonly hopeless?: Json;
  /** A usage limit was reported as reached, and not lifted since. */
  readonly limited: boolean;
  /** When that limit ends, in epoch milliseconds. */
  readonly resetAt?: number;
}

export const noTrouble: ClaudeTrouble = { worked: false, limited: false };

/** Claude Code words an API error as a message of its own making; any other message means that the API works. */
export function afterAnswer(trouble: ClaudeTrouble, event: Json): ClaudeTrouble {
  const { event: _, retry: __, hopeless: ___, ...rest } = trouble;
  const own = textAt(recordAt(event, 'message'), 'model') === '<synthetic>';
  return own || textAt(event, 'error') ? { ...rest, event } : { ...rest, worked: true };
}

/** Where Claude Code has its key from, if it can renew it: a login, or a program that prints one. */
const RENEWED = /none|login|oauth|helper/i;

/** A login is renewed on the first refusal, a key in the environment never is. */
export function withRetry(trouble: ClaudeTrouble, event: Json, keySource: string): ClaudeTrouble {
  const refused = classOfStatus(amountAt(event, 'error_status')) === 'auth';
  const final = refused && (!RENEWED.test(keySource) || amountAt(event, 'attempt') >= 2);
  return { ...trouble, retry: event, ...(final ? { hopeless: event } : {}) };
}

/** `rate_limit_event` also comes with healthy runs: only its status says that a limit was reached. */
export function withRateLimit(trouble: ClaudeTrouble, info: Json | undefined): ClaudeTrouble {
  const { resetAt: _, ...rest } = trouble;
  if (textAt(info, 'status') !== 'rejected') return { ...rest, limited: false };
  const resetAt = epoch(amountAt(info, 'resetsAt'));
  return { ...rest, limited: true, ...(resetAt ? { resetAt } : {}) };
}

/** Seconds to milliseconds; undefined for 0 and for what is no date of our time. */
export function epoch(value: number): number | undefined {
  const ms = value < 1e11 ? value * 1000 : value;
  return ms > 1e12 && ms < 1e13 ? ms : undefined;
}
