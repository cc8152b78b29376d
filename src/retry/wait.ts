/** Waiting as a pure function of (failure, how many in a row, clock): nothing here sleeps. */
import type { AgentFailure, FailureClass } from '../protocol.ts';
import { oneLine } from '../util/show.ts';

export type Reaction =
  /** Not the item's fault: wait, then the same attempt again. */
  | { readonly type: 'wait'; readonly until: number; readonly why: string }
  /** A person has to act before any agent can work. */
  | { readonly type: 'give-up'; readonly why: string }
  /** The item's own trouble: an attempt is used. */
  | { readonly type: 'attempt' }
  /** Another try cannot help this item. */
  | { readonly type: 'refuse' };

const BASE_MS = 5_000;
const CAP_MS = 10 * 60_000;
/** About an hour and a half of an unreachable provider. */
const MAX_RETRIES = 15;
const HOUR = 3_600_000;
/** A reset announced further away than this is not believed. */
const MAX_RESET_MS = 8 * 24 * HOUR;

export interface RetryInput {
  readonly failure: AgentFailure;
  /** Retryable troubles in a row before this one. */
  readonly retries: number;
  readonly now: number;
  /** 0 ≤ random < 1 */
  readonly random: number;
}

export function react({ failure, retries, now, random }: RetryInput): Reaction {
  switch (failure.class) {
    case 'logic':
      return { type: 'attempt' };
    case 'validation':
      return { type: 'refuse' };
    case 'auth':
      return {
        type: 'give-up',
        why: `the agent is not logged in or its key was refused: ${words(failure)}; log in or set the key, then: ralph run`,
      };
    case 'setup':
      return {
        type: 'give-up',
        why: `${words(failure)}; nothing was charged: correct the agent's settings in ralph.yaml or its flags, then: ralph run`,
      };
    case 'rate-limit':
      if (failure.resetAt !== undefined && failure.resetAt - now < MAX_RESET_MS) {
        return {
          type: 'wait',
          until: untilReset({ resetAt: failure.resetAt, now, random }),
          why: `rate limit: ${failure.message}`,
        };
      }
      return backOff({ failure, retries, now, random });
    case 'network':
    case 'overload':
    case 'timeout':
      return backOff({ failure, retries, now, random });
  }
}

/** The agent's own, short enough that what to do next is not cut off. */
const words = ({ message }: AgentFailure): string => oneLine(message, 220).replace(/[.;\s]+$/, '');

/** Never before the announced moment; a little after it, so that many loops do not come back as one. */
function untilReset({ resetAt, now, random }: { resetAt: number; now: number; random: number }): number {
  const spread = Math.min(60_000, Math.max(0, resetAt - now) * 0.05);
  return Math.max(resetAt, now) + Math.round(spread * random);
}

function backOff({ failure, retries, now, random }: RetryInput): Reaction {
  if (retries >= MAX_RETRIES) {
    return {
      type: 'give-up',
      why: `${retries} tries in a row ended with ${sentence(failure.class)}: ${failure.message}`,
    };
  }
  return {
    type: 'wait',
    until: now + backOffDelay(retries, random),
    why: `${sentence(failure.class)}: ${failure.message}`,
  };
}

/** Capped exponential with half jitter: 5 s, 10 s, 20 s … 10 min, each between half and all of it. */
export function backOffDelay(retries: number, random: number): number {
  const full = Math.min(CAP_MS, BASE_MS * 2 ** Math.min(retries, 20));
  return Math.round(full / 2 + (full / 2) * random);
}

function sentence(name: FailureClass): string {
  const names: Readonly<Record<FailureClass, string>> = {
    network: 'network trouble',
    'rate-limit': 'a rate limit',
    overload: 'an overloaded provider',
    timeout: 'a timeout',
    auth: 'a refused login',
    setup: 'a wrong set-up',
    validation: 'a refused input',
    logic: 'a failing agent',
  };
  return names[name];
}
