/** The real clock. Tests hand in their own. */
export const systemClock = {
  now: () => Date.now(),
  // `performance` would load a part of node that the first agent waits for.
  monotonic: () => Number(process.hrtime.bigint()) / 1e6,
  random: () => Math.random(),
  sleep: (ms: number, signal?: AbortSignal) =>
    new Promise<void>(resolve => {
      if (signal?.aborted) return resolve();
      // setTimeout fires at once past 2^31 ms, so long waits are taken in steps.
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
