/** The running tasks of all workers. */
import type { Stopper } from '../process/index.ts';
import type { Result } from '../util/result.ts';
import type { Stop } from './stop.ts';

/** Contains a stop if the run has to end. */
export type Ended = Result<Stop | undefined>;

type Outcome = { readonly end: Ended } | { readonly thrown: unknown };

interface Running<Doing> {
  readonly doing: Doing;
  readonly over: Promise<void>;
  /** The agent has finished, and the work is only being tested. */
  isTested?: true;
}

export class Tasks<Doing> {
  readonly #running = new Map<number, Running<Doing>>();
  readonly #ended: Outcome[] = [];
  #wake: () => void = () => undefined;
  /** A task stopped needing its agent since the last wait; the next wait must not miss that. */
  #isFreed = false;

  /** Keyed by worker. */
  get running(): ReadonlyMap<number, { readonly doing: Doing }> {
    return this.#running;
  }

  /** How many tasks have a working agent, or may still start one. */
  get working(): number {
    return [...this.#running.values()].filter(({ isTested }) => !isTested).length;
  }

  /** From now on the work is only tested, so another worker may start an agent meanwhile. */
  testing(worker: number): void {
    const task = this.#running.get(worker);
    if (!task || task.isTested) return;
    task.isTested = true;
    this.#isFreed = true;
    this.#wake();
  }

  /** The lowest number of a worker without a task. */
  get free(): number {
    for (let worker = 1; ; worker++) if (!this.#running.has(worker)) return worker;
  }

  add(worker: number, doing: Doing, work: Promise<Ended>): void {
    const end = (outcome: Outcome) => {
      this.#running.delete(worker);
      this.#ended.push(outcome);
      this.#wake();
    };
    const over = work.then(
      ended => end({ end: ended }),
      (thrown: unknown) => end({ thrown }),
    );
    this.#running.set(worker, { doing, over });
  }

  /** Results since the last call; rethrows an unexpected error of any task. */
  takeEnded(): readonly Ended[] {
    return this.#ended.splice(0).map(outcome => {
      if ('thrown' in outcome) throw outcome.thrown;
      return outcome.end;
    });
  }

  /** Waits until a task ends or no longer needs its agent, or a request arrives. */
  async nextEnd(stopper: Pick<Stopper, 'onNudge'>): Promise<void> {
    if (!this.#isFreed && this.#ended.length === 0 && this.#running.size > 0) {
      let off = () => undefined as unknown;
      await new Promise<void>(resolve => {
        this.#wake = resolve;
        off = stopper.onNudge(resolve);
      });
      off();
    }
    this.#isFreed = false;
  }

  /** Waits until no task is running. */
  async idle(): Promise<void> {
    while (this.#running.size > 0) await Promise.all([...this.#running.values()].map(({ over }) => over));
  }
}
