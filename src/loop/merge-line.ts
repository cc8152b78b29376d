/**
 * The single queue through which the accepted work of several workers reaches the run's branch. Work joins the line with its verdict and
 * leaves it landed or sent back. The merged tree is made without a checkout, the gates run on it in the worker's own checkout, and the
 * branch moves by compare-and-swap. Work behind other work is merged and tested speculatively on the branch as that work will leave it, so
 * that gates run in parallel. If the speculation was wrong, the merge is repeated when the work's turn comes.
 */

import { isBlamed } from '../evidence/index.ts';
import { deferred } from '../util/deferred.ts';
import { ok, type Result } from '../util/result.ts';
import { type Commit, type Merged } from '../workspace/index.ts';
import { commitWork } from './conclude.ts';
import type { Decided, Kept, Landed } from './decided.ts';
import { settleBranch } from './keep-found.ts';
import { conflictVerdict, redVerdict } from './sent-back.ts';
import type { Session } from './session.ts';
import { Tested } from './tested-trees.ts';
import { keepPlan, takeAdded } from './worker-plan.ts';

interface Place {
  readonly ahead: Place | undefined;
  /** A commit like the one it will put on the branch; undefined if that is unknown. */
  readonly candidate: Promise<string | undefined>;
  offer(commit: string | undefined): void;
  readonly gone: Promise<void>;
  leave(): void;
}

interface Work {
  readonly worker: Session;
  readonly decided: Decided;
  /** The judged tree on its base, without the runner's own files. */
  readonly made: Commit;
  readonly tested: Tested;
}

interface Guess {
  readonly onto: string;
  readonly merged: Merged;
}

export class MergeLine {
  readonly #main: Session;
  #last: Place | undefined;
  #committing: Promise<unknown> | undefined;

  constructor(main: Session) {
    this.#main = main;
  }

  /** Runs code that moves the branch or needs the run's own checkout; nothing lands meanwhile. */
  async alone<T>(act: () => Promise<T>): Promise<T> {
    const place = this.#join();
    place.offer(undefined);
    try {
      await place.ahead?.gone;
      return await act();
    } finally {
      place.leave();
    }
  }

  /** Waits until nothing is being written in the run's own checkout; code that changes the plan there calls this first. */
  async quiet(): Promise<void> {
    while (this.#committing) await this.#committing;
  }

  /** `finish` records the commit, before the work behind it looks at the branch. */
  async land(worker: Session, decided: Decided, finish: (kept: Kept) => void): Promise<Result<Landed>> {
    const place = this.#join();
    try {
      const work = await this.#workOf(worker, decided);
      if (!work.ok) return work;
      const guessed = await this.#guess(work.value, place);
      if (!guessed.ok) return guessed;
      await place.ahead?.gone;
      return await this.#landNow(work.value, guessed.value, finish);
    } finally {
      place.offer(undefined);
      place.leave();
    }
  }

  #join(): Place {
    const candidate = deferred<string | undefined>();
    const gone = deferred<void>();
    const ahead = this.#last;
    const place: Place = {
      ahead,
      candidate: candidate.promise,
      offer: commit => candidate.resolve(commit),
      gone: gone.promise,
      leave: () => {
        if (this.#last === place) this.#last = undefined;
        gone.resolve();
      },
    };
    this.#last = place;
    return place;
  }

  async #workOf(worker: Session, decided: Decided): Promise<Result<Work>> {
    const { workspace, options } = worker;
    const { base, evidence, item, at } = decided;
    const baseTree = await workspace.treeOf(base);
    if (!baseTree.ok) return baseTree;
    const diff = await workspace.diff(baseTree.value, evidence.tree);
    if (!diff.ok) return diff;
    // The plan belongs to the runner, so the merge line alone decides what it says on the branch.
    const owned = diff.value.changes.filter(({ path }) => options.ownedInTree.includes(path));
    const edits = owned.map(({ path, oldMode = '100644', before }) => ({ path, mode: oldMode, content: before }));
    const tree = edits.length === 0 ? ok(evidence.tree) : await workspace.trees.replacing(evidence.tree, edits);
    if (!tree.ok) return tree;
    const made = { tree: tree.value, parent: base, message: `${item}\n`, at };
    return ok({ worker, decided, made, tested: new Tested(worker, { decided, tree: tree.value }) });
  }

