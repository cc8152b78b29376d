/** What a run knows of itself and of each of its items. */
import type { Durable, StopReason } from '../events.ts';
import type { Evidence, GateResult, Item, ItemStatus, ProcessId, Runner, Usage, Verdict } from '../protocol.ts';
import type { RedGate } from '../util/same-failure.ts';
import type { ReviewState } from './review.ts';

export interface ItemState {
  readonly title: string;
  /** Rejections so far; at `max-attempts` the item is blocked. */
  readonly attempts: number;
  /** Finished iterations so far, charged or not. */
  readonly tries: number;
  readonly status: 'pending' | 'done' | 'blocked' | 'skipped';
  readonly why: string;
  readonly commit?: string;
  /** Signature of the last trouble and how many times in a row it came. */
  readonly signature: string;
  readonly repeats: number;
  /** What the next brief says about the last attempt. */
  readonly feedback: string;
  /** The tree the next attempt starts from, and the commit it was made on: elsewhere it would undo others' work. */
  readonly carry?: { readonly tree: string; readonly base: string };
  /** The item's own checks were red before its first attempt. */
  readonly verifyWasRed?: boolean;
  /** Checks of its own that could not be started before its first attempt. */
  readonly unstartable?: readonly string[];
  /** Iterations in a row that changed neither the tree nor the evidence. */
  readonly still: number;
  /** What the gates and guards said last, as a key. */
  readonly seen?: string;
  readonly refs: readonly string[];
  readonly costUsd: number;
  readonly durationMs: number;
  /** It was accepted without a claim. */
  readonly settled?: true;
  /** How often in a row its runner died while it was being worked on. */
  readonly deaths?: number;
  /** How often its work was good by itself and did not fit what other workers did meanwhile. */
  readonly sentBack?: number;
  /** Files over which that was so. */
  readonly touches?: readonly string[];
  /** The iteration whose work was accepted. */
  readonly accepted?: number;
  readonly review?: ReviewState;
  /** It was added for this final gate, and is done only when that is green. */
  readonly finalGate?: string;
  /** When a person last said something about it. */
  readonly markedAt?: number;
  /** What a person said when asking for another try. */
  readonly hint?: string;
  /** What its agent asked and nobody has answered; `told` once the journal says that a person is needed for it. */
  readonly question?: { readonly text: string; readonly iteration: number; readonly told?: true };
  /** What was asked and answered, for its briefs; oldest first. */
  readonly answers?: readonly Answered[];
}

export interface Answered {
  readonly question: string;
  readonly answer: string;
}

/** An iteration that has started and not finished: what a restart has to deal with. */
export interface OpenIteration {
  /** Who works on it; missing where the run has but one worker. */
  readonly worker?: number;
  readonly iteration: number;
  readonly item: string;
  readonly attempt: number;
  readonly base: string;
  readonly tree: string;
  readonly lease: string;
  /** When it began. */
  readonly at?: number;
  readonly process?: ProcessId;
  readonly evidence?: Evidence;
  /** Somebody asked for an end at once. */
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
  readonly until?: number;
  readonly why: string;
  readonly announced?: true;
  readonly unusable?: true;
}

