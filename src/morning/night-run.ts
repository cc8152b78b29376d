/** A run as the morning sees it: its branch beside the one it came from. */

import type { Recorded } from '../events.ts';
import {
  listRuns,
  liveSeats,
  newestAt,
  type RalphFolder,
  readRun,
  readRunFast,
  runnerAt,
  seatOfRun,
  storeOf,
} from '../journal/index.ts';
import { isAlive, self } from '../process/index.ts';
import type { ProcessId } from '../protocol.ts';
import { isCalled, type Project } from '../start/index.ts';
import type { RunState } from '../state.ts';
import { type Failure, fail, ok, type Result } from '../util/result.ts';
import { quoted } from '../util/shell-word.ts';
import { nearest } from '../util/suggest.ts';

export interface NightRun {
  readonly state: RunState;
  readonly records: readonly Recorded[];
  /** The newest commit of its branch; undefined where the branch is gone. */
  readonly tip: string | undefined;
  readonly isLive: boolean;
  /** The run of the same plan that works, or worked, on the same branch after it. */
  readonly heir?: string;
}

/** By its id, the name of its plan, or its branch; the newest where several fit. */
export async function findNightRun(project: Project, name: string | undefined): Promise<Result<NightRun>> {
  const { folder } = project;
  const ids = listRuns(folder);
  if (ids.length === 0) return fail(noRun);
  const id =
    name === undefined || ids.includes(name) ? (name ?? ids[0]) : ids.find(each => isMeant(project, each, name));
  if (id === undefined) return fail(unknown(name ?? '', ids));
  return await readNightRun(project, id);
}

export async function readNightRun({ folder, repository }: Project, id: string): Promise<Result<NightRun>> {
  const read = readRun(folder, id);
  if (!read.ok) return read;
  const { state, records } = read.value;
  const { tip, heir } = await branchFor({ folder, repository }, state);
  const owner = runnerAt(seatOfRun(folder, state), { me: self(), isAlive });
  const isLive = owner !== undefined && isRunner(state, owner.process);
  return ok({ state, records, tip, isLive, ...(heir === undefined ? {} : { heir }) });
}

/** A later run of the plan may have gone on with the branch, or have made it again without the work of this one. */
export async function branchFor(
  { folder, repository: { git } }: Pick<Project, 'folder' | 'repository'>,
  state: RunState,
): Promise<Pick<NightRun, 'tip' | 'heir'>> {
  const heir = heirOf(folder, state);
  const tip = await git.text('rev-parse', '-q', '--verify', `refs/heads/${state.branch}^{commit}`);
  if (!tip.ok || state.discarded) return { tip: undefined };
  if (heir === undefined) return { tip: tip.value };
  const isIn = (await git.text('merge-base', '--is-ancestor', state.tip, tip.value)).ok;
  return isIn ? { tip: tip.value, heir } : { tip: undefined };
}

function heirOf(folder: RalphFolder, { run, branch, plan, startedAt }: RunState): string | undefined {
  const store = storeOf(folder);
  return store.runs().find(other => {
    const first = other === run ? undefined : store.firstRecord(other);
    const isHere = first?.type === 'run.started' && first.branch === branch && first.plan.path === plan.path;
    return isHere && first.at > startedAt;
  });
}

function isMeant({ folder }: Project, id: string, name: string): boolean {
  const read = readRun(folder, id);
  return read.ok && isCalled(read.value.state, name);
}

const noRun: Failure = {
  reason: 'no-run',
  message: 'there has been no run here yet',
  hint: 'Start one with: ralph run',
};

function unknown(name: string, ids: readonly string[]): Failure {
  const near = nearest(name, ids);
  return {
    reason: 'no-run',
    message: `there is no run, plan or branch ${name}`,
    hint: near ? `Did you mean ${near}?` : `Runs: ${ids.slice(0, 5).join(', ')}`,
  };
}

/** Why the branch of a run is not taken or thrown away in its name. */
export function refuseHeir({ state, heir }: NightRun, command: string): Failure | undefined {
  return heir === undefined
    ? undefined
    : {
        reason: 'not-its-own',
        message: `${heir} went on with ${state.branch}, the branch of ${state.run}; nothing was changed`,
        hint: `For the work of both: ralph ${command} ${heir}`,
      };
}

/** Why nothing is done with the branch of a run: a live run, this one or a later one, works on it, or it is gone. */
export function refuseUnsettled(project: Project, { state, tip, isLive }: NightRun): Failure | undefined {
  const live = isLive ? state.run : liveOn(project, state.branch);
  if (live !== undefined) {
    const where = live === state.run ? '' : ` and works on the same branch, ${state.branch}`;
    return {
      reason: 'run-live',
      message: `the run ${live} is live${where}`,
      hint: `See it with: ralph status --run ${live}. End it with: ralph stop --run ${live}`,
    };
  }
  if (tip !== undefined) return undefined;
  return {
    reason: 'no-branch',
    message: `the branch ${state.branch} of the run ${state.run} no longer exists`,
    hint: `To restore it: ralph discard ${state.run} --undo if it was discarded, otherwise git branch ${quoted(state.branch)} ${state.tip}`,
  };
}

/** The live run that works on a branch: several runs in turn may have worked on the same one. */
function liveOn({ folder }: Project, branch: string): string | undefined {
  for (const { seat, owner } of liveSeats(folder, { isAlive })) {
    const run = owner.run ?? newestAt(seat);
    const read = run === undefined ? undefined : readRunFast(folder, run);
    if (read?.ok && isRunner(read.value.state, owner.process) && read.value.state.branch === branch) return run;
  }
  return undefined;
}

const isRunner = ({ finished, runner }: RunState, { pid }: ProcessId): boolean =>
  finished === undefined && runner?.process.pid === pid;
