/** Which run is continued: for `ralph review --items` the one that the reviews belong to, and whether any item waits for one. */
import { type AskedReviews, dueOfDone, type Earlier } from '../evidence/index.ts';
import { newRunId, planKey, readRunFast, storeOf } from '../journal/index.ts';
import { unknownItem } from '../plan/index.ts';
import type { Item } from '../protocol.ts';
import { fold, isCutOff, statusIn } from '../state.ts';
import { ok, type Result } from '../util/result.ts';
import { continueApart, isApart } from './apart-run.ts';
import type { Found } from './find-plan.ts';
import { findRun, samePlan } from './find-run.ts';
import type { FoundIssues } from './issues.ts';
import { identityOf } from './meant-plan.ts';
import { type Project, type Refusal, refuse } from './project.ts';

interface Sought {
  readonly located: FoundIssues;
  /** Undefined: no reviews are asked for. */
  readonly named: readonly string[] | undefined;
  readonly now: number;
}

/** Older journals than this many are not looked into. */
const MOST_RUNS = 50;

export async function findReviews(
  project: Project,
  { located, named, now }: Sought,
): Promise<Result<{ readonly located: FoundIssues; readonly reviews?: AskedReviews }, Refusal>> {
  if (!named) return ok({ located: { ...located, found: await continueApart(project, located.found) } });
  const { found } = located;
  const { plan } = found;
  const last = findRun(project.folder, identityOf(project, found));
  if (!last.ok) return refuse(4, last.error);
  const isOpen = last.value !== undefined && last.value.finished?.reason !== 'complete';
  const state = last.value && (isOpen || (await isApart(project, last.value))) ? last.value : undefined;
  const earlier = earlierWork(project, found, state?.run);
  const { items, ids } = plan.plan;
  const status = (item: Item) => statusIn(state, item);
  for (const id of named) {
    const item = items.find(each => each.id === id);
    if (!item) return refuse(2, unknownItem(id, ids));
    if (status(item) === 'done') continue;
    const hint = 'Only what is done can be reviewed. See: ralph items';
    return refuse(2, { reason: 'not-done', message: `${id} is ${status(item)}, not done; nothing was reviewed`, hint });
  }
  const place = { state: state ?? fold([]), review: project.settings.review, items, status, named, earlier };
  const run = state?.run ?? newRunId(project.folder, plan.plan.name, now);
  const { state: _, ...rest } = found;
  const died = state !== undefined && isCutOff(state);
  const its = { ...rest, run, died, alreadyDone: !died && dueOfDone(place) === undefined };
  return ok({ located: { ...located, found: { ...its, ...(state ? { state } : {}) } }, reviews: { named, earlier } });
}

/** Of each item, the newest run that worked on it. */
function earlierWork(project: Project, found: Found, own: string | undefined): ReadonlyMap<string, Earlier> {
  const { folder } = project;
  const all = new Map<string, Earlier>();
  const identity = identityOf(project, found);
  const key = planKey(identity);
  const runs = storeOf(folder)
    .runsWithPlans()
    .filter(each => each.plan === key && each.run !== own);
  for (const { run } of runs.slice(0, MOST_RUNS)) {
    const read = readRunFast(folder, run);
    if (!read.ok || !samePlan(read.value.state, identity)) continue;
    const { items } = read.value.state;
    const fixes = new Set([...items.values()].flatMap(({ review }) => review?.fixes ?? []));
    for (const [id, { accepted, commit, review }] of items) {
      if (all.has(id) || (accepted === undefined && review === undefined)) continue;
      const work = { ...(accepted === undefined ? {} : { accepted }), ...(commit === undefined ? {} : { commit }) };
      all.set(id, { run, ...work, isReviewed: review?.verdict === 'pass', isFix: fixes.has(id) });
    }
  }
  return all;
}
