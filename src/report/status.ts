/** `ralph status`: where a run is, live or not, for people and for programs. */
import type { Recorded, StopReason } from '../events.ts';
import type { ItemStatus, ReviewVerdict, Usage, Verdict } from '../protocol.ts';
import { addUsage, type OpenReview, type RunState, shownSandbox } from '../state.ts';
import { showCost, showDuration } from '../util/show.ts';
import { itemTable, shortList } from './item-table.ts';
import { type ClockTime, localMoment, localTime } from './layout.ts';
import { showUsage, VERDICT_TONES } from './narrate.ts';
import { type ItemRow, type Overview, overview, type PlanItem } from './overview.ts';
import { bar } from './progress.ts';
import type { Spent } from './recent-steps.ts';
import { reviewCounts } from './reviews.ts';
import { describeStop, verdictReason } from './sentences.ts';
import { dots, painter, say, shellWord } from './style.ts';
import { itemCounts } from './summary.ts';
import { displayWidth, fitWords, wrap } from './width.ts';

/** Who holds the lock. */
export interface LockOwner {
  readonly pid: number;
  readonly command: string;
  /** Epoch milliseconds. */
  readonly since: number;
}

export interface StatusInput {
  readonly state: RunState;
  readonly items: readonly PlanItem[];
  /** The run's journal; only the latest iteration and verdict are taken from it. */
  readonly records: Iterable<Recorded>;
  /** Undefined when no runner is alive. */
  readonly owner: LockOwner | undefined;
  readonly live?: LiveNow | undefined;
}

/** What is on disk of what a live run does at this moment, beyond its journal. */
export interface LiveNow {
  /** The owner of the lock runs a plan; it may do something else, such as write one. */
  readonly runner?: true;
  /** The agent's newest step. */
  readonly doing?: string;
  /** When the agent last printed anything. */
  readonly heardAt?: number;
  /** Of the agent that works now; the journal counts it once it is done. */
  readonly spent?: Spent;
  /** The gate that runs. */
  readonly gate?: { readonly name: string; readonly since: number };
}

/** Where a run stands, in one word. `starting`: before its first journal; `cut-off`: its runner died. */
export type StatusWord = 'none' | 'starting' | 'running' | 'waiting' | 'paused' | 'stopped' | 'cut-off' | 'complete';

/** What `ralph status --json` prints. Times are epoch milliseconds; what there is none of is null. */
export interface StatusJson {
  /** Null before the first run has a journal. */
  readonly run: string | null;
  readonly state: StatusWord;
  readonly live: boolean;
  readonly owner: LockOwner | null;
  readonly plan: { readonly path: string; readonly format: string; readonly name: string };
  readonly branch: string;
  readonly done: number;
  /** Of those: accepted without a claim. */
  readonly settled: number;
  readonly total: number;
  readonly blocked: number;
  readonly skipped: number;
  /** Items still to be done, the current one included. */
  readonly pending: number;
  readonly iterations: number;
  readonly current: {
    readonly iteration: number;
    readonly item: string;
    readonly attempt: number;
    readonly since: number;
  } | null;
  /** The review that is being made. */
  readonly reviewing: {
    readonly review: number;
    readonly item: string;
    readonly round: number;
    readonly since: number;
  } | null;
  readonly waiting: { readonly until: number; readonly why: string } | null;
  readonly paused: boolean;
  /** What the agent of a live run did last, or the gate that runs. */
  readonly doing: string | null;
  /** What that agent has used so far; in `usage` and `costUsd` once it is done. */
  readonly running: Spent | null;
  readonly last: { readonly item: string; readonly verdict: Verdict['type']; readonly why: string } | null;
  readonly usage: Usage;
  readonly costUsd: number;
  readonly activeMs: number;
  readonly finished: { readonly reason: StopReason; readonly why: string; readonly at: number } | null;
  readonly items: readonly {
    readonly id: string;
    readonly title: string;
    readonly status: ItemStatus;
    /** Rejections so far. */
    readonly attempts: number;
    readonly commit: string | null;
    /** It was accepted without a claim. */
    readonly settled: boolean;
    readonly why: string;
    /** What its reviews came to. */
    readonly review: { readonly verdict: ReviewVerdict; readonly rounds: number; readonly findings: number } | null;
  }[];
}

