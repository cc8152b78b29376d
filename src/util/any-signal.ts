/**
 * A signal that is aborted with the first of several. `AbortSignal.any` leaves a reference at each of them that nobody takes away,
 * and one of them may live as long as a run: here `letGo` takes it away.
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
