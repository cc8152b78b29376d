/** The plan that is meant, the run it continues, and whether there is anything left to do. */
import { join } from 'node:path';
import { newRunId } from '../journal/runs.ts';
import { dueReview, unsettledReviews } from '../loop/review-due.ts';
import { type OpenPlan, openPlan } from '../plan/open.ts';
import type { Item, Plan } from '../protocol.ts';
import { effectiveStatus, isConfirmed, itemOf, type RunState } from '../state.ts';
import { writeAtomic } from '../util/files.ts';
import { ok, type Result } from '../util/result.ts';
import { oneLine } from '../util/show.ts';
import { repoPath } from '../workspace/repository.ts';
import { findLostRun, findRun } from './find-run.ts';
import { isPromptText, type Project, type Refusal, refuse, runnablePlan } from './project.ts';

export interface Found {
  readonly plan: OpenPlan;
  readonly run: string;
  /** The run that is continued; absent for a new one. */
  readonly state?: RunState;
  /** A run died here: the tree may hold what its last agent left. */
  readonly died: boolean;
  readonly promptText?: string;
  readonly alreadyDone: boolean;
}

export function findPlanAndRun(
  project: Project,
  { plan: given, now }: { readonly plan: string | undefined; readonly now: number },
): Result<Found, Refusal> {
  if (given !== undefined && isPromptText(project.cwd, given)) return fromText(project, { text: given, now });
  const plan = runnablePlan(project, given);
  if (!plan.ok) return plan;
  const { name, items, repeats } = plan.value.plan;
  const path = repoPath(project.repository, plan.value.path) ?? plan.value.path;
  const last = findRun(project.folder, { path, plan: plan.value.plan });
  if (!last.ok) return refuse(4, last.error);
  const lost = findLostRun(project.folder, { name, newerThan: last.value?.lastAt ?? 0 });
  if (lost !== undefined) return ok({ plan: plan.value, run: lost, died: true, alreadyDone: false });
  const died = last.value !== undefined && last.value.finished === undefined;
  // The state of a repeating plan is only in the journal, where a person may have reset it since.
  const complete = last.value?.finished?.reason === 'complete' && (!repeats || everyDone(last.value));
  const allDone = !repeats && items.every(item => item.status === 'done' || item.status === 'skipped');
  const known = (item: Item) => last.value === undefined || isConfirmed(last.value, item.id);
  const proven =
    items.every(known) &&
    (project.settings.final.length === 0 || complete) &&
    !(last.value && awaitsReview(project, last.value, items));
  // What a plan says whose run died may be the word of the agent that was at work.
  if (!died && ((allDone && proven) || (repeats && complete))) {
    return ok({
      plan: plan.value,
      run: last.value?.run ?? '',
      died,
      alreadyDone: true,
      ...(last.value ? { state: last.value } : {}),
    });
  }
  if (last.value && !complete)
    return ok({ plan: plan.value, run: last.value.run, state: last.value, died, alreadyDone: false });
  return ok({ plan: plan.value, run: newRunId(project.folder, name, now), died, alreadyDone: false });
}

/** A finished plan is not over while an accepted item waits for a reviewer or for a person. */
function awaitsReview({ settings }: Project, state: RunState, items: Plan['items']): boolean {
  const status = (item: Item) => effectiveStatus(item.status, itemOf(state, item.id));
  const place = { state, review: settings.review, items, status };
  return dueReview(place) !== undefined || unsettledReviews(place).length > 0;
}

const everyDone = (state: RunState): boolean => [...state.items.values()].every(item => item.status === 'done');

/** Words instead of a file: they become a PROMPT.md inside the run's own folder. */
function fromText(
  project: Project,
  { text, now }: { readonly text: string; readonly now: number },
): Result<Found, Refusal> {
  const name = oneLine(text, 40);
  const last = findRun(project.folder, { path: '', plan: { name, items: [] }, promptText: text });
  if (!last.ok) return refuse(4, last.error);
  const run = last.value?.run ?? newRunId(project.folder, name, now);
  const file = join(project.folder.runs, run, 'PROMPT.md');
  writeAtomic(file, `${text}\n`);
  const plan = openPlan(file);
  if (!plan.ok) return refuse(2, plan.error);
  const found = { plan: { ...plan.value, plan: { ...plan.value.plan, name } }, run, promptText: text };
  if (!last.value) return ok({ ...found, died: false, alreadyDone: false });
  const { finished } = last.value;
  return ok({ ...found, state: last.value, died: !finished, alreadyDone: finished?.reason === 'complete' });
}
