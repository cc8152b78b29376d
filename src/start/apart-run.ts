/** A complete run whose branch nobody has merged or thrown away: what is still to be done with its plan belongs to it. */
import type { RunState } from '../state.ts';
import { isContained, isOnOtherBranch, mergedTree, repoPath } from '../workspace/index.ts';
import { didItem, isBesideCheckout } from './already-done.ts';
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
 * An item was taken back, or is new, after a run in a worktree was complete: that run continues, in its worktree. A new one in
 * the checkout could not have the branch. So does a run of which a part was merged: a new one would bring the marks of the plan here to
 * its branch, and have the other part done again.
 */
export async function continueApart(project: Project, found: Found): Promise<Found> {
  if (found.state || found.alreadyDone || found.promptText !== undefined) return found;
  const last = findRun(project.folder, identityOf(project, found));
  const state = last.ok ? last.value : undefined;
  if (!state) return found;
  const its = { ...found, run: state.run, state };
  if (isBesideCheckout(project, state)) return (await isApart(project, state)) ? its : found;
  return (await isPartlyMerged(project, state, found)) ? its : found;
}

/** Items are open here that the run did on its branch, and their work is not here either: no person opened them again. */
async function isPartlyMerged(
  { repository }: Project,
  last: RunState,
  { plan: { plan, path } }: Found,
): Promise<boolean> {
  const { branch, workspace, finished } = last;
  if (workspace !== '.' || finished?.reason !== 'complete' || !isOnOtherBranch(repository, branch)) return false;
  if (!plan.items.some(({ id, status }) => status !== 'done' && didItem(last, id))) return false;
  const { git } = repository;
  const head = await git.text('rev-parse', '-q', '--verify', 'HEAD^{commit}');
  const tip = await git.text('rev-parse', '-q', '--verify', `refs/heads/${branch}^{commit}`);
  const merged = head.ok && tip.ok ? await mergedTree(git, head.value, tip.value) : undefined;
  if (!head.ok || !merged?.ok || merged.value.type === 'nothing') return false;
  const brought = await git.list('diff', '--name-only', '-z', '--no-renames', head.value, merged.value.tree);
  return brought.ok && brought.value.some(each => each !== repoPath(repository, path));
}
