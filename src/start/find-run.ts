/** Which run a plan belongs to: the one it left unfinished, or a new one. */

import type { Recorded } from '../events.ts';
import { readJournal } from '../journal/journal.ts';
import { journalOf, listRuns, type RalphFolder } from '../journal/runs.ts';
import type { Plan } from '../protocol.ts';
import { fold, type RunState } from '../state.ts';
import { ok, type Result } from '../util/result.ts';

export interface PlanIdentity {
  /** Relative to the repository. */
  readonly path: string;
  readonly name: string;
  readonly items: Plan['items'];
  readonly promptText?: string;
}

/** The newest run of this very plan, finished or not. */
export function findRun(folder: RalphFolder, plan: PlanIdentity): Result<RunState | undefined> {
  for (const run of listRuns(folder)) {
    const records: Recorded[] = [];
    const read = readJournal(journalOf(folder, run), record => {
      if (records.length > 0 || concerns(record, plan)) records.push(record);
    });
    if (records.length === 0) continue;
    if (!read.ok) return read;
    const state = fold(records);
    return ok(samePlan(state, plan) ? state : undefined);
  }
  return ok(undefined);
}

function concerns(record: Recorded, plan: PlanIdentity): boolean {
  if (record.type !== 'run.started') return false;
  return plan.promptText === undefined ? record.plan.path === plan.path : record.promptText === plan.promptText;
}

/** The path is not the plan: another name, or other words under an id the run worked on, is another plan. */
function samePlan(state: RunState, plan: PlanIdentity): boolean {
  if (state.plan.name !== plan.name) return false;
  const titles = new Map(plan.items.map(item => [item.id, item.title]));
  for (const [id, item] of state.items) {
    const now = titles.get(id);
    if (now === undefined || item.title === '') continue;
    if (shorten(now) !== shorten(item.title)) return false;
  }
  return true;
}

const shorten = (title: string): string => title.replace(/\s+/g, ' ').trim().slice(0, 100);
