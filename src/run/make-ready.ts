/** From a plan to a place to work in: every check that can refuse, the branch, the baseline. */
import type { Templates } from '../brief/index.ts';
import type { EventSink, Passing } from '../events.ts';
import { runFolder } from '../journal/index.ts';
import { planBefore } from '../memory/index.ts';
import { planFrom } from '../plan/index.ts';
import { Stopper } from '../process/index.ts';
import type { Agent, Clock } from '../protocol.ts';
import {
  type Baseline,
  type ChosenAgents,
  type ChosenReviewer,
  type ChosenSandbox,
  checkBaseline,
  cleared,
  type Found,
  type OpenWorkspace,
  openWorkspace,
  othersLive,
  type Project,
  preflight,
  type Refusal,
} from '../start/index.ts';
import { systemClock } from '../util/clock.ts';
import { writeAtomic } from '../util/files.ts';
import { fail, ok, type Result } from '../util/result.ts';
import { commitSettings, repoPath } from '../workspace/index.ts';
import { leftOutOnBranch, takeAdded } from './hand-over.ts';

interface ReadyRequest {
  readonly clock?: Clock;
  readonly stopper?: Stopper;
  readonly sinks?: readonly EventSink[];
  readonly only?: string;
  readonly agent?: Agent;
  /** Called when the run has its branch and worktree, so that another run may begin. */
  readonly begun: () => void;
}

export interface Ready {
  readonly place: OpenWorkspace;
  readonly chosen: ChosenAgents;
  readonly reviewer: ChosenReviewer | undefined;
  readonly templates: Templates;
  readonly sandbox: ChosenSandbox;
  readonly baseline: Baseline | undefined;
}

/** Runs all checks that can refuse, cheapest first; only then changes anything of the user's. */
export async function makeReady(
  project: Project,
  options: ReadyRequest,
  found: Found,
): Promise<Result<Ready, Refusal>> {
  const { clock = systemClock, stopper = new Stopper(), sinks = [], only } = options;
  const { repository, settings, env } = project;
  const { plan, run, state, died, promptText } = found;
  // Runs in parallel with the check of the tree, which takes as long.
  const commits = commitSettings(repository);
  const checked = cleared(await preflight(project, { found: ok(found), agent: options.agent }));
  if (!checked.ok) return checked;
  const { ground, ...chosen } = checked.value;
  const isMoved = ground.worktree !== undefined && repoPath(repository, plan.path) !== undefined;
  if (promptText !== undefined) writeAtomic(plan.path, plan.bytes);
  const place = await openWorkspace({ project, run, plan, died, ground, commits, ...(state ? { state } : {}) });
  if (!place.ok) return place;
  options.begun();
  const { workspace, vault, fresh, moves } = place.value;
  // Undo what the dead run's agent changed in git's settings before git is called.
  const beside = othersLive(project).length > 0;
  const notes = died ? await vault.open({ died, beside }) : [];
  const show = (event: Passing) => sinks.forEach(sink => sink(event, clock.now()));
  const { sandbox } = chosen.sandbox;
  const checks = { workspace, options: { env, settings, stopper, ...(sandbox ? { sandbox } : {}) }, show };
  const refused = async (refusal: Refusal) => {
    await place.value.undo();
    return fail(refusal);
  };
  const early = moves ? await place.value.enter() : ok(undefined);
  if (!early.ok) return await refused({ exit: 4, failure: early.error });
  const baseline = await checkBaseline({ project, place: checks, found, only, fresh });
  if (!baseline.ok) return await refused(baseline.error);
  const entered = moves ? ok(undefined) : await place.value.enter();
  if (!entered.ok) return await refused({ exit: 4, failure: entered.error });
  if (!died) await vault.open({ died, beside });
  const leftOut = moves ? await leftOutOnBranch(repository, plan, ground.choice) : [];
  const before = planBefore(runFolder(project.folder, run), plan.path);
  const met = state ? [...state.items.keys(), ...(before ? planFrom(plan, before).plan.ids : [])] : [];
  const added =
    state && ground.choice.action === 'switch' ? takeAdded(plan, ground.head, { known: met, mayWrite: !died }) : [];
  for (const message of [...notes, ...place.value.notes, ...added, ...leftOut])
    show({ type: 'notice', level: 'warn', message });
  for (const message of chosen.chosen.missing)
    show({ type: 'notice', level: 'warn', message: `${message}; the other agents are used` });
  // A run in its own worktree has all of it there; the person's checkout does not have the work.
  if ((plan.created || found.marked) && !isMoved) writeAtomic(plan.path, plan.bytes);
  return ok({ place: place.value, ...chosen, baseline: baseline.value });
}
