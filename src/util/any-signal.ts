/**
 * A signal that aborts with the first of several. `AbortSignal.any` leaves a listener on each of them that is never removed, and one of
 * them may live as long as a run; here `letGo` removes the listeners.
 */
export function anySignal(signals: readonly AbortSignal[]): { readonly signal: AbortSignal; letGo(): void } {
  const first = new AbortController();
  const abort = () => first.abort();
  for (const signal of signals) {
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
  }
  return {
    signal: first.signal,
    letGo: () => {
      for (const signal of signals) signal.removeEventListener('abort', abort);
    },
  };
}
