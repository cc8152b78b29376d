/** The state of a run and of each of its items. One long file, because its types are read together. */
import type { Durable, StopReason } from '../events.ts';
import type {
  Evidence,
  GateResult,
  InnerTrees,
  Item,
  ItemStatus,
  ProcessId,
  Runner,
  Usage,
  Verdict,
} from '../protocol.ts';
import type { RedGate } from '../util/same-failure.ts';
import type { ReviewState } from './review.ts';

export interface ItemState {
  readonly title: string;
  /** Attempts that failed so far: rejections, at `max-attempts` of which the item is blocked, and a block that the agent reported. */
  readonly attempts: number;
  /** Finished iterations so far, whether they counted as attempts or not. */
  readonly tries: number;
  readonly status: 'pending' | 'done' | 'blocked' | 'skipped';
  readonly why: string;
  readonly commit?: string;
  /** Signature of the last rejection or hang, and how many times in a row it occurred. */
  readonly signature: string;
  readonly repeats: number;
  /** What the next brief says about the last attempt. */
  readonly feedback: string;
  /** The tree that the next attempt starts from, and its base commit: on another commit the tree would undo others' work. */
  readonly carry?: { readonly tree: string; readonly base: string };
  /** The item's own checks were red before its first attempt. */
  readonly verifyWasRed?: boolean;
  /** The item's own checks that could not be started before its first attempt. */
  readonly unstartable?: readonly string[];
  /** Iterations in a row that changed neither the tree nor the evidence. */
  readonly still: number;
  /** What gates and guards reported last, as a comparable key. */
  readonly seen?: string;
  readonly refs: readonly string[];
  readonly costUsd: number;
  readonly durationMs: number;
  /** The item was accepted without a claim. */
  readonly settled?: true;
  /** How many times in a row the runner died while working on the item. */
  readonly deaths?: number;
  /** How often the work was accepted on its own but conflicted with what other workers landed meanwhile. */
  readonly sentBack?: number;
  /** Files in those conflicts. */
  readonly touches?: readonly string[];
  /** The iteration whose work was accepted. */
  readonly accepted?: number;
  /** What its accepted work marked done in files that another run could take for its plan, as sentences. */
  readonly marksElsewhere?: readonly string[];
  readonly review?: ReviewState;
  /** The item was added to fix this final gate, and is done only when that gate is green. */
  readonly finalGate?: string;
  /** When a person last marked or retried the item. */
  readonly markedAt?: number;
  /** What a person wrote when asking for a retry. */
  readonly hint?: string;
  /** The agent's open question; `told` is set once the journal records that a person has to answer it. */
  readonly question?: { readonly text: string; readonly iteration: number; readonly told?: true };
  /** Questions and their answers for the item's briefs, oldest first. */
  readonly answers?: readonly Answered[];
}

export interface Answered {
  readonly question: string;
  readonly answer: string;
}

/** An iteration that has started and not finished; a restart completes or undoes it. */
export interface OpenIteration {
  /** The worker's number; missing in a run with a single worker. */
  readonly worker?: number;
  readonly iteration: number;
  readonly item: string;
  readonly attempt: number;
  readonly base: string;
  readonly tree: string;
  readonly lease: string;
  readonly inner?: InnerTrees;
  /** When the iteration started. */
  readonly at?: number;
  readonly process?: ProcessId;
  readonly evidence?: Evidence;
  /** Somebody asked for an immediate stop. */
  readonly stopping?: true;
  readonly verdict?: { readonly verdict: Verdict; readonly message: string; readonly at: number };
}

/** A reviewer that has started and not finished. */
export interface OpenReview {
  readonly worker?: number;
  readonly review: number;
  readonly item: string;
  readonly round: number;
  readonly base: string;
  readonly tree: string;
  readonly lease: string;
  readonly startedAt: number;
  readonly process?: ProcessId;
}

