/** The handle through which a run is asked to end: by a signal, another terminal, or a limit. */
import type { StopReason } from '../events.ts';
import type { Actor } from '../protocol.ts';

export interface StopRequest {
  readonly reason: Extract<StopReason, 'interrupted' | 'terminated' | 'stop-requested'>;
  /** Ends the agent at once instead of after its iteration. */
  readonly now: boolean;
  /** Who asked, if it was not a signal. */
  readonly actor?: Actor;
}

export class Stopper {
  #request: StopRequest | undefined;
  readonly #abort = new AbortController();
  readonly #nudges = new Set<() => void>();

  get request(): StopRequest | undefined {
    return this.#request;
  }

  /** Aborted when the agent has to end at once. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  stop(request: StopRequest): void {
    this.#request ??= request;
    if (request.now) {
      this.#request = { ...this.#request, now: true };
      this.#abort.abort();
    }
    this.nudge();
  }

  /** A request arrived in the inbox, so waiting code checks it. */
  nudge(): void {
    for (const wake of this.#nudges) wake();
  }

  /** Calls `wake` on each nudge until the returned function is called. */
  onNudge(wake: () => void): () => void {
    this.#nudges.add(wake);
    return () => this.#nudges.delete(wake);
  }
}
