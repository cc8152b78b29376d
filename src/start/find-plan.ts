/** The plan that is meant, the run it continues, and whether there is anything left to do. */
import { join } from 'node:path';
import { newRunId } from '../journal/index.ts';
import { markPlan, type OpenPlan, planOfWords, unknownItem } from '../plan/index.ts';
import { isCutOff, type RunState } from '../state.ts';
import { ok, type Result } from '../util/result.ts';
import { oneLine } from '../util/show.ts';
import { didItem, isElsewhere, isWorkedOnElsewhere, leftOf } from './already-done.ts';
import { findLostRun, findRun, withEarlier } from './find-run.ts';
import { idsElsewhere } from './ids-elsewhere.ts';
import { identityOf, runnablePlan } from './meant-plan.ts';
import { isPromptText, type Project, type Refusal, refuse } from './project.ts';

export interface Found {
  readonly plan: OpenPlan;
  readonly run: string;
  /** The run that is continued; absent for a new one. */
  readonly state?: RunState;
  /** A run died or failed here: the tree may hold what its last agent left. */
  readonly died: boolean;
  readonly promptText?: string;
  readonly alreadyDone: boolean;
  /** The plan has marks that its file here lacks: what this run and those before it did on its branch, where this one has to go on. */
  readonly marked?: RunState;
  /** What a person should know about the choice of the plan. */
  readonly notes: readonly string[];
}

export interface Wanted {
  /** A plan's path, words for the agent, or the id of a run. */
  readonly plan: string | undefined;
  /** Only this item. */
  readonly only?: string | undefined;
  readonly now: number;
}

/** Nothing is written. */
export function findPlanAndRun(project: Project, wanted: Wanted): Result<Found, Refusal> {
  const found = findBoth(project, wanted);
  if (!found.ok || wanted.only === undefined) return found;
  const { plan, state } = found.value;
  const { ids } = plan.plan;
  const there = state && isWorkedOnElsewhere(project, state) ? idsElsewhere(project, state) : [];
  return ids.includes(wanted.only) || there.includes(wanted.only) ? found : refuse(2, unknownItem(wanted.only, ids));
}

function findBoth(project: Project, { plan: given, now }: Wanted): Result<Found, Refusal> {
  if (given !== undefined && isPromptText(project.cwd, given)) {
    return fromText(project, { text: given, now, notes: [] });
  }
  const meant = runnablePlan(project, given, { toRun: true });
  if (!meant.ok) return meant;
  const { promptText, notes } = meant.value;
  if (promptText !== undefined) return fromText(project, { text: promptText, now, notes });
  const { plan } = meant.value;
  const { name } = plan.plan;
  const last = findRun(project.folder, identityOf(project, meant.value));
  if (!last.ok) return refuse(4, last.error);
  const lost = findLostRun(project.folder, { name, newerThan: last.value?.lastAt ?? 0 });
  if (lost !== undefined) return ok({ plan, run: lost, died: true, alreadyDone: false, notes });
  const died = last.value !== undefined && isCutOff(last.value);
  const known =
    last.value && isElsewhere(project, plan.plan, last.value) ? withEarlier(project.folder, last.value) : last.value;
  const { complete, nothing } = leftOf(project, plan.plan, known);
  const state = last.value ? { state: last.value } : {};
  if (nothing)
    return ok({ plan, run: known?.run ?? '', died, alreadyDone: true, notes, ...(known && { state: known }) });
  if (last.value && !complete) return ok({ plan, run: last.value.run, died, alreadyDone: false, notes, ...state });
  const found = { run: newRunId(project.folder, name, now), died, alreadyDone: false, notes };
  const marked = known && keepDone(project, plan, known);
  return ok(known && marked ? { ...found, plan: marked, marked: known } : { ...found, plan });
}

/** New items in a plan whose other items are done on its branch: those stay done there. */
function keepDone(project: Project, plan: OpenPlan, last: RunState): OpenPlan | undefined {
  if (last.workspace !== '.' || plan.plan.marks === 'journal' || !isElsewhere(project, plan.plan, last))
    return undefined;
  let marked = plan;
  for (const { id, status } of plan.plan.items) {
    if (status === 'done' || !didItem(last, id)) continue;
    const next = markPlan(marked, { id, to: 'done' });
    if (next.ok) marked = next.value;
  }
  return marked === plan ? undefined : marked;
}

/** Words instead of a file: a run makes them a PROMPT.md inside its own folder. */
function fromText(
  project: Project,
  { text, now, notes }: { readonly text: string; readonly now: number; readonly notes: readonly string[] },
): Result<Found, Refusal> {
  const name = oneLine(text, 40);
  const last = findRun(project.folder, { path: '', plan: { name, items: [] }, promptText: text });
  if (!last.ok) return refuse(4, last.error);
  const run = last.value?.run ?? newRunId(project.folder, name, now);
  const file = join(project.folder.runs, run, 'PROMPT.md');
  const plan = planOfWords(file, `${text}\n`);
  if (!plan.ok) return refuse(2, plan.error);
  const found = { plan: { ...plan.value, plan: { ...plan.value.plan, name } }, run, promptText: text, notes };
  if (!last.value) return ok({ ...found, died: false, alreadyDone: false });
  const { finished } = last.value;
  return ok({ ...found, state: last.value, died: isCutOff(last.value), alreadyDone: finished?.reason === 'complete' });
}
