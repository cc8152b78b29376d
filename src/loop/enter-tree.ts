/** Resets the work tree to where the next step starts, without losing other people's changes. */
import { writeAtomic } from '../util/files.ts';
import { ok, type Result } from '../util/result.ts';
import { keepForeign } from './foreign-work.ts';
import type { Session } from './session.ts';

/** Returns the resulting tree: the wanted one, except for a person's edit of the plan. */
export async function enterTree(
  session: Session,
  { wanted, tip }: { readonly wanted: string; readonly tip: string },
): Promise<Result<string>> {
  const { workspace } = session;
  if (session.tree === wanted) return ok(wanted);
  const now = await workspace.snapshot();
  if (!now.ok) return now;
  session.tree = now.value;
  if (now.value === wanted) return now;
  const diff = await workspace.diff(wanted, now.value);
  if (!diff.ok) return diff;
  // A person may edit the plan between two items; everything else is restored.
  if (diff.value.changes.every(change => session.options.ownedInTree.includes(change.path))) return now;
  const kept = await keepForeign(session, { now: now.value, changes: diff.value.changes, tip });
  if (!kept.ok) return kept;
  const restored = await workspace.restore(wanted, diff.value.changes);
  if (!restored.ok) return restored;
  if (session.options.planInTree) writeAtomic(session.plan.path, session.plan.bytes);
  const entered = await workspace.snapshot();
  if (entered.ok) session.tree = entered.value;
  return entered;
}
