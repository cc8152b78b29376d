/**
 * A restart finishes or undoes the one step that was open.
 *
 *   nothing open          → nothing to do
 *   started, no verdict   → the dead runner's agent is ended, its tree kept under a ref, the iteration is run again
 *   verdict, not finished → what follows from it is done (again); the commit is the same, so it cannot be made twice
 */

import { endLeftovers } from '../process/sweep.ts';
import { readBytes, writeAtomic } from '../util/files.ts';
import { ok, type Result } from '../util/result.ts';
import { attemptRef } from '../workspace/workspace.ts';
import { conclude } from './conclude.ts';
import { planFrom, rereadPlan } from './plan-bytes.ts';
import type { Session } from './session.ts';

const GRACE_MS = 3_000;

export async function recover(session: Session): Promise<Result<void>> {
  const { open } = session.state;
  if (open) {
    const ended = await endLeftovers({
      ...(open.process ? { process: open.process } : {}),
      lease: open.lease,
      workspace: session.workspace.root,
      graceMs: GRACE_MS,
    });
    for (const { pid, command, killed } of ended) {
      session.notice(
        'warn',
        `${killed ? 'ended' : 'could not end'} what the last runner left behind: ${pid} ${command}`,
      );
    }
    const finished = open.verdict ? await finishOpen(session) : await abortIteration(session, 'the runner died');
    if (!finished.ok) return finished;
  } else {
    const taken = await takeStock(session);
    if (!taken.ok) return taken;
  }
  return await adopt(session);
}

async function finishOpen(session: Session): Promise<Result<void>> {
  const { open } = session.state;
  if (!open?.verdict || !open.evidence) return ok(undefined);
  const settled = await settle(session);
  if (!settled.ok) return settled;
  const now = await session.workspace.snapshot();
  if (!now.ok) return now;
  if (now.value !== open.evidence.tree) {
    const restored = await session.workspace.restore(open.evidence.tree);
    if (!restored.ok) return restored;
  }
  session.plan = rereadPlan(session.plan);
  return await conclude(session, {
    iteration: open.iteration,
    item: open.item,
    attempt: open.attempt,
    base: open.base,
    startTree: open.tree,
    evidence: open.evidence,
    ...open.verdict,
    startedAt: open.verdict.at,
  });
}

/** Keeps what the agent made so far under a ref, and puts the tree back to where the iteration began. */
export async function abortIteration(session: Session, why: string): Promise<Result<void>> {
  const { workspace, state } = session;
  const { open } = state;
  if (!open) return ok(undefined);
  const settled = await settle(session);
  if (!settled.ok) return settled;
  const { iteration, item } = open;
  const now = await workspace.snapshot();
  if (!now.ok) return now;
  let ref: string | undefined;
  if (now.value !== open.tree) {
    const kept = await workspace.setAside(
      attemptRef(state.run, item, `${open.attempt}-cut`),
      `i${iteration}-${Date.now()}`,
      {
        tree: now.value,
        parent: open.base,
        message: `ralph: ${item}, iteration ${iteration} was cut off\n\n${why}\n`,
        at: session.clock.now(),
      },
    );
    if (!kept.ok) return kept;
    ref = kept.value;
    const diff = await workspace.diff(open.tree, now.value);
    const restored = await workspace.restore(open.tree, diff.ok ? diff.value.changes : []);
    if (!restored.ok) return restored;
  }
  restoreHiddenPlan(session, iteration);
  session.plan = rereadPlan(session.plan);
  session.tree = open.tree;
  session.record({ type: 'iteration.aborted', iteration, item, why, ...(ref ? { ref } : {}) });
  return ok(undefined);
}

async function settle(session: Session): Promise<Result<void>> {
  const { open, run } = session.state;
  if (!open) return ok(undefined);
  // An accepted commit of ours moves the branch too; only before the verdict is a moved branch the agent's doing.
  if (open.verdict) return ok(undefined);
  const ref = attemptRef(run, open.item, `${open.attempt}-i${open.iteration}-own`);
  const settled = await session.workspace.settle(open.base, ref);
  if (!settled.ok) return settled;
  for (const note of settled.value) session.notice('warn', note);
  return ok(undefined);
}

/** A plan that git does not see is put back from the copy made before the agent started. */
function restoreHiddenPlan(session: Session, iteration: number): void {
  if (session.options.planInTree) return;
  const before = readBytes(session.fileOf(iteration, 'plan.before'));
  const now = readBytes(session.plan.path);
  if (!before || now?.equals(before)) return;
  if (now) writeAtomic(session.fileOf(iteration, 'plan.edited'), now);
  writeAtomic(session.plan.path, before);
  session.plan = planFrom(session.plan, before);
}

/** Between two iterations the tree is known; what differs came from elsewhere and is kept, not judged. */
async function takeStock(session: Session): Promise<Result<void>> {
  const { workspace, state } = session;
  const tip = await workspace.tip();
  if (!tip.ok) return tip;
  const tipTree = await workspace.treeOf(tip.value);
  if (!tipTree.ok) return tipTree;
  const planBytes = readBytes(session.plan.path);
  const now = await workspace.snapshot();
  if (!now.ok) return now;
  if (now.value === tipTree.value) return ok(undefined);
  if (now.value !== state.lastTree) {
    const kept = await workspace.setAside(attemptRef(state.run, 'found', 'tree'), String(Date.now()), {
      tree: now.value,
      parent: tip.value,
      message: 'ralph: what the work tree held when the run was taken up again\n',
      at: session.clock.now(),
    });
    if (!kept.ok) return kept;
    session.notice('warn', `the work tree had changes that no iteration made; they are kept under ${kept.value}`);
  }
  const diff = await workspace.diff(tipTree.value, now.value);
  const restored = await workspace.restore(tipTree.value, diff.ok ? diff.value.changes : []);
  if (!restored.ok) return restored;
  // A person's edit of the plan is theirs; it is read like any other.
  if (planBytes && session.options.planInTree) writeAtomic(session.plan.path, planBytes);
  session.plan = rereadPlan(session.plan);
  return ok(undefined);
}

/** Commits of this run that the journal does not know: their records were lost, their work was not. */
async function adopt(session: Session): Promise<Result<void>> {
  const { state, workspace } = session;
  const tip = await workspace.tip();
  if (!tip.ok) return tip;
  if (tip.value === state.tip) return ok(undefined);
  const made = await workspace.commitsSince(state.tip, state.run);
  if (!made.ok) return ok(undefined);
  for (const { commit, item } of made.value) {
    if (state.items.get(item)?.commit === commit) continue;
    session.record({ type: 'item.adopted', item, commit });
  }
  return ok(undefined);
}
