/** The run a looking command looks at: the newest, or the one that is named. */
import { join } from 'node:path';
import type { Recorded } from '../events.ts';
import { type LockOwner, lockOwner } from '../journal/lock.ts';
import { listRuns } from '../journal/run-list.ts';
import { type RalphFolder, readRun } from '../journal/runs.ts';
import { openPlan } from '../plan/open.ts';
import { isAlive } from '../process/identity.ts';
import type { Item, PlanFormat } from '../protocol.ts';
import type { RunState } from '../state.ts';
import { type Failure, fail, ok, type Result } from '../util/result.ts';
import { nearest } from '../util/suggest.ts';
import { openProject, type Project } from './project.ts';

export interface CurrentRun {
  readonly folder: RalphFolder;
  readonly state: RunState;
  readonly records: readonly Recorded[];
  /** The plan's items as they stand now; those the run knows, where the plan is gone. */
  readonly items: readonly Pick<Item, 'id' | 'title' | 'status'>[];
  readonly owner: LockOwner | undefined;
}

export interface RunPlace {
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
  /** The newest, where none is named. */
  readonly run?: string | undefined;
  /** Plan formats of your own, as for `run`. */
  readonly formats?: readonly PlanFormat[];
}

export async function currentRun({
  cwd = process.cwd(),
  env = process.env,
  run: id,
  formats,
}: RunPlace): Promise<Result<CurrentRun & { readonly project: Project }>> {
  const project = await openProject({ cwd, env, formats });
  if (!project.ok) return fail(project.error.failure);
  const { folder, repository } = project.value;
  const runs = listRuns(folder);
  const run = id ?? runs[0];
  if (run === undefined || !runs.includes(run)) return fail(noRun(run, runs));
  const read = readRun(folder, run);
  if (!read.ok) return read;
  const { state, records } = read.value;
  // In a worktree the run's own copy of the plan is the one that is marked.
  const plan = openPlan(join(repository.root, state.workspace, state.plan.path), { formats: formats ?? [] });
  const known = [...state.items].map(([key, item]) => ({ id: key, title: item.title, status: item.status }));
  return ok({
    project: project.value,
    folder,
    state,
    records,
    items: plan.ok ? plan.value.plan.items : known,
    owner: lockOwner({ file: folder.lock, isAlive }),
  });
}

function noRun(asked: string | undefined, runs: readonly string[]): Failure {
  if (asked === undefined) {
    return { reason: 'no-run', message: 'there has been no run here yet', hint: 'Start one with: ralph run' };
  }
  const near = nearest(asked, runs);
  return {
    reason: 'no-run',
    message: `there is no run ${asked}`,
    hint: near ? `Did you mean ${near}?` : `Runs: ${runs.slice(0, 5).join(', ') || 'none'}`,
  };
}