export function statusJson({ state, items, records, owner, live = {} }: StatusInput): StatusJson {
  const { rows, ...counts } = overview(state, items);
  const { since, verdict } = latest(records, state);
  const [open] = state.openIterations;
  const [openReview] = state.openReviews;
  return {
    run: state.run || null,
    state: wordFor(state, owner),
    live: owner !== undefined,
    owner: owner ?? null,
    plan: state.plan,
    branch: state.branch,
    ...counts,
    iterations: state.iterations,
    current: open
      ? { iteration: open.iteration, item: open.item, attempt: open.attempt, since: open.at ?? since }
      : null,
    reviewing: openReview ? reviewing(openReview) : null,
    waiting: state.waitUntil === undefined ? null : { until: state.waitUntil, why: state.waitWhy },
    paused: state.paused,
    doing: live.gate ? `gate ${say(live.gate.name)}` : (live.doing ?? null),
    running: live.spent ?? null,
    last: verdict ? { item: verdict.item, verdict: verdict.verdict.type, why: verdictReason(verdict.verdict) } : null,
    usage: state.usage,
    costUsd: state.costUsd,
    activeMs: state.activeMs,
    finished: state.finished ?? null,
    items: rows.map(row => ({
      id: row.id,
      title: row.title,
      status: row.status,
      attempts: row.state.attempts,
      commit: row.state.commit ?? null,
      settled: row.state.settled ?? false,
      why: row.why,
      review: reviewOf(row),
    })),
  };
}

function wordFor({ run, finished, paused, waitUntil }: RunState, owner: LockOwner | undefined): StatusWord {
  if (run === '') return owner ? 'starting' : 'none';
  if (owner) return paused ? 'paused' : waitUntil === undefined ? 'running' : 'waiting';
  if (!finished) return 'cut-off';
  return finished.reason === 'complete' ? 'complete' : 'stopped';
}

function reviewOf({ state }: ItemRow): StatusJson['items'][number]['review'] {
  const { review } = state;
  return review ? { verdict: review.verdict, rounds: review.rounds, findings: review.findings.length } : null;
}

const reviewing = ({ review, item, round, startedAt }: OpenReview): StatusJson['reviewing'] => ({
  review,
  item,
  round,
  since: startedAt,
});

export interface StatusTextInput extends StatusInput {
  readonly now: number;
  readonly color: boolean;
  readonly clockTime?: ClockTime | undefined;
  /** Fit into this many columns; without it a line is one line however long. */
  readonly columns?: number | undefined;
}

const LABEL = 10;
const BAR = 32;

function sandboxWord(state: RunState): string {
  const sandbox = shownSandbox(state);
  return sandbox === undefined ? '' : sandbox === 'none' ? 'no sandbox' : `sandbox ${say(sandbox)}`;
}

export function statusText({ now, color, clockTime = localTime, columns, ...input }: StatusTextInput): string {
  const paint = painter({ color });
  const { state, owner, live = {} } = input;
  const view = overview(state, input.items);
  const { since, verdict } = latest(input.records, state);
  const starting = isStarting(input);
  const row = (label: string, text: string) => rowText(paint('dim', label.padEnd(LABEL)), text, columns);
  const lines = [
    row('run', dots(paint('strong', say(state.run)), livenessOf(input, { paint, clockTime }))),
    row(
      'plan',
      dots(say(state.plan.path), `branch ${say(state.branch)}`, `agent ${say(state.agent)}`, sandboxWord(state)),
    ),
    row('items', `${bar(view, BAR, paint)}  ${itemCounts(view)}`),
  ];
  if (starting && owner) lines.push(row('now', startingWords(owner, live, now)));
  if (state.finished && !owner) {
    const { reason, why } = state.finished;
    lines.push(row('end', paint(reason === 'complete' ? 'good' : 'warn', describeStop(reason, why))));
  }
  for (const { item, attempt, iteration, at = since } of starting ? [] : state.openIterations) {
    const title = say(state.items.get(item)?.title ?? '');
    const time = owner ? `for ${showDuration(Math.max(0, now - at))}` : `since ${clockTime(at)}`;
    const words = `${say(item)}${title ? ` ${title}` : ''}`;
    lines.push(row(owner ? 'now' : 'cut off', dots(words, `attempt ${attempt}`, `iteration ${iteration}`, time)));
  }
  for (const { item, round, startedAt } of starting ? [] : state.openReviews) {
    const time = owner ? `for ${showDuration(Math.max(0, now - startedAt))}` : `since ${clockTime(startedAt)}`;
    lines.push(row(owner ? 'now' : 'cut off', dots(`review of ${say(item)}`, `round ${round}`, time)));
  }
  const doing = starting ? '' : doingWords(live, now);
  if (doing && owner) lines.push(row('doing', columns === undefined ? doing : fitWords(doing, columns - LABEL)));
  if (state.waitUntil !== undefined && owner) {
    const left = showDuration(Math.max(0, state.waitUntil - now));
    const why = state.waitWhy ? `: ${say(state.waitWhy, 300)}` : '';
    lines.push(row('waiting', `until ${localMoment(state.waitUntil, now, clockTime)}, ${left} left${why}`));
  }
  if (verdict) {
    const { type } = verdict.verdict;
    lines.push(
      row('last', `${paint(VERDICT_TONES[type], type)} ${say(verdict.item)}: ${verdictReason(verdict.verdict)}`),
    );
  }
  const reviews = reviewCounts(view);
  if (reviews) lines.push(row('reviews', reviews));
  const costUsd = state.costUsd + (live.spent?.costUsd ?? 0);
  const usage = live.spent ? addUsage(state.usage, live.spent.usage) : state.usage;
  // A live run's time continues after its last record, unless it is paused or waits.
  const works = owner && !starting && !state.paused && state.waitUntil === undefined;
  const activeMs = state.activeMs + (works ? Math.max(0, now - state.lastAt) : 0);
  const cost = costUsd > 0 ? showCost(costUsd) : '';
  lines.push(row('spent', dots(showUsage(usage), cost, `iteration ${state.iterations}`, showDuration(activeMs))));
  const list = shortList(view.rows);
  if (list.rows.length > 0) lines.push('', ...itemTable({ rows: list.rows, paint, columns }));
  if (list.rest) lines.push(paint('dim', list.rest));
  lines.push('', row('next', nextStep(state, view, owner)));
  return `${lines.join('\n')}\n`;
}

