/** Whether anything is left of a plan, as its file and its last run tell. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { dueReview, unsettledReviews } from '../evidence/index.ts';
import type { Item, Plan } from '../protocol.ts';
import { isClosed, isConfirmed, isCutOff, itemOf, openAgain, type RunState, statusIn } from '../state.ts';
import { isOnOtherBranch, knowsWorktree } from '../workspace/index.ts';
import type { Project } from './project.ts';

export interface LeftOfPlan {
  /** The last run was complete, and nothing was taken back since. */
  readonly complete: boolean;
  /** A run would have nothing to do: no item, no final gate, no review. */
  readonly nothing: boolean;
}

export function leftOf(project: Project, plan: Plan, last: RunState | undefined): LeftOfPlan {
  const { items, repeats, marks } = plan;
  // A file that takes no marks says less than the run that worked on it, and so does one without that run's work.
  const reverted = last !== undefined && isRevertedElsewhere(project, plan, last);
  const inRun = marks === 'journal' || reverted || (last !== undefined && isElsewhere(project, plan, last));
  const statusOf = (item: Item) => statusIn(inRun ? last : undefined, item);
  const allOver = items.every(item => isClosed(statusOf(item)));
  // The state of a repeating plan is only in the journal, where a person may have reset it since.
  const complete =
    last?.finished?.reason === 'complete' &&
    !reverted &&
    (!repeats || everyDone(last)) &&
    (marks !== 'journal' || allOver);
  // What a plan says whose run died may be the word of the agent that was at work.
  if (last && isCutOff(last)) return { complete, nothing: false };
  const allDone = !repeats && allOver;
  // A mark that nobody confirmed is nobody's word.
  const known = items.every(({ id }) => last === undefined || isConfirmed(last, id));
  // A run that is open has its end before it, and what a person marked meanwhile is in no commit yet.
  const isOver = last === undefined ? project.settings.final.length === 0 : complete;
  const proven = known && isOver && !(last && awaitsReview(project, last, items));
  return { complete, nothing: (allDone && proven) || (repeats && complete) };
}

/**
 * The run was complete, and its work is not in this checkout: it is in a worktree, or on a branch that is neither checked out
 * nor merged. Once merged, by whatever way, the plan here has marks of the run.
 */
export function isElsewhere(
  project: Project,
  { items }: { readonly items: readonly Pick<Item, 'id' | 'status'>[] },
  last: RunState,
): boolean {
  if (last.workspace !== '.') return isBesideCheckout(project, last);
  const isUnmerged = !items.some(({ id, status }) => status === 'done' && didItem(last, id));
  return last.finished?.reason === 'complete' && isUnmerged && isOnOtherBranch(project.repository, last.branch);
}

/**
 * Work was reverted on the branch of the run after its end, and the plan here, which has that work or lacks the item, does not know: the run
 * goes on there. A new one would take the marks of the plan here to a branch without the work, or have nothing to do.
 */
function isRevertedElsewhere({ repository }: Project, { items }: Plan, last: RunState): boolean {
  const open = openAgain(last);
  const here = new Map(items.map(({ id, status }) => [id, status]));
  return open.some(id => [undefined, 'done'].includes(here.get(id))) && isOnOtherBranch(repository, last.branch);
}

/** The run is open, and its plan is that of another checkout or branch than this one. */
export const isWorkedOnElsewhere = ({ repository }: Project, { workspace, branch, finished }: RunState): boolean =>
  finished?.reason !== 'complete' && (workspace !== '.' || isOnOtherBranch(repository, branch));

/** Done by this run, not before it. */
export const didItem = (state: RunState, id: string): boolean =>
  itemOf(state, id).status === 'done' && !(state.given ?? []).includes(id);

/**
 * Complete in a worktree that is still there, or that git still knows although somebody deleted its folder: nobody has merged
 * the run or thrown it away.
 */
export const isBesideCheckout = ({ repository }: Project, { workspace, finished }: RunState): boolean =>
  workspace !== '.' &&
  finished?.reason === 'complete' &&
  (existsSync(join(repository.root, workspace)) || knowsWorktree(repository, workspace));

/** A finished plan is not over while an accepted item waits for a reviewer or for a person. */
function awaitsReview({ settings }: Project, state: RunState, items: Plan['items']): boolean {
  const status = (item: Item) => statusIn(state, item);
  const place = { state, review: settings.review, items, status };
  return dueReview(place) !== undefined || unsettledReviews(place).length > 0;
}

const everyDone = (state: RunState): boolean => [...state.items.values()].every(item => item.status === 'done');
