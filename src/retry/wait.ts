/** Computes waits as a pure function of the failure, the failures in a row and the clock; nothing here sleeps. */
import type { AgentFailure, FailureClass } from '../protocol.ts';
import { oneLine, showDuration } from '../util/show.ts';

export type Reaction =
  /** Not the item's fault: wait, then repeat the same attempt. `announced` is set if the provider named the end. */
  | { readonly type: 'wait'; readonly until: number; readonly why: string; readonly announced?: true }
  /** A person has to act before any agent can work. */
  | { readonly type: 'give-up'; readonly why: string }
  /** The item's own failure: it counts as an attempt. */
  | { readonly type: 'attempt' }
  /** Another try cannot help this item. */
  | { readonly type: 'refuse' };

// Multiples of `limits.wait`; the times in the comments are for its default, 30 s.
/** For a limit that is hit again after its end: 30 s, 1 m, 2 m, 5 m, 10 m, 30 m. */
const FLOORS = [1, 2, 4, 10, 20, 60];
/** For failures without an announced end: from 5 s to 10 min. */
const BACK_OFF = { first: 1 / 6, most: 20 };
const HOUR = 3_600_000;
/** An announced reset further away than this is ignored as wrong. */
const MAX_RESET_MS = 8 * 24 * HOUR;
/** How long a provider may fail without announcing an end: 24 h. */
const MAX_TROUBLE = 2880;
/** More than a day of back-offs and a week of floors: reached only if the provider announces a new end every time. */
const MAX_RETRIES = 400;

export interface RetryInput {
  readonly failure: AgentFailure;
  /** Retryable failures in a row before this one. */
  readonly retries: number;
  /** How long these failures made the run wait without an announced end. */
  readonly troubleMs: number;
  readonly now: number;
  /** 0 ≤ random < 1 */
  readonly random: number;
  /** Shortest wait for a limit whose announced end has passed. */
  readonly waitMs: number;
}

export function react(input: RetryInput): Reaction {
  const { failure } = input;
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
        why: `${words(failure)}; nothing was charged: correct the agent's settings in the config or its flags, then: ralph run`,
      };
    case 'rate-limit':
    case 'network':
    case 'overload':
    case 'timeout':
      return givenUp(input) ?? untilReset(input) ?? backOff(input);
  }
}

/** The agent's message, short enough that the next step after it is not cut off. */
const words = ({ message }: AgentFailure): string => oneLine(message, 220).replace(/[.;\s]+$/, '');

function givenUp({ failure, retries, troubleMs, waitMs }: RetryInput): Reaction | undefined {
  if (troubleMs < MAX_TROUBLE * waitMs && retries < MAX_RETRIES) return undefined;
  const tries = `${retries} tries in a row, ${showDuration(troubleMs)} of waiting without an announced end`;
  return { type: 'give-up', why: `${tries}; the last ended with ${sentence(failure.class)}: ${failure.message}` };
}

/**
 * Never ends before the announced time; jitter keeps many runs from returning at once. An end that has already passed, or a limit that is
 * hit again, is not trusted: that wait has a minimum, which grows.
 */
function untilReset({ failure, retries, now, random, waitMs }: RetryInput): Reaction | undefined {
  const { resetAt } = failure;
  if (failure.class !== 'rate-limit' || resetAt === undefined || resetAt - now >= MAX_RESET_MS) return undefined;
  const step = resetAt > now ? retries - 1 : retries;
  const floor = step < 0 ? 0 : (FLOORS[step] ?? FLOORS.at(-1) ?? 1) * waitMs;
  const wait = Math.max(resetAt - now, floor);
  const spread = Math.min(60_000, wait * 0.05);
  return {
    type: 'wait',
    until: now + wait + Math.round(spread * random),
    why: `rate limit: ${failure.message}`,
    ...(resetAt - now >= floor ? { announced: true } : {}),
  };
}

function backOff({ failure, retries, now, random, waitMs }: RetryInput): Reaction {
  return {
    type: 'wait',
    until: now + backOffDelay({ retries, random, waitMs }),
    why: `${sentence(failure.class)}: ${failure.message}`,
  };
}

/** Capped exponential back-off with half jitter: 5 s, 10 s, 20 s … 10 min, each between half and all of it. */
export function backOffDelay({ retries, random, waitMs }: Pick<RetryInput, 'retries' | 'random' | 'waitMs'>): number {
  const full = waitMs * Math.min(BACK_OFF.most, BACK_OFF.first * 2 ** Math.min(retries, 20));
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
