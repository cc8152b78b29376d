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
