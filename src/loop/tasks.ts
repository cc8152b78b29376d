/** What workers are doing, until it ends. */
import type { Stopper } from '../process/index.ts';
import type { Result } from '../util/result.ts';
import type { Stop } from './stop.ts';

/** A stop where the run has to end because of it. */
export type Ended = Result<Stop | undefined>;

type Outcome = { readonly end: Ended } | { readonly thrown: unknown };

interface Running<Doing> {
  readonly doing: Doing;
  readonly over: Promise<void>;
  /** No agent works on it any more. */
  isTested?: true;
}

export class Tasks<Doing> {
  readonly #running = new Map<number, Running<Doing>>();
  readonly #ended: Outcome[] = [];
  #wake: () => void = () => undefined;
  /** Somebody came to need no agent since it was last waited for: whoever waits next must not miss it. */
  #isFreed = false;

  /** By worker. */
  get running(): ReadonlyMap<number, { readonly doing: Doing }> {
    return this.#running;
  }

  /** How many have an agent at work, or may have one yet. */
  get working(): number {
    return [...this.#running.values()].filter(({ isTested }) => !isTested).length;
  }

  /** What this worker made is only tested from here on: another may begin with an agent of its own meanwhile. */
  testing(worker: number): void {
    const task = this.#running.get(worker);
    if (!task || task.isTested) return;
    task.isTested = true;
    this.#isFreed = true;
    this.#wake();
  }

  /** The worker with the lowest number that has nothing to do. */
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

  /** What came to its end since this was last asked; a bug in one of them is everybody's. */
  takeEnded(): readonly Ended[] {
    return this.#ended.splice(0).map(outcome => {
      if ('thrown' in outcome) throw outcome.thrown;
      return outcome.end;
    });
  }

  /** Until one of them ends or has no more need of an agent, or somebody asks for something. */
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

  /** Until nobody works. */
  async idle(): Promise<void> {
    while (this.#running.size > 0) await Promise.all([...this.#running.values()].map(({ over }) => over));
  }
}
