/** `run()`: the whole program as a library call. Options in, a result out; everything in between is told as events. */
import { hostname } from 'node:os';
import { join, relative } from 'node:path';
import type { Templates } from './brief/index.ts';
import type { Limits, Overrides } from './config/index.ts';
import type { EventSink, Passing, StopReason } from './events.ts';
import {
  type JournalWriter,
  makeInbox,
  makeRalphFolder,
  openLiveFile,
  planKey,
  type Store,
  storeOf,
} from './journal/index.ts';
import {
  type Ask,
  loop,
  noteStop,
  recover,
  removeCheckout,
  renderingPaths,
  Session,
  startRemembering,
  watchInbox,
} from './loop.ts';
import type { OpenPlan } from './plan/index.ts';
import { isAlive, Stopper, self } from './process/index.ts';
import type { Agent, Clock, PlanFormat, Problem } from './protocol.ts';
import { limitClock, limitsFolder } from './retry/index.ts';
import { endRun } from './run/end-run.ts';
import { commitGiven, ownedConfig, planInWorktree, planPlace } from './run/hand-over.ts';
import { noteMarksBetween, settledIn } from './run/person-marks.ts';
import {
  type Baseline,
  type ChosenAgent,
  type ChosenAgents,
  type ChosenSandbox,
  checkBaseline,
  cleared,
  type Found,
  findPlanAndRun,
  finishLeftArchives,
  keepLock,
  type OpenWorkspace,
  openMemory,
  openProject,
  openRuns,
  openWorkspace,
  type Project,
  preflight,
  type Refusal,
  refuse,
  refuseState,
  takeLock,
  takeOver,
} from './start/index.ts';
import { fold, type RunState } from './state.ts';
import { systemClock } from './util/clock.ts';
import { writeAtomic } from './util/files.ts';
import { type Failure, fail, ok, type Result } from './util/result.ts';
import { orSystemFailure, systemFailure } from './util/system-error.ts';
import { commitSettings, rebuildLost, repoPath, withoutRedirection } from './workspace/index.ts';

export interface RunOptions {
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
  /** A plan's path, or words for the agent. */
  readonly plan?: string;
  readonly overrides?: Overrides;
  /** An agent of your own, in place of the configured one; a reviewer that the config names stays. */
  readonly agent?: Agent;
  /** Plan formats of your own, asked before the built-in ones. */
  readonly formats?: readonly PlanFormat[];
  /** One iteration, then stop. */
  readonly once?: boolean;
  /** Nothing but this item. */
  readonly only?: string;
  readonly ask?: Ask;
  readonly sinks?: readonly EventSink[];
  /** Makes one more sink once the limits and the state to continue from are known. */
  readonly view?: (facts: { readonly limits: Limits; readonly from: RunState | undefined }) => EventSink;
  readonly clock?: Clock;
  readonly stopper?: Stopper;
  /** What the lock says about its owner. */
  readonly command?: string;
}

export type RunResult =
  | {
      readonly type: 'finished';
      readonly exit: number;
      readonly reason: StopReason;
      readonly why: string;
      readonly state: RunState;
      readonly plan: OpenPlan;
      /** Where the run was archived, if it is over, and what it taught. */
      readonly archive?: { readonly folder: string; readonly learned: readonly string[] };
      /** Other runs that are open here: without a name, they are meant from now on. */
      readonly others?: readonly string[];
    }
  /** Nothing was run. */
  | { readonly type: 'refused'; readonly exit: 2 | 4; readonly failure: Failure };

/** Runs a plan to its end, or continues it. Never throws for anything a user can cause. */
export async function run(options: RunOptions = {}): Promise<RunResult> {
  try {
    const result = await prepareAndRun(options);
    return result.ok ? result.value : { type: 'refused', ...result.error };
  } catch (error) {
    const failure = systemFailure(error);
    if (!failure) throw error;
    return { type: 'refused', exit: 4, failure };
  }
}

async function prepareAndRun(options: RunOptions): Promise<Result<RunResult, Refusal>> {
  const { cwd = process.cwd(), overrides = {} } = options;
  // Also for agents and gates: started from a hook, their git would write into another index or repository.
  const env = withoutRedirection(options.env ?? process.env);
  const rebuilt = rebuildLost(cwd);
  const left = await takeOver({ ...options, cwd, env });
  if (!left.ok) return left;
  const { lock: taken, warnings } = left.value;
  const opened = await openProject({ cwd, env, overrides, formats: options.formats });
  if (!opened.ok) {
    taken?.release();
    return opened;
  }
  const project = opened.value;
  const unfit = refuseState(project);
  const made = unfit ? fail(unfit) : makeRalphFolder(project.folder);
  if (!made.ok) {
    taken?.release();
    return refuse(4, made.error);
  }
  const lock = taken ? ok(taken) : takeLock(project, options);
  if (!lock.ok) return lock;
  const letGo = keepLock(lock.value);
  const gone = `the git directory of ${rebuilt} was gone; it was rebuilt from .ralph/runs/.git`;
  const live = openLiveFile(project.folder.live, project.settings.limits);
  const sinks = [...(options.sinks ?? []), live.sink];
  try {
    return await runLocked(project, { ...options, sinks, warnings: [...warnings, ...(rebuilt ? [gone] : [])] });
  } finally {
    live.close();
    letGo();
  }
}