export interface RunState {
  readonly run: string;
  readonly plan: { readonly path: string; readonly format: string; readonly name: string };
  readonly promptText?: string;
  /** The plan that the config named when the run was last started. */
  readonly configured?: string;
  /** Items that the plan called done or skipped before the run; not known of runs of older versions. */
  readonly given?: readonly string[];
  readonly branch: string;
  /** The branch the person was on, where the run's own was made from it. */
  readonly from?: string;
  /** The last commit this run knows on its branch. */
  readonly tip: string;
  readonly firstBase: string;
  readonly workspace: string;
  readonly agent: string;
  /** What kept agents and gates inside when the run was last started; not known of runs of older versions. */
  readonly sandbox?: string;
  readonly startedAt: number;
  readonly lastAt: number;
  /** Time spent working: without waits, pauses and the gaps between a stop and a resume. */
  readonly activeMs: number;
  /** Who carries it on, or did last. */
  readonly runner?: Runner;
  /** The highest number that an iteration has; one that was cut off gives its number back. */
  readonly iterations: number;
  /** Commits of work and of reviews that are on the branch. */
  readonly commits: number;
  readonly items: ReadonlyMap<string, ItemState>;
  /** At most one of each worker, in the order of their start; `openOf` finds a worker's. */
  readonly openIterations: readonly OpenIteration[];
  /** The first agent that left something running which could not be ended. */
  readonly leftAlive?: ProcessId;
  /** Reviewers started so far. */
  readonly reviews: number;
  readonly openReviews: readonly OpenReview[];
  readonly usage: Usage;
  readonly costUsd: number;
  /** How much of it is no bill: a subscription's, or a price of the table. */
  readonly notionalUsd?: number;
  /** Agents that cannot work for now, by their label; without `until`, not before the run is started again. */
  readonly parked?: Readonly<Record<string, Parked>>;
  /** Retryable troubles in a row, over all items. */
  readonly retries: number;
  /** How long those made the run wait without an announced end. */
  readonly troubleMs?: number;
  readonly waitUntil?: number;
  /** How long the open wait was to be when it began. */
  readonly waitMs?: number;
  readonly waitWhy: string;
  readonly steering: readonly string[];
  readonly paused: boolean;
  /** Since when, while it is. */
  readonly pausedAt?: number;
  /** What the work tree held after the last iteration. */
  readonly lastTree: string;
  /** The newest tree on which every gate was green. */
  readonly greenTree: string;
  /** Gates that were red before the next item: at the start, and since then without a break. */
  readonly redGates?: readonly RedGate[];
  readonly final: readonly GateResult[];
  readonly fixes: number;
  /** What of the branch is at its remote, and why not more. */
  readonly pushed?: { readonly remote: string; readonly commit: string; readonly why?: string };
  /** Refs of the remote that moved during the run, and not by it. */
  readonly remoteChanges?: Pick<Extract<Durable, { type: 'remote.changed' }>, 'remote' | 'refs'>;
  readonly finished?: {
    readonly reason: StopReason;
    readonly why: string;
    readonly at: number;
    /** The work tree was not put back. */
    readonly unsettled?: true;
  };
}

/** Its runner died, or failed in the middle of a step: the tree may hold what nobody has judged. */
export const isCutOff = ({ finished, openIterations, openReviews }: RunState): boolean =>
  finished === undefined || finished.unsettled === true || openIterations.length > 0 || openReviews.length > 0;

export const noUsage: Usage = { inputTokens: 0, outputTokens: 0, cachedTokens: 0 };

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

/** The status the loop acts on: a person's or the plan's own word, then what the run decided. */
export function effectiveStatus(planStatus: ItemStatus, item: ItemState): ItemStatus {
  if (isSettled(planStatus)) return planStatus;
  if (item.status !== 'pending') return item.status;
  return planStatus;
}

const isSettled = (planStatus: ItemStatus): boolean => planStatus === 'done' || planStatus === 'skipped';

/** The same for an item of a plan; before there is a run, the plan's word. Asked of every item several times per iteration. */
export const statusIn = (state: RunState | undefined, { id, status }: Pick<Item, 'id' | 'status'>): ItemStatus =>
  state && !isSettled(status) ? effectiveStatus(status, itemOf(state, id)) : status;

/** Whether the run knows of a plan's word that an item is done or skipped: from its start, by a verdict, or by a person. */
export function isConfirmed({ given, items }: RunState, id: string): boolean {
  const { status } = items.get(id) ?? newItem;
  return given === undefined || given.includes(id) || status === 'done' || status === 'skipped';
}

/** A person wants it done again: what the plan said at the start counts no more. */
export function notGiven(state: RunState, id: string): RunState {
  return state.given?.includes(id) ? { ...state, given: state.given.filter(other => other !== id) } : state;
}

export function withItem(state: RunState, id: string, change: Partial<ItemState>): RunState {
  return setItem(state, id, { ...itemOf(state, id), ...change });
}

export function setItem(state: RunState, id: string, item: ItemState): RunState {
  // `fold` made this map and is the only one that holds it.
  (state.items as Map<string, ItemState>).set(id, item);
  return state;
}

/** The sandbox to tell people about: that the scripted agent runs without one is nobody's concern. */
export const shownSandbox = ({ agent, sandbox }: Pick<RunState, 'agent' | 'sandbox'>): string | undefined =>
  sandbox === 'none' && agent === 'script' ? undefined : sandbox;
