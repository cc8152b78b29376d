/**
 * A planning session: an agent of its own, whose only result is the plan file. What it writes is read by the parser that
 * will run it; one round of corrections, then it is given up. Nothing is committed and nothing is built.
 *
 *   refuse? ─► remember the tree ─► agent ─► put back all but the plan ─► sound? ─► planned
 *                                     ▲                                    │
 *                                     └──── once, with what is wrong ◄─────┘ ─► failed: the plan is put back, too
 */
import { rmSync } from 'node:fs';
import { extname, join } from 'node:path';
import type { Settings } from '../config/index.ts';
import {
  checkoutThings,
  editsOf,
  hold,
  putBackPlan,
  rememberTree,
  type TreeBefore,
  type TreeFound,
} from '../custody/index.ts';
import { describeNotLocked, lockFolder, makeRalphFolder, type RalphFolder } from '../journal/index.ts';
import type { OpenPlan } from '../plan/index.ts';
import { isAlive, self } from '../process/index.ts';
import type { Agent, AgentOptions, AgentSignal, Clock, Problem, Usage } from '../protocol.ts';
import type { Sandbox } from '../sandbox/index.ts';
import { addUsage, noUsage } from '../state.ts';
import { readBytes, writeAtomic } from '../util/files.ts';
import { type Failure, fail, ok, type Result } from '../util/result.ts';
import { type Repository, readHead, repoPath } from '../workspace/index.ts';
import { type Notes, type PlanTarget, planningBrief } from './brief.ts';
import { refuseUnready } from './ready.ts';
import { checkNewPlan } from './rules.ts';
import { endLastAgent, runSession } from './session.ts';
import { readTarget, refuseToReplace } from './target.ts';

/** What is told while it happens. */
export type PlanningNews =
  | { readonly type: 'round'; readonly round: number; readonly problems: readonly Problem[]; readonly log: string }
  | { readonly type: 'signal'; readonly signal: AgentSignal }
  | { readonly type: 'put-back'; readonly putBack: TreeFound }
  | { readonly type: 'notice'; readonly message: string };

export interface PlanRequest {
  readonly repository: Repository;
  readonly settings: Settings;
  readonly folder: RalphFolder;
  readonly env: NodeJS.ProcessEnv;
  /** Keeps the agent inside; absent: nothing does. */
  readonly sandbox?: Sandbox | undefined;
  readonly agent: Agent;
  readonly agentOptions: AgentOptions;
  readonly goal: string;
  /** With an absolute path. */
  readonly notes?: Notes;
  readonly format: PlanTarget;
  /** The plan's file, absolute. */
  readonly out: string;
  readonly force: boolean;
  readonly anySize: boolean;
  /** What the lock says about its owner. */
  readonly command: string;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly onNews: (news: PlanningNews) => void;
}

export interface Spent {
  readonly usage: Usage;
  readonly costUsd: number;
  readonly durationMs: number;
}

export type PlanOutcome =
  | {
      readonly type: 'planned';
      readonly plan: OpenPlan;
      readonly problems: readonly Problem[];
      /** The agent's closing words, for the person who reviews the plan. */
      readonly message: string;
      readonly spent: Spent;
    }
  | {
      readonly type: 'failed';
      readonly failure: Failure;
      /** What the last round left, if it can be read at all. */
      readonly plan?: OpenPlan;
      readonly problems: readonly Problem[];
      /** Where what the last round left is kept. */
      readonly draft?: string;
    }
  | { readonly type: 'stopped'; readonly draft?: string };

/** Nothing was started. */
export interface PlanRefusal {
  readonly exit: 2 | 4;
  readonly failure: Failure;
}

const ROUNDS = 2;

/** Makes a plan, or says why not. Never throws for anything a user or an agent can cause. */
export async function makePlan(request: PlanRequest): Promise<Result<PlanOutcome, PlanRefusal>> {
  const { repository, folder, clock } = request;
  const inTree = repoPath(repository, request.out);
  if (inTree === undefined) {
    const message = 'the plan has to be inside the repository';
    return fail({ exit: 2, failure: { reason: 'outside', message, file: request.out } });
  }
  const target = { format: request.format, out: inTree };
  const taken = request.force ? undefined : refuseToReplace(request.out, target);
  if (taken) return fail({ exit: 2, failure: taken });
  const made = makeRalphFolder(folder);
  if (!made.ok) return fail({ exit: 4, failure: made.error });
  const lock = lockFolder(folder, { me: self(), command: request.command, now: clock.now(), isAlive });
  if (!lock.ok) return fail({ exit: 4, failure: describeNotLocked(lock.error, clock.now()) });
  try {
    return await planLocked(request, inTree);
  } finally {
    lock.value.release();
  }
}

