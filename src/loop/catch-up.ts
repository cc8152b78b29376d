/**
 * A journal that lost its last records is behind the branch. Then git decides: work that is accepted on the branch stays accepted, and
 * whatever an unrecorded agent left in the tree is kept under a ref without a verdict.
 */

import { statSync } from 'node:fs';
import { putCopyBack, restoreKind } from '../custody/index.ts';
import { rereadPlan } from '../plan/index.ts';
import { readBytes, writeAtomic } from '../util/files.ts';
import { newestIteration } from '../util/iteration-packs.ts';
import { linkAt } from '../util/paths.ts';
import { ok, type Result } from '../util/result.ts';
import { markDone } from './conclude.ts';
import { keepFoundTree, settleBranch } from './keep-found.ts';
import type { Session } from './session.ts';

/** The newest commit that the runner put on the branch, if it is still there: a person may have removed it. */
export async function acceptedOnBranch({ workspace }: Session): Promise<string | undefined> {
  const accepted = workspace.accepted();
  return accepted && (await workspace.isAncestor(accepted, workspace.ref)) ? accepted : undefined;
}

/** Whether the branch has more of the runner's commits than the journal knows and than a single crash explains. */
export async function isBehind(session: Session): Promise<boolean> {
  const { workspace } = session;
  const { openIterations, tip } = session.state;
  if (workspace.accepted() === tip) return false;
  const accepted = await acceptedOnBranch(session);
  if (!accepted || !(await workspace.isAncestor(tip, accepted))) return false;
  // The commit of an open verdict is made before it is recorded.
  const decided = openIterations.filter(({ verdict }) => verdict !== undefined);
  if (decided.length === 0) return true;
  const parent = await workspace.parentOf(accepted);
  return decided.every(({ base }) => base !== parent);
}

/** No open step can be completed or undone, so the branch tells where the run is. */
export async function catchUp(session: Session): Promise<Result<void>> {
  const { openIterations, iterations, reviews } = session.state;
  const spoke = [session.fileOf(iterations + 1, 'events.jsonl'), session.reviewFileOf(reviews + 1, 'events.jsonl')];
  const unrecorded = openIterations.length > 0 || spoke.some(file => writtenAt(file) > session.options.state.lastAt);
  if (!unrecorded) return await takeStock(session, 'keep-plan');
  const accepted = await acceptedOnBranch(session);
  if (accepted) {
    const settled = await settleBranch(session, accepted);
    if (!settled.ok) return settled;
  }
  const taken = await takeStock(session, 'restore-plan');
  if (!taken.ok) return taken;
  for (const { iteration, item } of openIterations) {
    session.record({ type: 'iteration.aborted', iteration, item, why: 'the journal lost what followed' });
  }
  return ok(undefined);
}

/** When an agent last wrote to this file; 0 if there is none. */
const writtenAt = (file: string): number => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;

/** Restores a plan that git does not track from the copy made before the agent started. */
export function restoreHiddenPlan(session: Session, iteration: number): void {
  const { planInTree } = session.options;
  const back = putCopyBack({
    path: session.plan.path,
    copy: planInTree ? undefined : session.fileOf(iteration, 'plan.before'),
    edited: session.fileOf(iteration, 'plan.edited'),
  });
  if (back) session.plan = rereadPlan(session.plan);
}

/**
 * Between two iterations the tree is known, so any difference came from elsewhere: it is kept under a ref and gets no verdict. A person's
 * edit of the plan or the config stays; an edit that an agent may have made does not.
 */
async function takeStock(session: Session, plan: 'keep-plan' | 'restore-plan'): Promise<Result<void>> {
  const { workspace, state } = session;
  const tip = await workspace.tip();
  if (!tip.ok) return tip;
  const tipTree = await workspace.treeOf(tip.value);
  if (!tipTree.ok) return tipTree;
  if (plan === 'restore-plan') restoreHiddenPlan(session, newestIteration(session.runFolder));
  const planBytes = readBytes(session.plan.path);
  const now = await workspace.snapshot();
  if (!now.ok) return now;
  if (now.value === tipTree.value) {
    session.plan = rereadPlan(session.plan);
    return ok(undefined);
  }
  const diff = await workspace.diff(tipTree.value, now.value);
  const changes = diff.ok ? diff.value.changes : [];
  const theirs = plan === 'keep-plan' ? session.options.ownedInTree : [];
  const others = changes.filter(change => !theirs.includes(change.path));
  if (diff.ok && others.length === 0) {
    session.plan = rereadPlan(session.plan);
    return ok(undefined);
  }
  if (now.value !== state.lastTree) {
    const message = 'ralph: what the work tree held when the run was taken up again\n';
    const kept = await keepFoundTree(session, { tree: now.value, parent: tip.value, message });
    if (!kept.ok) return kept;
    session.notice('warn', `the work tree had changes that no iteration made; they are kept under ${kept.value}`);
  }
  const restored = await workspace.restore(tipTree.value, others);
  if (!restored.ok) return restored;
  if (plan === 'keep-plan') putBackGiven(session, planBytes);
  session.plan = rereadPlan(session.plan);
  return ok(undefined);
}

function putBackGiven({ options, plan }: Session, planBytes: Buffer | undefined): void {
  if (planBytes && options.planInTree) writeAtomic(plan.path, planBytes);
  const { config } = options;
  if (!config || (linkAt(config.file) === config.link && readBytes(config.file)?.equals(config.bytes))) return;
  restoreKind(config.file, config.link);
  writeAtomic(config.file, config.bytes);
}

/** Adopts commits of this run whose records were lost. */
export async function adopt(session: Session): Promise<Result<void>> {
  const { state, workspace } = session;
  if (workspace.accepted() === state.tip) return ok(undefined);
  const accepted = await acceptedOnBranch(session);
  if (!accepted) return ok(undefined);
  // Only up to the newest commit that the runner itself made, because an agent can imitate the commit message.
  const made = await workspace.itemsBetween({ from: state.tip, to: accepted, run: state.run });
  if (!made.ok) return ok(undefined);
  for (const { commit, item, iteration } of made.value) {
    if (session.state.items.get(item)?.commit === commit) continue;
    session.record({ type: 'item.adopted', item, commit, iteration });
    const marked = markDone(session, item, session.clock.now());
    if (!marked.ok) return marked;
  }
  return ok(undefined);
}
