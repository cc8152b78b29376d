/** Which run a plan belongs to: the one it left unfinished, or a new one. */
import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Recorded } from '../events.ts';
import {
  iterationFolder,
  planKey,
  type RalphFolder,
  type ReadRun,
  readRun,
  readRunFast,
  runName,
  storeOf,
} from '../journal/index.ts';
import type { Plan } from '../protocol.ts';
import type { ItemState, RunState } from '../state.ts';
import { namesIn } from '../util/files.ts';
import { ok, type Result } from '../util/result.ts';
import { sameTitle } from '../util/same-title.ts';

export interface PlanIdentity {
  /** Relative to the repository. */
  readonly path: string;
  /** Its items are only looked at where there is a run to compare them with. */
  readonly plan: Pick<Plan, 'name' | 'items' | 'marks'>;
  readonly promptText?: string;
}

/** The newest run of this very plan, finished or not; after one that a person discarded, the plan starts over. */
export function findRun(
  folder: RalphFolder,
  plan: PlanIdentity,
  /** `readRunFast` for whoever only looks. */
  read = readRun,
): Result<RunState | undefined> {
  const last = lastRun(folder, plan, read);
  return last.ok && last.value?.discarded ? ok(undefined) : last;
}

/** The same for whoever looks back. */
export function lastRun(folder: RalphFolder, plan: PlanIdentity, read = readRun): Result<RunState | undefined> {
  for (const [age, { run, plan: key }] of storeOf(folder).runsWithPlans().entries()) {
    if (age > 0 && key !== planKey(plan)) continue;
    const first = storeOf(folder).firstRecord(run);
    // Whose plan a journal was that is damaged from its start cannot be told; the newest may well be this one's.
    if (first ? !concerns(first, plan) : age > 0) continue;
    const found = read(folder, run);
    if (!found.ok) return found;
    const { state } = found.value;
    if (state.run === '') continue;
    return ok(samePlan(state, plan) ? state : undefined);
  }
  return ok(undefined);
}

/** Other runs of the plan on the branch of a run that found work done when it began, newest first. */
export function* earlierRuns(folder: RalphFolder, last: RunState, read = readRun): Generator<ReadRun> {
  const { given = [], branch, promptText } = last;
  const plan = { ...last.plan, ...(promptText === undefined ? {} : { promptText }) };
  const store = storeOf(folder);
  for (const { run, plan: key } of given.length > 0 ? store.runsWithPlans() : []) {
    const first = run === last.run || key !== planKey(plan) ? undefined : store.firstRecord(run);
    if (first?.type !== 'run.started' || first.branch !== branch || !concerns(first, plan)) continue;
    const found = read(folder, run);
    if (found.ok) yield found.value;
  }
}

/** A run with what earlier runs of the plan did on its branch: for itself that was done already when it began. */
export function withEarlier(folder: RalphFolder, last: RunState): RunState {
  const { given = [] } = last;
  const wanted = new Set(given);
  const done = new Map<string, ItemState>();
  for (const { state } of earlierRuns(folder, last, readRunFast)) {
    if (wanted.size === 0) break;
    for (const [id, item] of state.items) {
      // The newest that knows an item says how it stands.
      if (wanted.delete(id) && item.status === 'done' && !last.items.has(id)) done.set(id, item);
    }
  }
  if (done.size === 0) return last;
  return { ...last, items: new Map([...last.items, ...done]), given: given.filter(id => !done.has(id)) };
}

/**
 * A run of this name in which an agent has worked, but whose journal holds nothing any more. Only the newest counts:
 * once another run has begun, it has been dealt with.
 */
export function findLostRun(
  folder: RalphFolder,
  { name, newerThan }: { readonly name: string; readonly newerThan: number },
): string | undefined {
  const ofThisName = new RegExp(`^\\d{4}-\\d\\d-\\d\\d-${runName(name)}(-\\d+)?$`);
  return namesIn(folder.runs)
    .filter(run => ofThisName.test(run))
    .find(run => {
      const worked = statSync(iterationsOf(folder, run), { throwIfNoEntry: false })?.mtimeMs ?? 0;
      if (worked <= newerThan) return false;
      const read = storeOf(folder).readJournal(run, () => undefined);
      return read.ok && read.value.seq === 0;
    });
}

const iterationsOf = (folder: RalphFolder, run: string): string => dirname(iterationFolder(folder, run, 1));

function concerns(record: Recorded, plan: Pick<PlanIdentity, 'path' | 'promptText'>): boolean {
  if (record.type !== 'run.started') return false;
  return plan.promptText === undefined ? record.plan.path === plan.path : record.promptText === plan.promptText;
}

/** The path is not the plan: another name, or other words under an id the run worked on, is another plan. */
export function samePlan(state: RunState, { plan }: PlanIdentity): boolean {
  if (state.plan.name !== plan.name) return false;
  // Ids of a database stay what they are; people edit the titles.
  if (plan.marks === 'journal') return true;
  const items = new Map(plan.items.map(item => [item.id, item]));
  for (const [id, item] of state.items) {
    const now = items.get(id);
    if (now === undefined || item.title === '') continue;
    if (!sameTitle(now.title, item.title)) return false;
  }
  return true;
}
