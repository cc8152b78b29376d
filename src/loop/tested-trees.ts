/** Gate results for merges of one worker's work with others'; each tree is tested once. */
import { runChecks, verifyGates } from '../checks/index.ts';
import type { Gate, GateResult } from '../protocol.ts';
import { allGreen } from '../state.ts';
import { ok, type Result } from '../util/result.ts';
import { wasRedSo } from '../util/same-failure.ts';
import type { Decided } from './decided.ts';
import type { Session } from './session.ts';
import { readyCheckout } from './worker-checkout.ts';

/** `judged`: apart from the runner's own files, the tree is the one that the verdict is about. */
export type SaidOf = 'judged' | readonly GateResult[];

export class Tested {
  readonly #worker: Session;
  readonly #item: string;
  readonly #known: { readonly tree: string; readonly said: SaidOf }[];
  /** The tree in the worker's checkout; empty means unknown. */
  here: string;

  constructor(worker: Session, { decided, tree }: { readonly decided: Decided; readonly tree: string }) {
    this.#worker = worker;
    this.#item = decided.item;
    this.here = decided.evidence.tree;
    this.#known = [{ tree, said: 'judged' }];
  }

  /** Whether there are any checks or gates to run. */
  get isNeeded(): boolean {
    return this.#checks.length + this.#worker.itemGates.length > 0;
  }

  get #checks(): readonly Gate[] {
    const item = this.#worker.plan.plan.items.find(({ id }) => id === this.#item);
    return item ? verifyGates(item) : [];
  }

  async on(tree: string): Promise<Result<SaidOf>> {
    const { workspace, options } = this.#worker;
    for (const { tree: other, said } of this.#known) {
      const diff = await workspace.diff(other, tree);
      if (!diff.ok) return diff;
      if (diff.value.changes.every(({ path }) => options.ownedInTree.includes(path))) return ok(said);
    }
    const said = await this.#run(tree);
    if (said.ok && !options.stopper.signal.aborted) this.#known.push({ tree, said: said.value });
    return said;
  }

  async #run(tree: string): Promise<Result<readonly GateResult[]>> {
    const worker = this.#worker;
    const { workspace, itemGates, state } = worker;
    if (!this.isNeeded) return ok([]);
    worker.testing?.();
    const before = this.here === '' ? await workspace.snapshot() : ok(this.here);
    if (!before.ok) return before;
    const diff = await workspace.diff(tree, before.value);
    if (!diff.ok) return diff;
    const restored = await workspace.restore(tree, diff.value.changes);
    if (!restored.ok) return restored;
    // Gates may leave files behind, so the content of the checkout is no longer known.
    this.here = '';
    const ready = await readyCheckout(worker, diff.value.changes);
    if (!ready.ok) return ready;
    const wasRed = (result: GateResult) => wasRedSo(state.redGates ?? [], result);
    const verify = await runChecks(worker, { gates: this.#checks, phase: 'item', wasRed });
    if (!allGreen(verify)) return ok(verify);
    return ok([...verify, ...(await runChecks(worker, { gates: itemGates, phase: 'item', wasRed }))]);
  }
}