  /** Merges and tests the work as if everything ahead of it lands; runs in parallel with their tests. */
  async #guess(work: Work, place: Place): Promise<Result<Guess | undefined>> {
    if (!work.tested.isNeeded) return ok(undefined);
    const onto = (await place.ahead?.candidate) ?? this.#main.state.tip;
    const merged = await this.#merge(work, onto);
    if (!merged.ok) return merged;
    if (merged.value.type !== 'merged') return ok({ onto, merged: merged.value });
    const { tree } = merged.value;
    const { at, item } = work.decided;
    const candidate = await work.worker.workspace.looseCommit({ tree, parent: onto, message: `${item}\n`, at });
    place.offer(candidate.ok ? candidate.value : undefined);
    const tested = await work.tested.on(tree);
    return tested.ok ? ok({ onto, merged: merged.value }) : tested;
  }

  async #merge({ worker, decided, made }: Work, onto: string): Promise<Result<Merged>> {
    if (onto === decided.base) return ok({ type: 'merged', tree: made.tree });
    return await worker.workspace.merged(onto, made);
  }

  async #landNow(work: Work, guessed: Guess | undefined, finish: (kept: Kept) => void): Promise<Result<Landed>> {
    const { worker, decided, tested } = work;
    const { iteration, item } = decided;
    const tip = await this.#tip();
    if (!tip.ok) return tip;
    const onto = tip.value;
    const merged = onto === guessed?.onto ? ok(guessed.merged) : await this.#merge(work, onto);
    if (!merged.ok) return merged;
    if (isStopped(worker)) return ok({ type: 'stopped' });
    if (merged.value.type !== 'merged') {
      const conflicts = merged.value.type === 'conflict' ? merged.value.paths : [];
      worker.record({ type: 'merge', iteration, item, onto, gates: [], conflicts });
      return ok({ type: 'sent-back', verdict: conflictVerdict(decided, conflicts) });
    }
    const { tree } = merged.value;
    const said = await tested.on(tree);
    if (!said.ok) return said;
    if (isStopped(worker)) return ok({ type: 'stopped' });
    if (said.value !== 'judged') {
      worker.record({ type: 'merge', iteration, item, onto, tree, gates: said.value });
      const red = said.value.find(isBlamed);
      if (red) return ok({ type: 'sent-back', verdict: redVerdict(decided, red) });
    }
    const committing = this.#commit(work, { tree, onto }).then(made => {
      if (made.ok) finish(made.value);
      return made;
    });
    this.#committing = committing;
    const kept = await committing.finally(() => {
      this.#committing = undefined;
    });
    if (!kept.ok) return kept;
    return ok({ type: 'landed', here: tested.here });
  }

  /** The tip that the run knows; if an agent moved the branch, it is reset. */
  async #tip(): Promise<Result<string>> {
    const { workspace, state } = this.#main;
    const now = await workspace.tip();
    if (now.ok && now.value === state.tip && workspace.isCheckedOut()) return now;
    const settled = await settleBranch(this.#main, state.tip);
    return settled.ok ? ok(state.tip) : settled;
  }

  /** Commits in the run's own checkout, as a run with one worker does: the mark in the plan is part of the commit. */
  async #commit({ worker, decided }: Work, { tree, onto }: { tree: string; onto: string }): Promise<Result<Kept>> {
    const main = this.#main;
    const entered = await follow(main, tree);
    if (!entered.ok) return entered;
    takeAdded(main, worker);
    const judged = { ...decided, base: onto, evidence: { ...decided.evidence, tree } };
    const kept = await main.mended(() => commitWork(main, judged, 'mark'));
    if (!kept.ok) return kept;
    main.tree = kept.value.tree;
    if (kept.value.commit) main.treeOfTip = { commit: kept.value.commit, tree: kept.value.tree };
    return kept;
  }
}

const isStopped = ({ options }: Session): boolean => options.stopper.signal.aborted;

/** Resets the run's own checkout to this tree; edits of its plan since the last commit stay. */
async function follow(main: Session, tree: string): Promise<Result<void>> {
  const { workspace } = main;
  const now = main.treeOfTip ? ok(main.treeOfTip.tree) : await workspace.snapshot();
  if (!now.ok) return now;
  const diff = await workspace.diff(tree, now.value);
  if (!diff.ok) return diff;
  const restored = await workspace.restore(tree, diff.value.changes);
  if (restored.ok) keepPlan(main);
  return restored;
}
