/** `run()`: the whole program as a library call. Options in, a result out; everything in between is told as events. */
import { mkdirSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname, relative } from 'node:path';
import type { Templates } from './brief/index.ts';
import type { Limits, Overrides } from './config/index.ts';
import type { EventSink, Passing, StopReason } from './events.ts';
import type { AskedReviews } from './evidence/index.ts';
import {
  adoptRequests,
  makeInbox,
  makeRalphFolder,
  openLiveFile,
  type RalphFolder,
  ralphFolder,
  storeOf,
} from './journal/index.ts';
import { type Ask, loop, noteStop, recover, removeCheckout, Session, startRemembering, watchInbox } from './loop.ts';
import type { OpenPlan } from './plan/index.ts';
import { isAlive, Stopper, self, withoutOwnMark } from './process/index.ts';
import type { Agent, Clock, PlanFormat, PlanSource, Problem } from './protocol.ts';
import { endRun } from './run/end-run.ts';
import { commitGiven, notOnBranch } from './run/hand-over.ts';
import { type Messages, openMessages } from './run/messages.ts';
import { openSession } from './run/open-session.ts';
import { noteMarksBetween, settledIn } from './run/person-marks.ts';
import { openPusher, type Pusher } from './run/push.ts';
import { tellingTracker } from './run/tell-tracker.ts';
import { tracesOf } from './run/traces.ts';
import {
  type Baseline,
  type ChosenAgents,
  type ChosenReviewer,
  type ChosenSandbox,
  checkBaseline,
  cleared,
  clearUnborn,
  type Found,
  type FoundIssues,
  findReviews,
  findWithIssues,
  finishLeftArchives,
  keepLock,
  type OpenWorkspace,
  openMemory,
  openProject,
  openRuns,
  openWorkspace,
  othersLive,
  type Project,
  planKeyOf,
  preflight,
  type Refusal,
  refuse,
  refuseState,
  type Seat,
  takeOver,
  takeSeat,
  takeTurn,
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
  /** A plan's path, issues of a tracker (`github:owner/repo#label`), or words for the agent. */
  readonly plan?: string;
  readonly overrides?: Overrides;
  /** An agent of your own, in place of the configured one; a reviewer that the config names stays. */
  readonly agent?: Agent;
  /** Plan formats of your own, asked before the built-in ones. */
  readonly formats?: readonly PlanFormat[];
  /** Trackers of your own, by the word before the colon of a plan (`jira:SHOP#agents`). */
  readonly sources?: readonly PlanSource[];
  /** One iteration, then stop. */
  readonly once?: boolean;
  /** Nothing but this item. */
  readonly only?: string;
  /** No work: these items, or all where none is named, are reviewed if they are done and no review has looked at them. */
  readonly reviewItems?: readonly string[];
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
      /** Messages of `notify` that did not arrive, and why. */
      readonly undelivered?: readonly string[];
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
  const env = withoutOwnMark(withoutRedirection(options.env ?? process.env));
  const rebuilt = rebuildLost(cwd);
  const left = await takeOver({ ...options, cwd, env });
  if (!left.ok) return left;
  const { lock: taken, held } = left.value;
  const refused = (refusal: Refusal) => {
    taken?.release();
    // While an agent works in the checkout, its plan and config are what the agent makes of them.
    return fail(held && !overrides.worktree ? held : refusal);
  };
  const opened = await openProject({
    cwd,
    env,
    overrides: options.reviewItems ? { ...overrides, review: 'all' } : overrides,
    formats: options.formats,
  });
  if (!opened.ok) return refused(opened.error);
  const project = opened.value;
  const unfit = refuseState(project);
  const made = unfit ? fail(unfit) : makeRalphFolder(project.folder);
  if (!made.ok) return refused({ exit: 4, failure: made.error });
  const turn = await takeTurn(project, options.command ?? 'ralph run');
  if (!turn.ok) return refused(turn.error);
  try {
    await clearUnborn(project);
    const now = (options.clock ?? systemClock).now();
    const { plan, only, sources } = options;
    const located = await findWithIssues(project, { plan, only, now, sources });
    if (!located.ok) return refused(located.error);
    const asked = await findReviews(project, { located: located.value, named: options.reviewItems, now });
    if (!asked.ok) return refused(asked.error);
    const { found } = asked.value.located;
    if (found.alreadyDone) {
      const done = { ...options, warnings: left.value.warnings, begun: () => undefined };
      return await runLocked(project, done, asked.value.located).finally(() => taken?.release());
    }
    const seat = await takeSeat(project, { found, taken: left.value, runner: options });
    if (!seat.ok) return refused(seat.error);
    const gone = `the git directory of ${rebuilt} was gone; it was rebuilt from .ralph/runs/.git`;
    const warnings = [...left.value.warnings, ...seat.value.warnings, ...(rebuilt ? [gone] : [])];
    const { reviews } = asked.value;
    const begin = { ...options, warnings, seat: seat.value, begun: turn.value, ...(reviews ? { reviews } : {}) };
    return await runSeated(project, begin, asked.value.located);
  } finally {
    turn.value();
  }
}

