/** A complete run whose branch nobody has merged or thrown away: what is still to be done with its plan belongs to it. */
import type { RunState } from '../state.ts';
import { isContained } from '../workspace/index.ts';
import { isBesideCheckout } from './already-done.ts';
import type { Found } from './find-plan.ts';
import { findRun } from './find-run.ts';
import { identityOf } from './meant-plan.ts';
import type { Project } from './project.ts';

/** Its branch is there and holds what the branch it came from has not. */
export async function isApart({ repository: { git } }: Project, { branch, from }: RunState): Promise<boolean> {
  const tip = await git.text('rev-parse', '-q', '--verify', `refs/heads/${branch}^{commit}`);
  if (!tip.ok) return false;
  // A run that began on no branch has none that could hold its work.
  return !from || !(await isContained(git, `refs/heads/${from}`, tip.value));
}

/**
 * An item was taken back, or is new, after a run in a worktree was complete: that run goes on, in its worktree. A new one in
 * the checkout could not have the branch.
 */
export async function continueApart(project: Project, found: Found): Promise<Found> {
  if (found.state || found.alreadyDone || found.promptText !== undefined) return found;
  const last = findRun(project.folder, identityOf(project, found));
  const state = last.ok ? last.value : undefined;
  if (!state || !isBesideCheckout(project, state)) return found;
  return (await isApart(project, state)) ? { ...found, run: state.run, state } : found;
}