async function planLocked(request: PlanRequest, inTree: string): Promise<Result<PlanOutcome, PlanRefusal>> {
  const { repository, settings, out, notes, onNews } = request;
  const folder = join(request.folder.root, 'plan');
  const ended = await endLastAgent(folder, repository.root);
  if (ended) onNews({ type: 'notice', message: 'an earlier planning session was interrupted; its agent was ended' });
  const head = await readHead(repository);
  const given = [out, settings.file, notes?.path].filter(path => path !== undefined);
  const unready = await refuseUnready({ repository, head, given });
  if (unready) return fail({ exit: 4, failure: unready });
  rmSync(folder, { recursive: true, force: true });
  const before = await rememberTree({ repository, head, plan: out, ralph: request.folder, folder });
  if (!before.ok) return fail({ exit: 4, failure: before.error });
  if (before.value.planBytes) writeAtomic(join(folder, `before${extname(out)}`), before.value.planBytes);
  const outcome = await planRounds({ request, before: before.value, folder, inTree });
  return outcome.ok ? outcome : fail({ exit: 4, failure: outcome.error });
}

interface Rounds {
  readonly request: PlanRequest;
  readonly before: TreeBefore;
  readonly folder: string;
  readonly inTree: string;
}

async function planRounds({ request, before, folder, inTree }: Rounds): Promise<Result<PlanOutcome>> {
  const { settings, onNews, clock, notes } = request;
  const began = clock.monotonic();
  let usage = noUsage;
  let costUsd = 0;
  let problems: readonly Problem[] = [];
  for (let round = 1; ; round++) {
    onNews({ type: 'round', round, problems, log: join(folder, `output-${round}.log`) });
    const brief = planningBrief({
      goal: request.goal,
      ...(notes ? { notes: { path: repoPath(request.repository, notes.path) ?? notes.path, text: notes.text } } : {}),
      plan: inTree,
      format: request.format,
      gates: settings.gates,
      final: settings.final,
      rules: settings.rules,
      context: settings.context,
      replaces: before.planBytes !== undefined,
      problems: problems.map(asLine),
    });
    const held = await hold(checkoutThings(before, () => clock.now()));
    const session = await runSession({
      agent: request.agent,
      agentOptions: request.agentOptions,
      env: request.env,
      sandbox: request.sandbox,
      root: before.workspace.root,
      folder,
      round,
      brief,
      limits: settings.limits,
      signal: request.signal,
      onSignal: signal => onNews({ type: 'signal', signal }),
    });
    const { outcome } = session;
    usage = addUsage(usage, outcome.usage);
    costUsd += outcome.costUsd;
    const { tree, ...others } = await held.putBack();
    if (!tree.ok) return tree;
    const putBack = { ...tree.value, notes: [...editsOf(others), ...tree.value.notes] };
    if (putBack.changed.length + putBack.notes.length > 0) onNews({ type: 'put-back', putBack });
    const judged = judge(request, before);
    if (request.signal.aborted) return ok({ type: 'stopped', ...giveUp(request, before) });
    if (outcome.failure) {
      const failure: Failure = { reason: 'agent-failed', message: `the agent failed: ${outcome.failure.message}` };
      return ok({ type: 'failed', failure, ...judged, ...giveUp(request, before) });
    }
    problems = judged.problems.filter(({ level }) => level === 'error');
    if (problems.length === 0 && judged.plan) {
      const spent = { usage, costUsd, durationMs: clock.monotonic() - began };
      return ok({ type: 'planned', plan: judged.plan, problems: judged.problems, message: outcome.message, spent });
    }
    if (round === ROUNDS) {
      const message = `the plan is not sound after ${ROUNDS} rounds`;
      const failure: Failure = { reason: 'plan-unsound', message, file: inTree };
      return ok({ type: 'failed', failure, ...judged, ...giveUp(request, before) });
    }
  }
}

interface Judged {
  readonly plan?: OpenPlan;
  readonly problems: readonly Problem[];
}

/** The plan as the parser that will run it sees it. */
function judge({ out, format, anySize }: PlanRequest, before: TreeBefore): Judged {
  const wrong = (message: string, { line = 1, column = 1 }: { line?: number; column?: number } = {}): Judged => ({
    problems: [{ level: 'error', line, column, message }],
  });
  const read = readTarget(out, format);
  if (read === undefined) return wrong('the file was not written');
  if (!read.ok) return wrong(read.error.message, read.error);
  if (before.planBytes?.equals(read.value.bytes)) return wrong('the file still holds the older plan');
  return { plan: read.value, problems: checkNewPlan(read.value.plan, { anySize }) };
}

/** The plan as it was before; what the agent made of it is kept for a look. */
function giveUp({ out, folder }: PlanRequest, before: TreeBefore): { readonly draft?: string } {
  const bytes = readBytes(out);
  putBackPlan(before);
  if (bytes === undefined || before.planBytes?.equals(bytes)) return {};
  const draft = join(folder.root, `plan-draft${extname(out)}`);
  writeAtomic(draft, bytes);
  return { draft };
}

const asLine = ({ line, column, message }: Problem): string => `line ${line}, column ${column}: ${message}`;
