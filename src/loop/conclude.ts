/**
 * Carries out a verdict: commits the work or sets it aside. Everything here follows from records in the journal, so a restart can repeat
 * it from any point and arrives at the same commit.
 */

import { markOwnFile, markPlan, ownFileOf } from '../plan/index.ts';
import type { Verdict } from '../protocol.ts';
import { writeAtomic, writeWhole } from '../util/files.ts';
import { flush } from '../util/flush.ts';
import { ok, type Result } from '../util/result.ts';
import { orSystemFailure } from '../util/system-error.ts';
import { attemptRef } from '../workspace/index.ts';
import type { Decided, Kept } from './decided.ts';
import { writeRenderings } from './renderings.ts';
import type { Session } from './session.ts';
import { rereadTrusted } from './trusted-plan.ts';

export type { Decided } from './decided.ts';

/** The final verdict: work that conflicts with what landed meanwhile is sent back. Undefined if a stop request came first. */
export async function conclude(session: Session, decided: Decided): Promise<Result<Verdict | undefined>> {
  const { iteration, item, verdict } = decided;
  const record = (kept: Kept) => finish(session, decided, kept);
  const landed = verdict.type === 'accepted' ? await session.land?.(decided, record) : undefined;
  if (landed && !landed.ok) return landed;
  if (!landed) {
    const kept = await keep(session, decided);
    return kept.ok ? ok(finish(session, decided, kept.value)) : kept;
  }
  switch (landed.value.type) {
    case 'stopped':
      return ok(undefined);
    case 'sent-back': {
      const back = landed.value.verdict;
      const { at } = session.record({ type: 'verdict', iteration, item, verdict: back });
      return await conclude(session, { ...decided, verdict: back, at });
    }
    case 'landed':
      session.tree = landed.value.here;
      return ok(verdict);
  }
}

function finish(session: Session, { iteration, item, verdict, startedAt }: Decided, kept: Kept): Verdict {
  session.tree = kept.tree;
  if (kept.commit) session.treeOfTip = { commit: kept.commit, tree: kept.tree };
  const durationMs = Math.max(0, session.clock.now() - startedAt);
  session.record({ type: 'iteration.finished', iteration, item, verdict: verdict.type, durationMs, ...kept });
  return verdict;
}

async function keep(session: Session, decided: Decided): Promise<Result<Kept>> {
  switch (decided.verdict.type) {
    case 'accepted':
      return await commitWork(session, decided, 'mark');
    case 'progress':
      return await commitWork(session, decided, 'no-mark');
    case 'rejected':
      return await putAside(session, decided, decided.verdict.next);
    case 'blocked':
      return await putAside(session, decided, decided.verdict.next ?? 'fresh');
    case 'retry':
      return await putAside(session, decided, 'continue');
  }
}

export async function commitWork(session: Session, decided: Decided, how: 'mark' | 'no-mark'): Promise<Result<Kept>> {
  const { workspace } = session;
  const { base, item, message, at, evidence } = decided;
  const marked = how === 'mark' ? markDone(session, item, at) : ok(undefined);
  if (!marked.ok) return marked;
  // Runs in parallel with the following steps; awaited before the branch moves.
  const flushing = orSystemFailure(async () => {
    await Promise.all([flush(how === 'mark' ? [session.plan.path] : []), session.options.journal.synced()]);
    return ok(undefined);
  });
  const planned = how === 'mark' ? session.options.planInTree : undefined;
  const itsFile = how === 'mark' ? ownFileOf(session.plan, item, workspace.root) : [];
  const rendered = how === 'mark' ? [...(await writeRenderings(session, at)), ...itsFile] : [];
  const tree =
    rendered.length > 0
      ? await workspace.treeWithFiles(planned ? [planned, ...rendered] : rendered)
      : planned
        ? await workspace.treeWithFile(planned, marked.value)
        : ok(evidence.tree);
  if (!tree.ok) return tree;
  const tip = await workspace.tip();
  if (!tip.ok) return tip;
  if (tip.value === base) {
    // An accepted item that needed no change and made none gets no empty commit.
    if (!evidence.changed && tree.value === evidence.tree) {
      const flushed = await flushing;
      return flushed.ok ? ok({ tree: tree.value }) : flushed;
    }
    const beside = (made: string) => session.options.vault.keep(made);
    const commit = await workspace.commit({ tree: tree.value, parent: base, message, at }, { flushing, beside });
    return commit.ok ? ok({ commit: commit.value, tree: tree.value }) : commit;
  }
  // Reached only after a restart: the commit was made, its record was not.
  const made = await workspace.itemsBetween({ from: base, to: tip.value, run: session.state.run });
  if (!made.ok) return made;
  const own = made.value.find(commit => commit.item === item);
  if (own) return ok({ commit: own.commit, tree: tree.value });
  const commit = await workspace.commit({ tree: tree.value, parent: base, message, at }, { flushing });
  return commit.ok ? ok({ commit: commit.value, tree: tree.value }) : commit;
}

async function putAside(session: Session, decided: Decided, next: 'continue' | 'fresh'): Promise<Result<Kept>> {
  const { workspace, state } = session;
  const { base, item, attempt, iteration, evidence, startTree, verdict, at } = decided;
  const name = verdict.type === 'rejected' ? String(attempt) : `${attempt}-i${iteration}`;
  const changed = evidence.tree !== startTree || verdict.type !== 'retry';
  const baseTree = await workspace.treeOf(base);
  if (!baseTree.ok) return baseTree;
  let ref: string | undefined;
  if (changed && evidence.tree !== baseTree.value) {
    const message = `ralph: attempt ${attempt} at ${item}, ${verdict.type}\n\n${verdict.type === 'accepted' ? '' : verdict.why}\n`;
    const kept = await workspace.setAside(attemptRef(state.run, item, name), `i${iteration}`, {
      tree: evidence.tree,
      parent: base,
      message,
      at,
    });
    if (!kept.ok) return kept;
    ref = kept.value;
  }
  const tree = next === 'continue' ? evidence.tree : baseTree.value;
  if (tree !== evidence.tree) {
    const diff = await workspace.diff(tree, evidence.tree);
    const restored = await workspace.restore(tree, diff.ok ? diff.value.changes : []);
    if (!restored.ok) return restored;
    // If the plan counts attempts, the count goes on even though the work is reset.
    if (session.options.planInTree && session.plan.document.begin) writeAtomic(session.plan.path, session.plan.bytes);
    else if (session.options.planInTree && session.worker === undefined) session.plan = rereadTrusted(session);
  }
  return ok(ref === undefined ? { tree } : { ref, tree });
}

/** Writes the runner's mark, unless it is already there; returns the plan's bytes before and after. */
export function markDone(
  session: Session,
  item: string,
  at: number,
): Result<{ readonly was: Buffer; readonly is: Buffer } | undefined> {
  const current = rereadTrusted(session);
  if (current.plan.items.find(candidate => candidate.id === item)?.status !== 'done') {
    const marked = markPlan(current, { id: item, to: 'done', at });
    if (!marked.ok) return marked;
    const { bytes } = marked.value;
    // Flushed before the branch moves; until then, a restart repeats it from the verdict in the journal.
    if (!bytes.equals(current.bytes)) writeWhole(current.path, bytes);
    const read = markOwnFile(marked.value, { id: item, to: 'done', at });
    if (!read.ok) return read;
    session.plan = read.value;
    return ok({ was: current.bytes, is: bytes });
  }
  session.plan = current;
  return ok(undefined);
}
