/** `2026-01-08`, in UTC; `unknown` if it is no time. */
export function dayOf(at: number): string {
  const date = new Date(at);
  return Number.isNaN(date.getTime()) ? 'unknown' : date.toISOString().slice(0, 10);
}

/** The real clock. Tests pass their own. */
export const systemClock = {
  now: () => Date.now(),
  // `performance` would load a module of node that delays the first agent.
  monotonic: () => Number(process.hrtime.bigint()) / 1e6,
  random: () => Math.random(),
  sleep: (ms: number, signal?: AbortSignal) =>
    new Promise<void>(resolve => {
      if (signal?.aborted) return resolve();
      // setTimeout fires at once beyond 2^31 ms, so a longer sleep ends early and the caller sleeps again.
      const step = Math.min(Math.max(0, ms), 2 ** 30);
      const done = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', done);
        resolve();
      };
      const timer = setTimeout(done, step);
      signal?.addEventListener('abort', done, { once: true });
    }),
};