async function runLocked(
  project: Project,
  given: RunOptions & { readonly warnings: readonly string[] },
): Promise<Result<RunResult, Refusal>> {
  const now = (given.clock ?? systemClock).now();
  const found = findPlanAndRun(project, { plan: given.plan, only: given.only, now });
  if (!found.ok) return found;
  const view = given.view?.({ limits: project.settings.limits, from: found.value.state });
  const options = view ? { ...given, sinks: [...(given.sinks ?? []), view] } : given;
  const { plan, run, state, alreadyDone } = found.value;
  for (const note of found.value.notes) tell(options, { type: 'notice', level: 'info', message: note });
  tellAll(options, oddities(plan.plan.problems));
  if (alreadyDone) {
    tellAll(options, finishLeftArchives(project));
    return ok({
      type: 'finished',
      exit: 0,
      reason: 'complete',
      why: 'every item was done before',
      state: state ?? fold([]),
      plan,
    });
  }
  tellAll(options, given.warnings);
  const ready = await makeReady(project, options, found.value);
  if (!ready.ok) return ready;
  const { place, chosen, reviewer, templates, sandbox } = ready.value;
  const store = storeOf(project.folder);
  const journal = store.openJournal(run);
  if (!journal.ok) return refuse(4, journal.error);
  const path = repoPath(project.repository, plan.path) ?? plan.path;
  store.workOn({ run, plan: planKey({ path, promptText: found.value.promptText }) });
  try {
    const session = await openSession({
      project,
      options,
      found: found.value,
      place,
      chosen,
      reviewer,
      templates,
      store,
      sandbox,
      journal: journal.value,
    });
    const { baseline } = ready.value;
    return await runSession(session, { project, found: found.value, baseline, from: place.from, tier: sandbox.tier });
  } finally {
    journal.value.close();
    removeCheckout(place.workspace);
    place.workspace.close();
  }
}

/** What is odd about the plan, in a line: whoever wrote it may have meant something else. */
function oddities(problems: readonly Problem[]): readonly string[] {
  const [first, ...others] = problems.filter(({ level }) => level === 'warning');
  if (!first) return [];
  const more = others.length === 0 ? '' : ` (and ${others.length} more: ralph check)`;
  return [`the plan, line ${first.line}: ${first.message}${more}`];
}

/** Warnings before there is a session to tell them. */
function tellAll(options: RunOptions, warnings: readonly string[]): void {
  for (const message of warnings) tell(options, { type: 'notice', level: 'warn', message });
}

function tell({ clock = systemClock, sinks = [] }: RunOptions, event: Passing): void {
  for (const sink of sinks) sink(event, clock.now());
}

interface Ready {
  readonly place: OpenWorkspace;
  readonly chosen: ChosenAgents;
  readonly reviewer: ChosenAgent | undefined;
  readonly templates: Templates;
  readonly sandbox: ChosenSandbox;
  readonly baseline: Baseline | undefined;
}

/** Everything that can refuse, in the order of its cost; only then is anything of the user's touched. */
async function makeReady(project: Project, options: RunOptions, found: Found): Promise<Result<Ready, Refusal>> {
  const { clock = systemClock, stopper = new Stopper(), sinks = [], only } = options;
  const { repository, settings, env } = project;
  const { plan, run, state, died, promptText } = found;
  // Beside the look at the tree, which takes as long.
  const commits = commitSettings(repository);
  const checked = cleared(await preflight(project, { found: ok(found), agent: options.agent }));
  if (!checked.ok) return checked;
  const { ground, ...chosen } = checked.value;
  const isMoved = ground.worktree !== undefined && repoPath(repository, plan.path) !== undefined;
  if (promptText !== undefined) writeAtomic(plan.path, plan.bytes);
  const place = await openWorkspace({ project, run, plan, died, ground, commits, ...(state ? { state } : {}) });
  if (!place.ok) return place;
  const { workspace, vault, fresh, moves } = place.value;
  // What the dead run's agent told git is taken back before git is asked to do anything.
  const notes = died ? vault.open({ died }) : [];
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
  if (!died) vault.open({ died });
  for (const message of notes) show({ type: 'notice', level: 'warn', message });
  for (const message of chosen.chosen.missing)
    show({ type: 'notice', level: 'warn', message: `${message}; others work` });
  // A run in a worktree of its own makes the state there: in the person's checkout it would only be in the way.
  if (plan.created && !isMoved) writeAtomic(plan.path, plan.bytes);
  return ok({ place: place.value, ...chosen, baseline: baseline.value });
}