export interface Parked {
  readonly at?: number;
  readonly until?: number;
  readonly why: string;
  readonly announced?: true;
  readonly unusable?: true;
}

export interface RunState {
  readonly run: string;
  readonly plan: { readonly path: string; readonly format: string; readonly name: string };
  readonly promptText?: string;
  /** The command of `--until`. */
  readonly until?: string;
  /** The plan that the config named when the run was last started. */
  readonly configured?: string;
  /** Items that the plan already marked as done or skipped when the run started; unknown for runs of older versions. */
  readonly given?: readonly string[];
  readonly branch: string;
  /** The branch that the person was on when the run's branch was created from it. */
  readonly from?: string;
  /** The last commit this run knows on its branch. */
  readonly tip: string;
  readonly firstBase: string;
  readonly workspace: string;
  readonly agent: string;
  /** What confined agents and gates when the run was last started; unknown for runs of older versions. */
  readonly sandbox?: string;
  readonly startedAt: number;
  readonly lastAt: number;
  /** Time spent working, without waits, pauses and the time between a stop and a resume. */
  readonly activeMs: number;
  /** The runner that executes the run, or the last one that did. */
  readonly runner?: Runner;
  /** The highest iteration number in use; an iteration that was cut off frees its number. */
  readonly iterations: number;
  /** Commits of items and reviews on the branch. */
  readonly commits: number;
  readonly items: ReadonlyMap<string, ItemState>;
  /** At most one per worker, in the order they started; `openOf` finds that of a worker. */
  readonly openIterations: readonly OpenIteration[];
  /** The first agent that left a process running which could not be ended. */
  readonly leftAlive?: ProcessId;
  /** Reviewers started so far. */
  readonly reviews: number;
  readonly openReviews: readonly OpenReview[];
  readonly usage: Usage;
  readonly costUsd: number;
  /** The part of the cost that is not billed: a subscription, or a price from the table. */
  readonly notionalUsd?: number;
  /** Agents that cannot work for now, by label; without `until`, an agent stays parked until the run is started again. */
  readonly parked?: Readonly<Record<string, Parked>>;
  /** Retryable failures in a row, across all items. */
  readonly retries: number;
  /** How long these failures made the run wait without an announced end. */
  readonly troubleMs?: number;
  readonly waitUntil?: number;
  /** The planned length of the open wait. */
  readonly waitMs?: number;
  readonly waitWhy: string;
  readonly steering: readonly string[];
  readonly paused: boolean;
  /** When the open pause started. */
  readonly pausedAt?: number;
  /** The content of the work tree after the last iteration. */
  readonly lastTree: string;
  /** The newest tree on which all gates were green. */
  readonly greenTree: string;
  /** Gates that were red at the start and have not been green since, so no item is blamed for them. */
  readonly redGates?: readonly RedGate[];
  readonly final: readonly GateResult[];
  readonly fixes: number;
  /** What was last pushed to the remote, and why the last push failed, if it did. */
  readonly pushed?: { readonly remote: string; readonly commit: string; readonly why?: string };
  /** Refs of the remote that something other than the run moved during the run. */
  readonly remoteChanges?: Pick<Extract<Durable, { type: 'remote.changed' }>, 'remote' | 'refs'>;
  readonly finished?: {
    readonly reason: StopReason;
    readonly why: string;
    readonly at: number;
    /** The work tree was not restored. */
    readonly unsettled?: true;
  };
  /** Items that a person made pending after the end. */
  readonly reopened?: readonly string[];
  /** A person deleted its branch. */
  readonly discarded?: true;
}

/** The run ended as complete, and no person has made an item pending since. */
export const isComplete = (state: RunState): boolean =>
  state.finished?.reason === 'complete' && openAgain(state).length === 0;

/** Items that a person made pending after the end of the run. */
export const openAgain = ({ reopened = [], items }: RunState): readonly string[] =>
  reopened.filter(id => items.get(id)?.status === 'pending');

