/** The run a looking command looks at: the one that is named, the one that is open, or the newest. */
import type { Recorded } from '../events.ts';
import { type LockOwner, type RalphFolder, readRun, seatOfRun, storeOf } from '../journal/index.ts';
import { isAlive } from '../process/index.ts';
import type { PlanFormat } from '../protocol.ts';
import { type PlanItem, planWord, shellWord } from '../report/index.ts';
import type { RunState } from '../state.ts';
import { type Failure, fail, ok, type Result } from '../util/result.ts';
import { plural } from '../util/show.ts';
import { nearest } from '../util/suggest.ts';
import { lastRun } from './find-run.ts';
import { readItemsOfRun } from './items-of-run.ts';
import { identityOf, meantPlan } from './meant-plan.ts';
import { openRuns } from './open-runs.ts';
import { openProject, type Project } from './project.ts';

export interface CurrentRun {
  readonly folder: RalphFolder;
  readonly state: RunState;
  readonly records: readonly Recorded[];
  /** The plan's items as they stand now on the run's branch; those the run knows, where the plan is gone. */
  readonly items: readonly PlanItem[];
  readonly owner: LockOwner | undefined;
  /** How a command names it and its plan, if commands without a name mean another run. */
  readonly named?: { readonly run: string; readonly plan: string };
  /** Other runs that could have been meant. */
  readonly notes: readonly string[];
}

export interface RunPlace {
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
  /** The open one, else the newest, where none is named. */
  readonly run?: string | undefined;
  /** Or the newest run of this plan. */
  readonly plan?: string | undefined;
  /** Plan formats of your own, as for `run`. */
  readonly formats?: readonly PlanFormat[];
}

export async function currentRun({
  cwd = process.cwd(),
  env = process.env,
  run: id,
  plan: given,
  formats,
}: RunPlace): Promise<Result<CurrentRun & { readonly project: Project }>> {
  const project = await openProject({ cwd, env, formats, withoutGit: true });
  if (!project.ok) return fail(project.error.failure);
  const { folder, repository } = project.value;
  const named = runNamed(project.value, { id, plan: given });
  if (!named.ok) return named;
  const open = openRuns(folder);
  const [, ...others] = named.value === undefined ? open : [];
  const meant = runMeant(folder, open);
  const run = named.value ?? meant;
  if (run === undefined) {
    // If git refuses to work here, that is what to say: a run could not be started either.
    const withGit = await openProject({ cwd, env, formats });
    if (!withGit.ok) return fail(withGit.error.failure);
    return fail({ reason: 'no-run', message: 'there has been no run here yet', hint: 'Start one with: ralph run' });
  }
  const read = readRun(folder, run);
  if (!read.ok) return read;
  const { state, records } = read.value;
  const seat = seatOfRun(folder, state);
  const owner = storeOf(seat).owner({ isAlive });
  return ok({
    project: project.value,
    folder: seat,
    state,
    records,
    items: readItemsOfRun(project.value, state),
    ...(run === meant ? {} : { named: { run: shellWord(run), plan: planWord(state, { cwd, root: repository.root }) } }),
    owner: owner?.run === undefined || owner.run === run ? owner : undefined,
    notes: others.length > 0 ? [alsoOpen(others)] : [],
  });
}

/** The run that commands without a name look at. */
export const runMeant = (folder: RalphFolder, open = openRuns(folder)): string | undefined =>
  open[0]?.run ?? storeOf(folder).runs()[0];

/** The run that is named by its id or its plan; undefined where neither is given. */
function runNamed(
  project: Project,
  { id, plan: given }: { readonly id: string | undefined; readonly plan: string | undefined },
): Result<string | undefined> {
  const { folder } = project;
  const runs = id === undefined ? [] : storeOf(folder).runs();
  if (id !== undefined) return runs.includes(id) ? ok(id) : fail(noSuchRun(id, runs));
  if (given === undefined) return ok(undefined);
  const plan = meantPlan(project, given);
  if (!plan.ok) return fail(plan.error.failure);
  const found = lastRun(folder, identityOf(project, plan.value));
  if (!found.ok) return found;
  if (found.value) return ok(found.value.run);
  return fail({ reason: 'no-run', message: `${given} was never run`, hint: 'Every run: ralph runs' });
}

const alsoOpen = (others: readonly RunState[]): string => {
  const ids = others.slice(0, 3).map(({ run }) => `--run ${run}`);
  return `${plural(others.length + 1, 'run')} are open here; this is the newest. For another: ${ids.join(', ')}`;
};

function noSuchRun(asked: string, runs: readonly string[]): Failure {
  const near = nearest(asked, runs);
  return {
    reason: 'no-run',
    message: `there is no run ${asked}`,
    hint: near ? `Did you mean ${near}?` : `Runs: ${runs.slice(0, 5).join(', ') || 'none'}`,
  };
}
