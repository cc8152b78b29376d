/** Delivers the messages for one target: in order, each with a few tries. The run never waits for it. */
import { plural } from '../util/show.ts';
import type { Message } from './message.ts';
import type { Sender, Trouble } from './target.ts';

export interface Delivery {
  put(message: Message): void;
  /** No more retries from now on. Resolves when every message is delivered or given up. */
  finish(): Promise<void>;
  /** Stops waiting: the remaining messages are reported as undelivered. */
  giveUp(): void;
}

export interface DeliveryOptions {
  readonly send: Sender;
  /** Reports what was not delivered, and why. */
  readonly undelivered: (what: string, why: string) => void;
}

const TRY_MS = 10_000;
/** Before the second and the third try. */
const PAUSES_MS = [2_000, 10_000];
const LONGEST_PAUSE_MS = 60_000;
/** More queued messages would be useless when they arrive. */
const KEPT = 50;

export function delivery({ send, undelivered }: DeliveryOptions): Delivery {
  const waiting: Message[] = [];
  const hurry = new AbortController();
  const end = new AbortController();
  let current: Message | undefined;
  let working: Promise<void> | undefined;

  const deliver = async (message: Message): Promise<Trouble | undefined> => {
    for (let tries = 0; ; tries++) {
      const signal = AbortSignal.any([AbortSignal.timeout(TRY_MS), end.signal]);
      // A bug in a target must not end the run.
      const trouble = await send(message, signal).catch((error: Error): Trouble => ({ why: error.message }));
      const pause = PAUSES_MS[tries];
      if (!trouble?.again || pause === undefined || hurry.signal.aborted) return trouble;
      await pausing(Math.min(LONGEST_PAUSE_MS, trouble.afterMs ?? pause), hurry.signal);
    }
  };

  const work = async (): Promise<void> => {
    for (current = waiting.shift(); current; current = waiting.shift()) {
      const trouble = await deliver(current);
      if (end.signal.aborted) return;
      if (trouble) undelivered(`"${current.what}"`, trouble.why);
    }
    working = undefined;
  };

  return {
    put: message => {
      if (waiting.length >= KEPT) {
        const dropped = waiting.shift();
        undelivered(`"${dropped?.what}"`, `${KEPT} later messages are waiting for this target`);
      }
      waiting.push(message);
      // Deferred, so that the caller continues first.
      working ??= new Promise(resolve => setImmediate(resolve)).then(work);
    },
    finish: async () => {
      hurry.abort();
      await working;
    },
    giveUp: () => {
      const left = [...(current ? [current] : []), ...waiting.splice(0)];
      if (!working || left.length === 0) return;
      end.abort();
      const what = left.length === 1 ? `"${left[0]?.what}"` : plural(left.length, 'message');
      undelivered(what, 'the run has ended and no longer waits');
    },
  };
}

function pausing(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    if (signal.aborted) return resolve();
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => (clearTimeout(timer), resolve()), { once: true });
  });
}
