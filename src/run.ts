/** `run()`: the whole program as a library call that takes options and returns a result; progress is reported as events. One long file, because it is one story. */
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { type Limits, type Overrides, withGoal } from './config/index.ts';
import type { EventSink, Passing, StopReason } from './events.ts';
import type { AskedReviews } from './evidence/index.ts';
import { makeRalphFolder, openLiveFile, storeOf } from './journal/index.ts';
import { type Ask, loadLoop, removeCheckout } from './loop.ts';
import type { OpenPlan } from './plan/index.ts';
import { expectCalls, type Stopper, withoutOwnMark } from './process/index.ts';
import type { Agent, Clock, PlanFormat, PlanSource, Problem } from './protocol.ts';
import type { PlanItem, RunCommits } from './report/index.ts';
import { doneBefore } from './run/done-before.ts';
import { ignoredFlags } from './run/ignored-flags.ts';
import { makeReady } from './run/make-ready.ts';
import { type Messages, openMessages } from './run/messages.ts';
import { openSession } from './run/open-session.ts';
import { runSession } from './run/run-session.ts';
import { tellingTracker } from './run/tell-tracker.ts';
import { tracesOf } from './run/traces.ts';
import {
  clearUnborn,
  type Found,
  type FoundIssues,
  findReviews,
  findWithIssues,
  finishLeftArchives,
  keepLock,
  openProject,
  orRelease,
  type Project,
  planKeyOf,
  type Refusal,
  refuse,
  refuseState,
  type Seat,
  type TakenOver,
  takeOver,
  takeSeat,
  takeTurn,
} from './start/index.ts';
import type { RunState } from './state.ts';
import { systemClock } from './util/clock.ts';
import { type Failure, fail, ok, type Result } from './util/result.ts';
import { systemFailure } from './util/system-error.ts';
import { rebuildLost, withoutRedirection } from './workspace/index.ts';

export interface RunOptions {
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
  /** A plan's path, issues of a tracker (`github:owner/repo#label`), or a prompt. */
  readonly plan?: string;
  readonly overrides?: Overrides;
  /** An agent of your own that replaces the configured one; a reviewer named in the config stays. */
  readonly agent?: Agent;
  /** Plan formats of your own, tried before the built-in ones. */
  readonly formats?: readonly PlanFormat[];
  /** Trackers of your own, selected by the scheme of a plan (`jira` in `jira:SHOP#agents`). */
  readonly sources?: readonly PlanSource[];
  /** One iteration, then stop. */
  readonly once?: boolean;
  /** Only this item. */
  readonly only?: string;
  /** Only review: these items, or all if the list is empty, provided that they are done and not reviewed yet. */
  readonly reviewItems?: readonly string[];
  readonly ask?: Ask;
  readonly sinks?: readonly EventSink[];
  /** Creates one more sink, once the limits and the state to continue from are known. */
  readonly view?: (facts: { readonly limits: Limits; readonly from: RunState | undefined }) => EventSink;
  readonly clock?: Clock;
  readonly stopper?: Stopper;
  /** The command that the lock file shows for this runner. */
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
      /** The archive of the run, if the run is over, and the lessons learned. */
      readonly archive?: { readonly folder: string; readonly learned: readonly string[] };
      /** Other open runs in this repository: a command without a run's name now means one of them. */
      readonly others?: readonly string[];
      /** The items as they stand on the run's branch, if the run was over before. */
      readonly items?: readonly PlanItem[];
      /** Commands without a run's name mean another run than this one. */
      readonly isNamed?: boolean;
      /** The branch that the run started from already contains all of its work, or the run's branch is gone. */
      readonly taken?: boolean;
      /** The run's commits as git has them on its branch; undefined if the branch is gone. */
      readonly commits?: RunCommits | undefined;
      /** Notifications that could not be delivered, and why. */
      readonly undelivered?: readonly string[];
    }
  /** Nothing was run. */
  | { readonly type: 'refused'; readonly exit: 2 | 4; readonly failure: Failure };

/** Runs a plan to its end, or resumes it. Never throws for anything that a user can cause. */
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
  const { cwd = process.cwd() } = options;
  // Applies to agents and gates too: inside a git hook, inherited variables would make their git write into another index or repository.
  const env = withoutOwnMark(withoutRedirection(options.env ?? process.env));
  expectCalls();
  const rebuilt = rebuildLost(cwd);
  const left = await takeOver({ ...options, cwd, env });
  if (!left.ok) return left;
  return await orRelease(left.value.lock, () => takeSeatAndRun(options, { cwd, env, rebuilt, left: left.value }));
}

/** The runner's working directory and environment, and what the previous runner left behind. */
interface Ground {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly rebuilt: string | undefined;
  readonly left: TakenOver;
}

