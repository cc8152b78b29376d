/** The state of a run is the fold of its journal: pure, and the same after a crash as before it. */
import type { Durable, Recorded, StopReason } from './events.ts';
import type { Evidence, GateResult, ItemStatus, ProcessId, Usage, Verdict } from './protocol.ts';
import { type ReviewState, reviewed } from './state/review.ts';
import { isRed, type RedGate, redGate } from './util/same-failure.ts';

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
  /** Iterations in a row that changed neither the tree nor the evidence. */
  readonly still: number;
  /** What the gates and guards said last, as a key. */
  readonly seen?: string;
  readonly refs: readonly string[];
  readonly costUsd: number;
  readonly durationMs: number;
  /** The iteration whose work was accepted. */
  readonly accepted?: number;
  readonly review?: ReviewState;
  /** What a person said when asking for another try. */
  readonly hint?: string;
}

/** An iteration that has started and not finished: what a restart has to deal with. */
export interface OpenIteration {
  readonly iteration: number;
  readonly item: string;
  readonly attempt: number;
  readonly base: string;
  readonly tree: string;
  readonly lease: string;
  readonly process?: ProcessId;
  readonly evidence?: Evidence;
  readonly verdict?: { readonly verdict: Verdict; readonly message: string; readonly at: number };
}

/** A reviewer that has started and not finished. */
export interface OpenReview {
  readonly review: number;
  readonly item: string;
  readonly round: number;
  readonly base: string;
  readonly tree: string;
  readonly lease: string;
  readonly startedAt: number;
  readonly process?: ProcessId;
}

export interface RunState {
  readonly run: string;
  readonly plan: { readonly path: string; readonly format: string; readonly name: string };
  readonly promptText?: string;
  readonly branch: string;
  /** The last commit this run knows on its branch. */
  readonly tip: string;
  readonly firstBase: string;
  readonly workspace: string;
  readonly agent: string;
  readonly startedAt: number;
  readonly lastAt: number;
  /** Time spent running, without the gaps between a stop and a resume. */
  readonly activeMs: number;
  readonly iterations: number;
  readonly items: ReadonlyMap<string, ItemState>;
  readonly open?: OpenIteration;
  /** Reviewers started so far. */
  readonly reviews: number;
  readonly openReview?: OpenReview;
  readonly usage: Usage;
  readonly costUsd: number;
  /** Retryable troubles in a row, over all items. */
  readonly retries: number;
  readonly waitUntil?: number;
  readonly waitWhy: string;
  readonly steering: readonly string[];
  readonly paused: boolean;
  /** What the work tree held after the last iteration. */
  readonly lastTree: string;
  /** The newest tree on which every gate was green. */
  readonly greenTree: string;
  /** Gates that were red before the next item: at the start, and since then without a break. */
  readonly redGates?: readonly RedGate[];
  readonly final: readonly GateResult[];
  readonly fixes: number;
  readonly finished?: { readonly reason: StopReason; readonly why: string; readonly at: number };
}

export const noUsage: Usage = { inputTokens: 0, outputTokens: 0, cachedTokens: 0 };