/** A label and its words, which go on below themselves where they are too long. */
function rowText(label: string, text: string, columns: number | undefined): string {
  if (columns === undefined || displayWidth(text) <= columns - LABEL) return label + text;
  return wrap(text, Math.max(LABEL, columns - LABEL))
    .map((part, at) => (at === 0 ? label : ' '.repeat(LABEL)) + part)
    .join('\n');
}

/** A runner that has recorded nothing yet: before its first item it runs the gates. */
const isStarting = ({ state, owner, live }: Omit<StatusInput, 'items' | 'records'>): boolean =>
  owner !== undefined && live?.runner === true && state.lastAt < owner.since;

function startingWords({ since }: LockOwner, { gate }: LiveNow, now: number): string {
  const time = `for ${showDuration(Math.max(0, now - (gate?.since ?? since)))}`;
  return dots('the gates are being run before the first item', gate && say(gate.name, 60), time);
}

function doingWords({ gate, doing, heardAt }: LiveNow, now: number): string {
  const ago = (at: number) => showDuration(Math.max(0, now - at));
  if (gate) return `gate ${say(gate.name, 60)} · for ${ago(gate.since)}`;
  return doing ? `${doing}${heardAt === undefined ? '' : ` · ${ago(heardAt)} ago`}` : '';
}

/** A run that has no journal yet: all that is known is who makes it. */
export function startingText({
  owner,
  live = {},
  now,
  clockTime = localTime,
}: {
  readonly owner: LockOwner;
  readonly live?: LiveNow;
  readonly now: number;
  readonly clockTime?: ClockTime | undefined;
}): string {
  const row = (label: string, text: string) => `${label.padEnd(LABEL)}${text}\n`;
  return [
    row('run', `starting since ${clockTime(owner.since)} (pid ${owner.pid}, ${say(owner.command, 60)})`),
    row('now', startingWords(owner, live, now)),
    row('next', 'ralph watch, or ralph stop'),
  ].join('');
}

function livenessOf(
  input: Omit<StatusInput, 'items' | 'records'>,
  { paint, clockTime }: { readonly paint: ReturnType<typeof painter>; readonly clockTime: ClockTime },
): string {
  const { state, owner } = input;
  if (owner) {
    const who = `(pid ${owner.pid}, ${say(owner.command, 60)})`;
    if (state.paused) return `${paint('warn', 'paused')} since ${clockTime(state.pausedAt ?? owner.since)} ${who}`;
    const word = paint('good', isStarting(input) ? 'starting' : 'running');
    return `${word} since ${clockTime(owner.since)} ${who}`;
  }
  if (!state.finished) return paint('warn', 'not running; it was cut off');
  return `ended at ${clockTime(state.finished.at)}`;
}

function nextStep(state: RunState, view: Overview, owner: LockOwner | undefined): string {
  if (owner) return state.paused ? 'ralph resume' : 'ralph watch  # or: ralph logs -f, ralph stop';
  if (state.finished?.reason === 'complete') return 'ralph report';
  const first = view.rows.find(row => row.status === 'blocked');
  const asks = view.rows.find(row => row.state.question);
  if (asks) return `ralph answer ${shellWord(asks.id)} "..." && ralph run`;
  if (first && (view.pending === 0 || state.finished?.reason === 'blocked'))
    return `ralph unblock ${shellWord(first.id)} && ralph run  # once it is solved`;
  const unreviewed = view.rows.find(row => row.state.review && row.state.review.verdict !== 'pass');
  if (unreviewed && state.finished?.reason === 'review')
    return `ralph retry ${shellWord(unreviewed.id)} --with "..." && ralph run  # or: ralph done ${shellWord(unreviewed.id)}`;
  return 'ralph run';
}

interface Latest {
  readonly since: number;
  readonly verdict: Extract<Recorded, { type: 'verdict' }> | undefined;
}

function latest(records: Iterable<Recorded>, state: RunState): Latest {
  let since = state.lastAt;
  let verdict: Latest['verdict'];
  for (const record of records) {
    if (record.type === 'iteration.started') since = record.at;
    if (record.type === 'verdict') verdict = record;
  }
  return { since, verdict };
}
