/** Reasons to end a process early: a timeout, silence, lingering after its final message, and a stop request. */
import type { ProcessEnd } from '../protocol.ts';
import { systemClock } from '../util/clock.ts';

export type Cause = Extract<ProcessEnd['reason'], 'lingered' | 'idle' | 'timeout' | 'stopped'>;

export interface WatchOptions {
  readonly idleMs?: number;
  readonly timeoutMs?: number;
  readonly lingerMs: number;
  readonly signal?: AbortSignal;
}

export interface Watch {
  /** The first reason that occurs; never settles if none does. */
  readonly cause: Promise<Cause>;
  /** The process wrote something. */
  heard(): void;
  /** The process sent its final message: from now on only lingering counts, for this long or for the default time. */
  finished(lingerMs?: number): void;
  stop(): void;
  end(): void;
}

export function watchOver(options: WatchOptions): Watch {
  const { idleMs, timeoutMs, lingerMs, signal } = options;
  const began = systemClock.monotonic();
  let lastHeard = began;
  let isFinished = false;
  let cancels: (() => void)[] = [];
  let settle: (cause: Cause) => void = () => {};
  const cause = new Promise<Cause>(resolve => {
    settle = resolve;
  });

  const stop = () => settle('stopped');
  signal?.addEventListener('abort', stop, { once: true });
  if (signal?.aborted) stop();
  if (timeoutMs !== undefined)
    cancels.push(
      alarm(
        () => began + timeoutMs,
        () => settle('timeout'),
      ),
    );
  // Output only updates the time; a single timer checks by itself whether it fired too early.
  if (idleMs !== undefined)
    cancels.push(
      alarm(
        () => lastHeard + idleMs,
        () => settle('idle'),
      ),
    );

  const cancelAll = () => {
    for (const cancel of cancels) cancel();
    cancels = [];
  };
  return {
    cause,
    heard() {
      lastHeard = systemClock.monotonic();
    },
    finished(ms = lingerMs) {
      if (isFinished) return;
      isFinished = true;
      cancelAll();
      const dueAt = systemClock.monotonic() + ms;
      cancels.push(
        alarm(
          () => dueAt,
          () => settle('lingered'),
        ),
      );
    },
    stop,
    end() {
      cancelAll();
      signal?.removeEventListener('abort', stop);
    },
  };
}

// For more than 2^31 ms, setTimeout fires at once.
const LONGEST_TIMER_MS = 2 ** 30;

/** Rings when `dueAt` has passed; calls it again on each wake-up. Returns a function that cancels. */
function alarm(dueAt: () => number, ring: () => void): () => void {
  let timer: NodeJS.Timeout | undefined;
  let immediate: NodeJS.Immediate | undefined;
  const look = () => {
    const left = dueAt() - systemClock.monotonic();
    if (left <= 0) return ring();
    timer = setTimeout(wake, Math.min(Math.ceil(left), LONGEST_TIMER_MS));
    // The watched process keeps the program alive; a timer alone must not.
    timer.unref();
  };
  // After a busy or suspended period there may be unread output, so let it be read before judging.
  const wake = () => {
    immediate = setImmediate(look);
  };
  look();
  return () => {
    clearTimeout(timer);
    clearImmediate(immediate);
  };
}

/** The value of a promise, or undefined if it takes longer. */
export async function within<T>(ms: number, promise: Promise<T>): Promise<T | undefined> {
  const over = new AbortController();
  try {
    return await Promise.race([promise, systemClock.sleep(ms, over.signal).then(() => undefined)]);
  } finally {
    over.abort();
  }
}
