/** The run a looking command looks at: the one that is named, the one that is open, or the newest. */
import { join } from 'node:path';
import type { Recorded } from '../events.ts';
import { type LockOwner, lockOwner } from '../journal/lock.ts';
import { listRuns } from '../journal/run-list.ts';
import { type RalphFolder, readRun } from '../journal/runs.ts';
import { openPlan } from '../plan/open.ts';
import { isAlive } from '../process/identity.ts';
import type { Item } from '../protocol.ts';
import { findRun } from '../start/find-run.ts';
import { identityOf, meantPlan } from '../start/meant-plan.ts';
import { openRuns } from '../start/open-runs.ts';
import { openProject, type Project } from '../start/project.ts';
import type { RunState } from '../state.ts';
import { type Failure, fail, ok, type Result } from '../util/result.ts';
import { plural } from '../util/show.ts';
import { nearest } from '../util/suggest.ts';
import { type Call, textFlag } from './command.ts';
import { note } from './print.ts';

export interface CurrentRun {
  readonly folder: RalphFolder;
  readonly state: RunState;
  readonly records: readonly Recorded[];
  /** The plan's items as they stand now; those the run knows, where the plan is gone. */
  readonly items: readonly Pick<Item, 'id' | 'title' | 'status'>[];
  readonly owner: LockOwner | undefined;
}

export async function currentRun(call: Call): Promise<Result<CurrentRun>> {
  const project = await openProject({ cwd: process.cwd(), env: process.env });
  if (!project.ok) return fail(project.error.failure);
  const { folder, repository } = project.value;
  const run = runNamed(project.value, call);
  if (!run.ok) return run;
  const meant = run.value ?? openRun(folder) ?? listRuns(folder)[0];
  if (meant === undefined) {
    return fail({ reason: 'no-run', message: 'there has been no run here yet', hint: 'Start one with: ralph run' });
  }
  const read = readRun(folder, meant);
  if (!read.ok) return read;
  const { state, records } = read.value;
  // In a worktree the run's own copy of the plan is the one that is marked.
  const plan = openPlan(join(repository.root, state.workspace, state.plan.path));
  const known = [...state.items].map(([key, item]) => ({ id: key, title: item.title, status: item.status }));
  return ok({
    folder,
    state,
    records,
    items: plan.ok ? plan.value.plan.items : known,
    owner: lockOwner({ file: folder.lock, isAlive }),
  });
}

/** The run that `--run` or `--plan` names; undefined where the call has neither. */
export function runNamed(project: Project, call: Call): Result<string | undefined> {
  const { folder } = project;
  const id = textFlag(call, 'run');
  const runs = id === undefined ? [] : listRuns(folder);
  if (id !== undefined) return runs.includes(id) ? ok(id) : fail(noSuchRun(id, runs));
  const given = textFlag(call, 'plan');
  if (given === undefined) return ok(undefined);
  const plan = meantPlan(project, given);
  if (!plan.ok) return fail(plan.error.failure);
  const found = findRun(folder, identityOf(project, plan.value));
  if (!found.ok) return found;
  if (found.value) return ok(found.value.run);
  return fail({ reason: 'no-run', message: `${given} has not been run yet`, hint: 'Every run: ralph archive' });
}

/** The newest run that is open; says so where there are others. */
export function openRun(folder: RalphFolder): string | undefined {
  const [newest, ...others] = openRuns(folder);
  if (others.length > 0) {
    const ids = others.slice(0, 3).map(({ run }) => `--run ${run}`);
    note([`${plural(others.length + 1, 'run')} are open here; this is the newest. For another: ${ids.join(', ')}`]);
  }
  return newest?.run;
}

function noSuchRun(asked: string, runs: readonly string[]): Failure {
  const near = nearest(asked, runs);
  return {
    reason: 'no-run',
    message: `there is no run ${asked}`,
    hint: near ? `Did you mean ${near}?` : `Runs: ${runs.slice(0, 5).join(', ') || 'none'}`,
  };
}