/** A person wants the item done again: notes it where the run had ended. */
export const reopen = (state: RunState, id: string): RunState =>
  state.finished && !state.reopened?.includes(id) ? { ...state, reopened: [...(state.reopened ?? []), id] } : state;

/** The runner died or failed in the middle of a step, so the tree may contain work without a verdict. */
export const isCutOff = ({ finished, openIterations, openReviews }: RunState): boolean =>
  finished === undefined || finished.unsettled === true || openIterations.length > 0 || openReviews.length > 0;

export const noUsage: Usage = { inputTokens: 0, outputTokens: 0, cachedTokens: 0 };

/** The rule of findings about marks in other plans. */
export const MARKS_ELSEWHERE = 'marks-elsewhere';

export const newItem: ItemState = {
  title: '',
  attempts: 0,
  tries: 0,
  status: 'pending',
  why: '',
  signature: '',
  repeats: 0,
  still: 0,
  feedback: '',
  refs: [],
  costUsd: 0,
  durationMs: 0,
};

export const emptyState: RunState = {
  run: '',
  plan: { path: '', format: '', name: '' },
  branch: '',
  tip: '',
  firstBase: '',
  workspace: '',
  agent: '',
  startedAt: 0,
  lastAt: 0,
  activeMs: 0,
  commits: 0,
  iterations: 0,
  items: new Map(),
  openIterations: [],
  reviews: 0,
  openReviews: [],
  usage: noUsage,
  costUsd: 0,
  retries: 0,
  waitWhy: '',
  steering: [],
  paused: false,
  lastTree: '',
  greenTree: '',
  final: [],
  fixes: 0,
};

export const allGreen = (gates: readonly GateResult[]): boolean => gates.every(gate => gate.status === 'green');

export function addUsage(a: Usage, b: Usage): Usage {
  return {
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    cachedTokens: a.cachedTokens + b.cachedTokens,
  };
}

export function itemOf(state: RunState, id: string): ItemState {
  return state.items.get(id) ?? newItem;
}

/** The status that the loop acts on: done or skipped in the plan wins, then the run's own decision. */
export function effectiveStatus(planStatus: ItemStatus, item: ItemState): ItemStatus {
  if (isSettled(planStatus)) return planStatus;
  if (item.status !== 'pending') return item.status;
  return planStatus;
}

const isSettled = (planStatus: ItemStatus): boolean => planStatus === 'done' || planStatus === 'skipped';

/**
 * The effective status of a plan's item; without a run, the status in the plan. Cheap, because the loop calls it for every item several
 * times per iteration.
 */
export const statusIn = (state: RunState | undefined, { id, status }: Pick<Item, 'id' | 'status'>): ItemStatus =>
  state && !isSettled(status) ? effectiveStatus(status, itemOf(state, id)) : status;

/** Whether the run knows why the plan marks an item as done or skipped: from the start, by a verdict, or by a person. */
export function isConfirmed({ given, items }: RunState, id: string): boolean {
  const { status } = items.get(id) ?? newItem;
  return given === undefined || given.includes(id) || status === 'done' || status === 'skipped';
}

/** A person wants the item done again, so the mark that the plan had at the start no longer counts. */
export function notGiven(state: RunState, id: string): RunState {
  return state.given?.includes(id) ? { ...state, given: state.given.filter(other => other !== id) } : state;
}

export function withItem(state: RunState, id: string, change: Partial<ItemState>): RunState {
  return setItem(state, id, { ...itemOf(state, id), ...change });
}

export function setItem(state: RunState, id: string, item: ItemState): RunState {
  // Mutating is safe: `fold` created this map and nothing else holds it.
  (state.items as Map<string, ItemState>).set(id, item);
  return state;
}

/** The sandbox to show to people: that the scripted agent runs without one is not worth showing. */
export const shownSandbox = ({ agent, sandbox }: Pick<RunState, 'agent' | 'sandbox'>): string | undefined =>
  sandbox === 'none' && agent === 'script' ? undefined : sandbox;