async function runSeated(
  project: Project,
  options: RunOptions & Begun & { readonly seat: Seat },
  located: FoundIssues,
): Promise<Result<RunResult, Refusal>> {
  const { lock, folder } = options.seat;
  const letGo = keepLock(lock);
  mkdirSync(dirname(folder.live), { recursive: true });
  const live = openLiveFile(folder.live, project.settings.limits);
  const sinks = [...(options.sinks ?? []), live.sink];
  const messages = await openMessages(project);
  let undelivered: readonly string[] = [];
  let result: Result<RunResult, Refusal> | undefined;
  try {
    const env = { ...project.env, ...options.seat.env };
    const given = { ...options, sinks, ...(messages ? { messages } : {}) };
    result = await runLocked({ ...project, folder, env }, given, located);
  } finally {
    live.close();
    letGo();
    const end = result?.ok && result.value.type === 'finished' ? result.value : undefined;
    if (result?.ok === false) messages?.refused(result.error.failure);
    // Last: whoever waits for this run to be over does not wait for messages about it.
    undelivered = (await messages?.close(end && { reason: end.reason, why: end.why })) ?? [];
  }
  if (!result.ok || result.value.type === 'refused' || undelivered.length === 0) return result;
  return ok({ ...result.value, undelivered });
}

interface Begun {
  readonly warnings: readonly string[];
  /** The run has its branch and its worktree: another one may begin. */
  readonly begun: () => void;
  readonly reviews?: AskedReviews;
  readonly messages?: Messages;
}

async function runLocked(
  project: Project,
  given: RunOptions & Begun,
  located: FoundIssues,
): Promise<Result<RunResult, Refusal>> {
  const { found } = located;
  const view = given.view?.({ limits: project.settings.limits, from: found.state });
  const sinks = [...(given.sinks ?? []), ...(view ? [view] : [])];
  const options = { ...given, sinks };
  const warn = (message: string) => tell(options, { type: 'notice', level: 'warn', message });
  const messages = given.messages?.begin({ from: found.state, tell: warn });
  if (messages) sinks.push(messages);
  return await tellingTracker(project, {
    options,
    located,
    work: told => runFound(project, told, found),
    warn: unsent => tellAll(options, unsent),
  });
}

async function runFound(
  project: Project,
  given: RunOptions & Begun,
  found: Found,
): Promise<Result<RunResult, Refusal>> {
  const sinks = [...(given.sinks ?? [])];
  const options = { ...given, sinks };
  const { plan, run, state, alreadyDone } = found;
  for (const note of found.notes) tell(options, { type: 'notice', level: 'info', message: note });
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
  const ready = await makeReady(project, options, found);
  if (!ready.ok) return ready;
  const { place, chosen, reviewer, templates, sandbox } = ready.value;
  const store = storeOf(project.folder);
  const journal = store.openJournal(run);
  if (!journal.ok) return refuse(4, journal.error);
  store.workOn({ run, plan: planKeyOf(project, found) });
  const traces = await tracesOf(project, message => tellAll(options, [message]));
  if (traces) sinks.push(traces.sink);
  try {
    const session = await openSession({
      project,
      options,
      found,
      place,
      chosen,
      reviewer,
      templates,
      store,
      sandbox,
      journal: journal.value,
    });
    const { baseline } = ready.value;
    return await runSession(session, { project, found, baseline, from: place.from, tier: sandbox.tier });
  } finally {
    journal.value.close();
    removeCheckout(place.workspace);
    place.workspace.close();
    await traces?.close();
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
  readonly reviewer: ChosenReviewer | undefined;
  readonly templates: Templates;
  readonly sandbox: ChosenSandbox;
  readonly baseline: Baseline | undefined;
}

/** Everything that can refuse, in the order of its cost; only then is anything of the user's touched. */
async function makeReady(project: Project, options: RunOptions & Begun, found: Found): Promise<Result<Ready, Refusal>> {
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
  options.begun();
  const { workspace, vault, fresh, moves } = place.value;
  // What the dead run's agent told git is taken back before git is asked to do anything.
  const beside = othersLive(project).length > 0;
  const notes = died ? vault.open({ died, beside }) : [];
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
  if (!died) vault.open({ died, beside });
  const lacking = state && ground.choice.action === 'switch' ? notOnBranch(plan, ground.head) : [];
  for (const message of [...notes, ...place.value.notes, ...lacking]) show({ type: 'notice', level: 'warn', message });
  for (const message of chosen.chosen.missing)
    show({ type: 'notice', level: 'warn', message: `${message}; others work` });
  // A run in a worktree of its own makes the state there: in the person's checkout it would only be in the way.
  if ((plan.created && !isMoved) || found.marked) writeAtomic(plan.path, plan.bytes);
  return ok({ place: place.value, ...chosen, baseline: baseline.value });
}

/** What was left for the next run is for the first that comes, wherever it works. */
function adoptLeft(folder: RalphFolder): void {
  const main = ralphFolder(dirname(folder.root));
  if (folder.seat === undefined || storeOf(main).owner({ isAlive })) return;
  adoptRequests({ from: main.control, to: folder.control });
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
  adoptLeft(folder);
  const off = [watchInbox(session), noteStop(session)];
  let pusher: Pusher | undefined;
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
    if (settings.push.when !== 'off') {
      pusher = openPusher(session, repository);
      session.alsoTell(pusher.sink);
    }
    const stop = await orSystemFailure(async () => {
      const recovered = state || found.died ? await recover(session) : ok(undefined);
      if (recovered.ok && state?.given) noteMarksBetween(session);
      const given = recovered.ok ? await commitGiven(session) : recovered;
      const memory = openMemory(project);
      if (memory) startRemembering(session, memory);
      return given.ok ? await loop(session) : given;
    });
    const ended = await endRun(session, stop);
    await pusher?.finish();
    const others = openRuns(folder).flatMap(other => (other.run === session.state.run ? [] : [other.run]));
    return ok({ type: 'finished', ...ended, plan: session.plan, others });
  } finally {
    for (const end of off) end();
  }
}
