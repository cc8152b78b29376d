/** What was found where the runner expected something else: kept under refs of the run, and told. */
import { ok, type Result } from '../util/result.ts';
import { attemptRef } from '../workspace/index.ts';
import type { Session } from './session.ts';

/** Keeps a tree that no verdict is about; returns the ref. */
export async function keepFoundTree(
  { workspace, state, clock }: Session,
  found: { readonly tree: string; readonly parent: string; readonly message: string },
): Promise<Result<string>> {
  const at = clock.now();
  return await workspace.setAside(attemptRef(state.run, 'found', 'tree'), String(at), { ...found, at });
}

/** Resets HEAD and the branch to `base`; commits that are not the runner's are kept under a ref. */
export async function settleBranch(session: Session, base: string, ref?: string): Promise<Result<void>> {
  const { workspace, state } = session;
  const settled = await workspace.settle(base, ref ?? attemptRef(state.run, 'found', 'commits'));
  if (!settled.ok) return settled;
  for (const note of settled.value) session.notice('warn', note);
  return ok(undefined);
}
