/**
 * Stops a run in which many iterations cost money and nothing is accepted, or in which one gate blocks item after item: then the items are
 * not the cause. Counting starts with the process, because a person who restarts it has looked at the problem.
 */

import type { Verdict } from '../protocol.ts';
import { itemCommand } from '../util/shell-word.ts';
import { oneLine } from '../util/show.ts';
import type { Stop } from './stop.ts';

export interface Outcome {
  readonly iteration: number;
  readonly item: string;
  readonly verdict: Verdict;
  /** The work is kept and advances the plan, whatever the verdict is. */
  readonly fruit: boolean;
  /** The gate that rejected the work. */
  readonly gate?: string;
  /** Whether the item is blocked now. */
  readonly blocked: boolean;
}

export class Brake {
  readonly #most: number;
  #fruitless = 0;
  #blocked: { readonly item: string; readonly gate: string } | undefined;
  #stop: Stop | undefined;

  constructor(most: number) {
    this.#most = most;
  }

  /** Why another agent is not worth its cost. */
  get stop(): Stop | undefined {
    return this.#stop;
  }

  /** Resets the brake: something was accepted, or a person intervened. */
  release(): void {
    this.#fruitless = 0;
    this.#blocked = undefined;
    this.#stop = undefined;
  }

  see(outcome: Outcome): void {
    const { verdict, fruit, blocked, gate, item, iteration } = outcome;
    if (verdict.type === 'retry' && !blocked) return;
    if (fruit) return this.release();
    this.#fruitless += 1;
    const before = this.#blocked;
    if (blocked) this.#blocked = gate === undefined ? undefined : { item, gate };
    const look = `look with: ralph logs ${iteration}`;
    if (blocked && before && before.gate === gate) {
      const tries = `${itemCommand('retry', before.item)}; ${itemCommand('retry', item)}`;
      const why = `the gate ${oneLine(gate, 80)} blocked ${before.item} and ${item} one after the other`;
      this.#stop = { reason: 'fruitless', why: `${why}; ${look}, fix it, then: ${tries}; ralph run` };
    } else if (this.#fruitless >= this.#most) {
      const last = oneLine(verdict.why, 120);
      const why = `${this.#fruitless} iterations in a row without a result, the last one: ${last}`;
      this.#stop = { reason: 'fruitless', why: `${why}; ${look}, fix it, then: ralph run` };
    }
  }
}
