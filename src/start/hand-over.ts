/** Between the person's tree and the run's: what is taken over at the start and left behind at the end. */
import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import { planFrom } from '../loop/plan-bytes.ts';
import type { Session } from '../loop/session.ts';
import type { OpenPlan } from '../plan/open.ts';
import { readBytes, writeAtomic } from '../util/files.ts';
import { ok, type Result } from '../util/result.ts';

/** The worktree's copy of the plan: its own where the branch has one, else the person's. */
export function planInWorktree(plan: OpenPlan, path: string): OpenPlan {
  if (!existsSync(path)) writeAtomic(path, plan.bytes);
  const bytes = readBytes(path) ?? plan.bytes;
  return planFrom({ ...plan, path, plan: { ...plan.plan, path } }, bytes);
}

export function ownedConfig(at: {
  readonly file: string;
  readonly from: string;
  readonly to: string;
}): { file: string; bytes: Buffer } | undefined {
  const bytes = readBytes(at.file);
  if (!bytes) return undefined;
  const file = join(at.to, relative(at.from, at.file));
  if (!readBytes(file)?.equals(bytes)) writeAtomic(file, bytes);
  return { file, bytes };
}

/** A plan or config that is not committed yet is committed as given, so that an item's commit holds only its own work. */
export async function commitGiven(session: Session): Promise<Result<void>> {
  const { workspace } = session;
  const tip = await workspace.tip();
  if (!tip.ok) return tip;
  const before = await workspace.treeOf(tip.value);
  if (!before.ok) return before;
  const now = await workspace.snapshot();
  if (!now.ok) return now;
  session.tree = now.value;
  session.treeOfTip = { commit: tip.value, tree: before.value };
  if (now.value === before.value) return ok(undefined);
  const diff = await workspace.diff(before.value, now.value);
  if (!diff.ok) return diff;
  const { ownedInTree } = session.options;
  if (!diff.value.changes.every(change => ownedInTree.includes(change.path))) return ok(undefined);
  const message = `chore(ralph): take the plan and config as given\n\nRalph-Run: ${session.state.run}\n`;
  const commit = await workspace.commit({ tree: now.value, parent: tip.value, message, at: session.clock.now() });
  if (!commit.ok) return commit;
  session.treeOfTip = { commit: commit.value, tree: now.value };
  return ok(undefined);
}

/** At the end the work tree holds what was accepted; an unfinished attempt is in its ref and comes back from there. */
export async function leaveClean(session: Session): Promise<Result<void>> {
  const { workspace } = session;
  const tip = await workspace.tip();
  if (!tip.ok) return tip;
  const clean = await workspace.treeOf(tip.value);
  if (!clean.ok) return clean;
  const now = await workspace.snapshot();
  if (!now.ok) return now;
  if (now.value !== clean.value) {
    const diff = await workspace.diff(clean.value, now.value);
    if (!diff.ok) return diff;
    const restored = await workspace.restore(clean.value, diff.value.changes);
    if (!restored.ok) return restored;
    // A person's edit of the plan since the last commit stays theirs.
    if (session.options.planInTree) writeAtomic(session.plan.path, session.plan.bytes);
  }
  workspace.syncIndex();
  return ok(undefined);
}