async function takeSeatAndRun(
  options: RunOptions,
  { cwd, env, rebuilt, left }: Ground,
): Promise<Result<RunResult, Refusal>> {
  const { overrides = {} } = options;
  const { lock: taken, held } = left;
  const refused = (refusal: Refusal) => {
    taken?.release();
    // While an agent works in the checkout, it may have changed the plan and the config, so the lock is the better reason to refuse.
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
      const done = { ...options, warnings: left.warnings, begun: () => undefined };
      return await runLocked(project, done, asked.value.located).finally(() => taken?.release());
    }
    const seat = await takeSeat(project, { found, taken: left, runner: options });
    if (!seat.ok) return refused(seat.error);
    const gone = `the git directory of ${rebuilt} was gone; it was rebuilt from .ralph/runs/.git`;
    const warnings = [...left.warnings, ...seat.value.warnings, ...(rebuilt ? [gone] : [])];
    const { reviews } = asked.value;
    const begin = { ...options, warnings, seat: seat.value, begun: turn.value, ...(reviews ? { reviews } : {}) };
    return await orRelease(seat.value.lock, () => runSeated(project, begin, asked.value.located));
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
  mkdirSync(dirname(folder.live), { recursive: true });
  const live = openLiveFile(folder.live, project.settings.limits);
  const sinks = [...(options.sinks ?? []), live.sink];
  const messages = await openMessages(project);
  let undelivered: readonly string[] = [];
  let result: Result<RunResult, Refusal> | undefined;
  const letGo = keepLock(lock);
  try {
    const env = { ...project.env, ...options.seat.env };
    const given = { ...options, sinks, ...(messages ? { messages } : {}) };
    result = await runLocked({ ...project, folder, env }, given, located);
  } finally {
    live.close();
    letGo();
    const end = result?.ok && result.value.type === 'finished' ? result.value : undefined;
    if (result?.ok === false) messages?.refused(result.error.failure);
    // Last, so that nothing that waits for the end of this run also waits for its notifications.
    undelivered = (await messages?.close(end && { reason: end.reason, why: end.why })) ?? [];
  }
  if (!result.ok || result.value.type === 'refused' || undelivered.length === 0) return result;
  return ok({ ...result.value, undelivered });
}

interface Begun {
  readonly warnings: readonly string[];
  /** Called when the run has its branch and worktree, so that another run may begin. */
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

async function runFound(opened: Project, given: RunOptions & Begun, found: Found): Promise<Result<RunResult, Refusal>> {
  const project = { ...opened, settings: withGoal(opened.settings, found.state?.until) };
  const sinks = [...(given.sinks ?? [])];
  const options = { ...given, sinks };
  const { plan, run, alreadyDone } = found;
  for (const note of found.notes) tell(options, { type: 'notice', level: 'info', message: note });
  tellAll(options, oddities(plan.plan.problems));
  if (alreadyDone) {
    tellAll(options, finishLeftArchives(project));
    return ok(await doneBefore(project, found));
  }
  tellAll(options, [...given.warnings, ...ignoredFlags(options.overrides ?? {}, found.state)]);
  const ready = await makeReady(project, options, found);
  if (!ready.ok) return ready;
  const { place, chosen, reviewer, templates, sandbox } = ready.value;
  const store = storeOf(project.folder);
  const journal = store.openJournal(run);
  if (!journal.ok) return refuse(4, journal.error);
  const key = planKeyOf(project, found);
  store.workOn({ run, plan: key });
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
    const [flushed] = await Promise.all([place.flushed, loadLoop(session)]);
    if (!flushed.ok) return refuse(4, flushed.error);
    const ended = await runSession(session, { project, found, key, baseline, from: place.from, tier: sandbox.tier });
    return ended.ok ? ok({ type: 'finished', ...ended.value }) : ended;
  } finally {
    journal.value.close();
    removeCheckout(place.workspace);
    place.workspace.close();
    await traces?.close();
  }
}

/** Warnings about the plan as one line, because its author may have meant something else. */
function oddities(problems: readonly Problem[]): readonly string[] {
  const [first, ...others] = problems.filter(({ level }) => level === 'warning');
  if (!first) return [];
  const more = others.length === 0 ? '' : ` (and ${others.length} more: ralph check)`;
  return [`the plan, line ${first.line}: ${first.message}${more}`];
}

/** Shows warnings before there is a session to show them. */
function tellAll(options: RunOptions, warnings: readonly string[]): void {
  for (const message of warnings) tell(options, { type: 'notice', level: 'warn', message });
}

function tell({ clock = systemClock, sinks = [] }: RunOptions, event: Passing): void {
  for (const sink of sinks) sink(event, clock.now());
}