const newItem: ItemState = {
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

const emptyState: RunState = {
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
  iterations: 0,
  items: new Map(),
  reviews: 0,
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

/** More than this many steering notes would only push each other out of the brief. */
const STEERING_KEPT = 20;

export function fold(records: Iterable<Recorded>, from: RunState = emptyState): RunState {
  let state: RunState = { ...from, items: new Map(from.items) };
  for (const record of records) state = advance(state, record);
  return state;
}

export function reduce(previous: RunState, record: Recorded): RunState {
  return fold([record], previous);
}

/** `reduce` for the owner of a state that nobody else holds: items are replaced in place, so a long run stays linear. */
export function advance(previous: RunState, record: Recorded): RunState {
  const resumes = record.type === 'run.started' || record.type === 'run.resumed';
  const state: RunState = {
    ...previous,
    activeMs: previous.activeMs + (resumes ? 0 : Math.max(0, record.at - previous.lastAt)),
    lastAt: record.at,
  };
  return apply(state, record);
}

function apply(state: RunState, record: Recorded): RunState {
  switch (record.type) {
    case 'run.started':
      return {
        ...state,
        run: record.run,
        plan: record.plan,
        ...(record.promptText === undefined ? {} : { promptText: record.promptText }),
        branch: record.branch,
        tip: record.base,
        firstBase: record.base,
        workspace: record.workspace,
        agent: record.agent,
        startedAt: record.at,
      };
    case 'run.resumed': {
      const { finished: _, ...rest } = state;
      return { ...rest, tip: record.base, retries: 0 };
    }
    case 'baseline':
      return {
        ...state,
        greenTree: allGreen(record.gates) ? record.tree : '',
        redGates: record.gates.filter(isRed).map(redGate),
      };
    case 'iteration.started': {
      const { iteration, item, attempt, base, tree, lease, title, verifyWasRed } = record;
      const next = withItem(state, item, { title, ...(verifyWasRed === undefined ? {} : { verifyWasRed }) });
      return { ...next, iterations: iteration, tip: base, open: { iteration, item, attempt, base, tree, lease } };
    }
    case 'agent.started':
      return state.open ? { ...state, open: { ...state.open, process: record.process } } : state;
    case 'agent.finished': {
      const item = itemOf(state, record.item);
      const next = withItem(state, record.item, { costUsd: item.costUsd + record.costUsd });
      return { ...next, usage: addUsage(state.usage, record.usage), costUsd: state.costUsd + record.costUsd };
    }
    case 'evidence':
      return state.open ? { ...state, open: { ...state.open, evidence: record.evidence } } : state;
    case 'verdict': {
      if (!state.open) return state;
      const verdict = { verdict: record.verdict, message: record.message ?? '', at: record.at };
      return { ...state, open: { ...state.open, verdict } };
    }
    case 'iteration.finished':
      return finishIteration(state, record);
    case 'iteration.aborted': {
      const { open: _, ...rest } = state;
      const refs = record.ref ? [...itemOf(state, record.item).refs, record.ref] : itemOf(state, record.item).refs;
      return { ...withItem(rest, record.item, { refs }), iterations: record.iteration - 1 };
    }
    case 'item.adopted':
      return {
        ...withItem(state, record.item, {
          status: 'done',
          commit: record.commit,
          accepted: record.iteration ?? state.iterations,
        }),
        tip: record.commit,
        iterations: Math.max(state.iterations, record.iteration ?? 0),
      };
    case 'wait.started':
      return { ...state, waitUntil: record.until, waitWhy: record.why };
    case 'wait.ended': {
      const { waitUntil: _, ...rest } = state;
      return { ...rest, waitWhy: '' };
    }
    case 'item.marked':
      return markItem(state, record);
    case 'item.retried':
      return retryItem(state, record);
    case 'item.added':
      return record.mends === undefined ? { ...state, fixes: state.fixes + 1 } : state;
    case 'review.started': {
      const { review, item, round, base, tree, lease } = record;
      const openReview = { review, item, round, base, tree, lease, startedAt: record.at };
      return { ...state, reviews: review, tip: base, openReview };
    }
    case 'reviewer.started':
      return state.openReview ? { ...state, openReview: { ...state.openReview, process: record.process } } : state;
    case 'review.finished': {
      const { openReview: _, ...rest } = state;
      const item = itemOf(state, record.item);
      const next = withItem(rest, record.item, {
        costUsd: item.costUsd + record.costUsd,
        review: reviewed(item.review, record),
      });
      const spent = { usage: addUsage(state.usage, record.usage), costUsd: state.costUsd + record.costUsd };
      return { ...next, ...spent, retries: 0 };
    }
    case 'review.settled': {
      const { review } = itemOf(state, record.item);
      const next = review ? withItem(state, record.item, { review: { ...review, settled: true } }) : state;
      return { ...next, tip: record.commit ?? state.tip };
    }
    case 'review.aborted': {
      const { openReview: _, ...rest } = state;
      const item = itemOf(state, record.item);
      const next = withItem(rest, record.item, { costUsd: item.costUsd + record.costUsd });
      const spent = { usage: addUsage(state.usage, record.usage), costUsd: state.costUsd + record.costUsd };
      return { ...next, ...spent, retries: record.failure ? state.retries + 1 : state.retries };
    }
    case 'steered':
      return { ...state, steering: [...state.steering, record.text].slice(-STEERING_KEPT) };
    case 'paused':
      return { ...state, paused: true };
    case 'unpaused':
      return { ...state, paused: false };
    case 'final':
      return { ...state, final: record.gates };
    case 'run.finished':
      return { ...state, finished: { reason: record.reason, why: record.why, at: record.at } };
    case 'plan.restored':
    case 'lessons.shown':
    case 'lessons.said':
      return state;
    default:
      // A journal of a newer version may hold records this one does not know; the reader refuses it before this.
      return state;
  }
}

function finishIteration(state: RunState, record: Extract<Durable, { type: 'iteration.finished' }>): RunState {
  const { open, ...rest } = state;
  const verdict = open?.verdict?.verdict;
  const item = itemOf(state, record.item);
  const common = {
    ...progressOf(item, open, record),
    tries: item.tries + 1,
    durationMs: item.durationMs + record.durationMs,
    refs: record.ref ? [...item.refs, record.ref] : item.refs,
  };
  const carried = open ? { carry: { tree: record.tree, base: open.base } } : {};
  const tip = record.commit ?? state.tip;
  const green = open?.evidence && open.evidence.gates.length > 0 && allGreen(open.evidence.gates);
  const base = {
    ...rest,
    tip,
    retries: 0,
    lastTree: record.tree,
    greenTree: green && record.commit ? record.tree : state.greenTree,
    ...(record.commit && open?.evidence ? { redGates: stillRed(state, open.evidence) } : {}),
  };
  if (!verdict) return { ...withItem(base, record.item, common) };
  switch (verdict.type) {
    case 'accepted': {
      const { carry: _, hint: __, ...clean } = item;
      const settled = { status: 'done', why: '', feedback: '', signature: '', repeats: 0 } as const;
      const done = { ...clean, ...common, ...settled, accepted: record.iteration };
      return setItem(base, record.item, record.commit ? { ...done, commit: record.commit } : done);
    }
    case 'progress':
      return withItem(base, record.item, { ...common, feedback: '', signature: '', repeats: 0 });
    case 'rejected': {
      const repeats = verdict.signature === item.signature ? item.repeats + 1 : 1;
      const { carry: _, ...clean } = item;
      const next = {
        ...clean,
        ...common,
        attempts: item.attempts + 1,
        signature: verdict.signature,
        repeats,
        feedback: verdict.feedback,
        why: verdict.why,
      };
      return setItem(base, record.item, verdict.next === 'continue' ? { ...next, ...carried } : next);
    }
    case 'blocked':
      return withItem(base, record.item, { ...common, status: 'blocked', why: verdict.why });
    case 'retry': {
      // A hang is counted against the item (it may be what the item asks for); a provider's trouble is not.
      const hung = verdict.failure.class === 'timeout';
      const signature = hung ? 'timeout' : item.signature;
      const repeats = hung ? (item.signature === 'timeout' ? item.repeats + 1 : 1) : item.repeats;
      const next = withItem(base, record.item, { ...common, signature, repeats, ...carried });
      return { ...next, retries: state.retries + 1 };
    }
  }
}

function markItem(state: RunState, { item: id, to, by, why }: Extract<Durable, { type: 'item.marked' }>): RunState {
  if (to === 'pending') return startAgain(state, id, {});
  const marked = withItem(state, id, { status: to, why });
  if (by === 'runner') return marked;
  // A person's word about an item is the last one: nothing is left to review.
  const { review: _, accepted: __, ...rest } = itemOf(marked, id);
  return setItem(marked, id, rest);
}

/** All but the count: what the last attempt failed on and what it left is where the next one begins. */
function retryItem(state: RunState, { item: id, hint }: Extract<Durable, { type: 'item.retried' }>): RunState {
  const { feedback, carry, verifyWasRed, costUsd, durationMs } = itemOf(state, id);
  return startAgain(state, id, {
    feedback,
    costUsd,
    durationMs,
    ...(carry ? { carry } : {}),
    ...(verifyWasRed === undefined ? {} : { verifyWasRed }),
    ...(hint ? { hint } : {}),
  });
}

/** From nothing but what is given; what its attempts made stays under its refs. */
function startAgain(state: RunState, id: string, kept: Partial<ItemState>): RunState {
  const { title, refs, tries } = itemOf(state, id);
  return setItem(state, id, { ...newItem, title, refs, tries, ...kept });
}

/** A tree or evidence that moved is progress, however often the verdict was the same. */
function progressOf(
  item: ItemState,
  open: OpenIteration | undefined,
  { commit }: Extract<Durable, { type: 'iteration.finished' }>,
): Partial<ItemState> {
  const { evidence, verdict } = open ?? {};
  // A provider's trouble says nothing about the work.
  if (!open || !evidence || verdict?.verdict.type === 'retry') return {};
  const seen = JSON.stringify([
    [...evidence.verify, ...evidence.gates].map(({ name, status, exit }) => [name, status, exit]),
    [...new Set(evidence.findings.map(({ rule }) => rule))],
  ]);
  const moved = commit !== undefined || evidence.tree !== open.tree || (item.seen !== undefined && item.seen !== seen);
  return { seen, still: moved ? 0 : item.still + 1 };
}

/** A gate that was green once has to stay so. */
const stillRed = ({ redGates = [] }: RunState, { gates }: Evidence): readonly RedGate[] =>
  redGates.filter(({ name }) => gates.every(gate => gate.name !== name || isRed(gate)));

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
  if (planStatus === 'done' || planStatus === 'skipped') return planStatus;
  if (item.status !== 'pending') return item.status;
  return planStatus;
}

function withItem(state: RunState, id: string, change: Partial<ItemState>): RunState {
  return setItem(state, id, { ...itemOf(state, id), ...change });
}

function setItem(state: RunState, id: string, item: ItemState): RunState {
  // `fold` made this map and is the only one that holds it.
  (state.items as Map<string, ItemState>).set(id, item);
  return state;
}