interface SessionParts {
  readonly project: Project;
  readonly options: RunOptions;
  readonly found: Found;
  readonly place: OpenWorkspace;
  readonly chosen: ChosenAgents;
  readonly reviewer: ChosenAgent | undefined;
  readonly templates: Templates;
  readonly sandbox: ChosenSandbox;
  readonly store: Store;
  readonly journal: JournalWriter;
}

async function openSession({
  project,
  options,
  found,
  place,
  chosen,
  reviewer,
  templates,
  store,
  sandbox: { sandbox },
  journal,
}: SessionParts): Promise<Session> {
  const { repository, settings, folder, env } = project;
  const { workspace, vault } = place;
  const { plan, state } = found;
  const { clock = systemClock } = options;
  const isolated = workspace.root !== repository.root;
  const planPath = repoPath(repository, plan.path);
  const moved = isolated && planPath !== undefined ? planPath : undefined;
  const config = settings.file
    ? ownedConfig({ file: settings.file, from: repository.root, to: workspace.root })
    : undefined;
  const opened = moved === undefined ? plan : planInWorktree(plan, join(workspace.root, moved));
  const { inTree, owned, link } = await planPlace(workspace, opened.path);
  return new Session({
    folder,
    settings,
    agent: chosen.agent,
    agentOptions: chosen.options,
    fallbacks: chosen.fallbacks,
    ...(chosen.retrier ? { retrier: chosen.retrier } : {}),
    limits: limitClock({ folder: limitsFolder(env), now: () => clock.now(), me: self(), isAlive }),
    ...(reviewer ? { reviewer: { agent: reviewer.agent, options: reviewer.options } } : {}),
    store,
    journal,
    state: state ?? fold([]),
    workspace,
    vault,
    plan: opened,
    planInTree: inTree,
    planLink: link,
    ownedInTree: [
      ...owned,
      ...(config ? [relative(workspace.root, config.file)] : []),
      ...renderingPaths(plan, repository.root),
    ],
    ...(config ? { config } : {}),
    ...(moved === undefined ? {} : { checkoutPlan: { path: plan.path, seen: plan.bytes } }),
    templates,
    ...(sandbox ? { sandbox } : {}),
    env,
    clock,
    sinks: options.sinks ?? [],
    stopper: options.stopper ?? new Stopper(),
    once: options.once ?? false,
    ...(options.only === undefined ? {} : { only: options.only }),
    ...(options.ask ? { ask: options.ask } : {}),
  });
}

async function runSession(
  session: Session,
  {
    project,
    found,
    baseline,
    from,
    tier,
  }: {
    readonly project: Project;
    readonly found: Found;
    readonly baseline: Baseline | undefined;
    readonly from: string | undefined;
    readonly tier: ChosenSandbox['tier'];
  },
): Promise<Result<RunResult, Refusal>> {
  const { run, state, plan, promptText } = found;
  const { repository, settings, folder } = project;
  const { workspace } = session;
  const tip = await workspace.tip();
  if (!tip.ok) return refuse(4, tip.error);
  workspace.flushGround(tip.value);
  session.startedFrom = tip.value;
  makeInbox(folder.control);
  const off = [watchInbox(session), noteStop(session)];
  try {
    const configured = settings.plan ?? '';
    const runner = { process: self(), host: hostname() };
    const limits = session.limits;
    if (state) session.record({ type: 'run.resumed', base: state.tip, configured, sandbox: tier, runner, limits });
    else {
      session.record({
        type: 'run.started',
        run,
        plan: { path: repoPath(repository, plan.path) ?? plan.path, format: plan.plan.format, name: plan.plan.name },
        branch: workspace.branch,
        base: tip.value,
        workspace: relative(repository.root, workspace.root) || '.',
        agent: session.options.agent.name,
        gates: settings.gates.map(gate => gate.run),
        sandbox: tier,
        ...(promptText === undefined ? {} : { promptText }),
        configured,
        ...(from === undefined ? {} : { from }),
        runner,
        given: settledIn(session.plan),
        limits,
      });
    }
    if (baseline) {
      session.record({ type: 'baseline', ...baseline });
      await session.knownGreen.learn(workspace, baseline.tree, settings.gates, baseline.gates);
      session.base.learn(baseline.tree, baseline.gates);
    }
    if (settings.gates.length === 0)
      session.notice('warn', "no gates are configured: an item is accepted on the agent's claim and a change alone");
    for (const key of settings.notYet) session.notice('warn', `${key} is set, but this version does not act on it`);
    const stop = await orSystemFailure(async () => {
      const recovered = state || found.died ? await recover(session) : ok(undefined);
      if (recovered.ok && state?.given) noteMarksBetween(session);
      const given = recovered.ok ? await commitGiven(session) : recovered;
      const memory = openMemory(project);
      if (memory) startRemembering(session, memory);
      return given.ok ? await loop(session) : given;
    });
    const ended = await endRun(session, stop);
    const others = openRuns(folder).flatMap(other => (other.run === session.state.run ? [] : [other.run]));
    return ok({ type: 'finished', ...ended, plan: session.plan, others });
  } finally {
    for (const end of off) end();
  }
}
